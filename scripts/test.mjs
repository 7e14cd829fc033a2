/** Sets everything up and runs everything that guards the repository; the last line is the sum. */

import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { countCheck, countPlaywright, countProgram, countVitest, judgeRun, renderTable } from './setup/counts.mjs';
import { EXIT_ENVIRONMENT } from './setup/fault.mjs';
import { PART_MS_MAX } from './setup/limits.mjs';
import { listParts, selectParts } from './setup/parts.mjs';
import { childEnv, exitOnInterrupt, npmCommand, repoNode, runChild } from './setup/processes.mjs';

// Note: import.meta.dirname came with Node 20.11; this runs on every 20.
const root = fileURLToPath(new URL('..', import.meta.url));
const EXIT_USAGE = 2;

async function main() {
  const testsFolder = path.join(root, 'tests');
  const parts = listParts(existsSync(testsFolder) ? readdirSync(testsFolder) : []);
  const { selected, unknown } = selectParts(parts, process.env.PLAYHEAD_PARTS);
  if (unknown.length > 0) {
    console.error(`Cannot run the parts "${unknown.join(', ')}": PLAYHEAD_PARTS names no such part, one of ${parts.map((part) => part.name).join(', ')} was needed`);
    return EXIT_USAGE;
  }
  const setup = await setUp();
  const rows = [setup.row];
  if (setup.code !== EXIT_ENVIRONMENT) {
    for (const part of selected) rows.push(await runPart(part));
  }
  console.log(`\n${renderTable(rows)}`);
  if (setup.code === EXIT_ENVIRONMENT) return EXIT_ENVIRONMENT;
  return rows.some((row) => row.failed > 0) ? 1 : 0;
}

/** Set-up checks nothing, so it counts only where it failed; a failed build lets the rest go on. */
async function setUp() {
  const startMs = performance.now();
  const { code } = await run({ command: process.execPath, args: ['scripts/setup.mjs', '--all'] });
  const row = { name: 'set-up', passed: 0, failed: code === 0 ? 0 : 1, seconds: secondsSince(startMs), note: code === 0 ? '' : `ended with ${code}` };
  return { code, row };
}

async function runPart(part) {
  console.log(`\n== ${part.name}: ${part.shown}`);
  const startMs = performance.now();
  const countsFile = path.join(root, '.cache/test', `${part.name}.json`);
  mkdirSync(path.dirname(countsFile), { recursive: true });
  rmSync(countsFile, { force: true });
  const { code, tail, isTimedOut } = await run(commandOf(part, countsFile));
  const counts = countsOf({ part, code, tail, text: existsSync(countsFile) ? readFileSync(countsFile, 'utf8') : null });
  const judged = judgeRun({ code, counts });
  const row = { name: part.name, ...judged, seconds: secondsSince(startMs), note: isTimedOut ? `stopped after ${PART_MS_MAX / 60_000} minutes` : judged.note };
  console.log(`== ${part.name}: ${row.passed} passed, ${row.failed} failed, ${row.seconds.toFixed(1)} s`);
  return row;
}

function commandOf(part, countsFile) {
  const node = repoNode(root);
  const npm = (args) => npmCommand({ node, args, env: process.env });
  switch (part.kind) {
    case 'check': return npm(['run', '-s', part.name]);
    case 'vitest': return npm(['run', '-s', part.name, '--', '--allowOnly=false', '--reporter=default', '--reporter=json', `--outputFile.json=${countsFile}`]);
    case 'playwright': return {
      command: node,
      args: ['node_modules/@playwright/test/cli.js', 'test', ...part.args, '--forbid-only', `--reporter=list,${COUNT_REPORTER}`],
      extra: { PLAYHEAD_COUNTS_FILE: countsFile },
    };
    case 'program': return { command: node, args: [part.file], output: 'both' };
  }
}

const COUNT_REPORTER = path.join(root, 'scripts/setup/count-reporter.mjs');

function countsOf({ part, code, tail, text }) {
  switch (part.kind) {
    case 'check': return countCheck(code);
    case 'vitest': return countVitest(text);
    case 'playwright': return countPlaywright(text);
    case 'program': return countProgram(tail);
  }
}

function run({ command, args, extra, output = 'inherit' }) {
  return runChild({ command, args, cwd: root, env: childEnv({ root, env: process.env, extra }), output, limitMs: PART_MS_MAX, isGroup: true });
}

const secondsSince = (startMs) => (performance.now() - startMs) / 1000;

// Last, because the constants above must be there.
exitOnInterrupt();
process.exitCode = await main();
