// `npm run soak`: every case 50 times with 2 workers and no retries, then once more beside a busy loop on one core, then the
// desktop's cases 20 times on Electron, and each of them once per surface with its recorded waits; the verdicts of one case,
// surface and timing must have one digest. Words name parts (quiet, busy, desktop, electron, recorded); `desktop` is the
// desktop's share of the quiet part and runs by name alone. PLAYHEAD_SOAK and PLAYHEAD_SOAK_ELECTRON set other numbers of
// repeats, PLAYHEAD_SOAK_KEEP a folder for what red runs leave.
import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { verdictDigest } from '../src/core/verdict/verdict.ts';
import { exitOnInterrupt, runChild } from './setup/processes.mjs';

const root = new URL('..', import.meta.url).pathname;
const repeats = Number(process.env.PLAYHEAD_SOAK ?? 50);
const electronRepeats = Number(process.env.PLAYHEAD_SOAK_ELECTRON ?? 20);
// Longer than any part on a busy machine.
const partMsMax = 6 * 3_600_000;
const desktop = ['--grep', '(^| )desktop-'];
const parts = {
  quiet: [{ title: 'quiet', count: repeats }],
  busy: [{ title: 'busy', count: repeats, isBusy: true }],
  desktop: [{ title: 'desktop on Chromium', count: repeats, args: desktop, surface: 'chromium' }],
  electron: [{ title: 'desktop on Electron', count: electronRepeats, args: desktop, surface: 'electron' }],
  recorded: ['chromium', 'electron'].map((surface) => ({ title: `recorded waits on ${surface}`, count: 1, args: desktop, surface, timing: 'recorded' })),
};
const words = process.argv.slice(2);
const stranger = words.find((word) => !(word in parts));
if (stranger !== undefined) {
  console.error(`Cannot soak "${stranger}": there is no such part, one of ${Object.keys(parts).join(', ')} was needed`);
  process.exit(2);
}
let failed = 0;
let passed = 0;
// Over all parts: load changes no verdict either.
const digestOf = new Map();
exitOnInterrupt();

for (const part of (words.length > 0 ? words : ['quiet', 'busy', 'electron', 'recorded']).flatMap((word) => parts[word])) {
  const busy = part.isBusy ? spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }) : null;
  await untilExit(() => soak(part), () => busy?.kill('SIGKILL'));
}
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;

/** `clean` comes behind `body`, or before we are ended from outside, where `body` never comes to its end. */
async function untilExit(body, clean) {
  process.once('exit', clean);
  try {
    await body();
  } finally {
    process.off('exit', clean);
    clean();
  }
}

async function soak(part) {
  const folder = mkdtempSync(join(tmpdir(), 'playhead-soak-'));
  await untilExit(() => soakIn(part, folder), () => rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 }));
}

async function soakIn(part, folder) {
  const startedMs = Date.now();
  const code = await runPlaywright(part, folder);
  console.log(`\n${part.title}: ${Math.round((Date.now() - startedMs) / 1000)} s`);
  const cases = readVerdicts(join(folder, 'verdicts'));
  for (const [name, verdicts] of cases) judge(part, name, verdicts);
  if (cases.length === 0) console.log('✗ no case ran');
  if (code !== 0 || cases.length === 0) failed++;
  if (code !== 0 && process.env.PLAYHEAD_SOAK_KEEP) cpSync(folder, join(process.env.PLAYHEAD_SOAK_KEEP, part.title.replaceAll(' ', '-')), { recursive: true });
}

async function runPlaywright({ count, args: chosen = [], surface, timing }, folder) {
  const verdicts = join(folder, 'verdicts');
  mkdirSync(verdicts);
  const args = [join(root, 'node_modules/@playwright/test/cli.js'), 'test', `--repeat-each=${count}`, '--workers=2', '--retries=0', '--reporter=dot', `--output=${join(folder, 'results')}`, ...chosen];
  const env = { ...process.env, PLAYHEAD_VERDICTS: verdicts, ...(surface ? { PLAYHEAD_SURFACE: surface } : {}), ...(timing ? { PLAYHEAD_TIMING: timing } : {}) };
  // In a group of its own, with its workers: who ends us ends them all.
  const { code } = await runChild({ command: process.execPath, args, cwd: root, env, output: 'inherit', limitMs: partMsMax, isGroup: true });
  return code;
}

/** `[case › cassette, verdicts]`, by name. */
function readVerdicts(folder) {
  const verdicts = readdirSync(folder).map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')));
  const byCase = Map.groupBy(verdicts, (verdict) => `${verdict.case?.name} › ${verdict.cassette.name}`);
  return [...byCase].sort(([a], [b]) => (a < b ? -1 : 1));
}

function judge({ count }, name, verdicts) {
  const digests = new Map(verdicts.map((verdict) => [verdictDigest(verdict), verdict]));
  const red = verdicts.filter(({ result }) => result !== 'passed');
  const { surface, timing } = verdicts[0];
  const key = `${name} ${surface} ${timing}`;
  const isKnown = !digestOf.has(key) || digests.has(digestOf.get(key));
  if (!digestOf.has(key)) digestOf.set(key, [...digests.keys()][0]);
  const isGood = red.length === 0 && digests.size === 1 && isKnown && verdicts.length === count;
  if (isGood) passed++;
  else failed++;
  const ms = verdicts.map(({ durationMs }) => Math.round(durationMs)).sort((a, b) => a - b);
  const at = (share) => ms[Math.max(0, Math.ceil(ms.length * share) - 1)];
  const figures = [`${verdicts.length} runs`, `median ${at(0.5)} ms`, `p95 ${at(0.95)} ms`, `${red.length} red`, `${digests.size} digest(s)${isKnown ? '' : ', another than before'}`];
  console.log(`${isGood ? '✓' : '✗'} ${name.padEnd(36)} ${figures.join(' · ')}`);
  for (const cause of new Set(red.map((verdict) => (verdict.divergence ?? verdict.fault)?.message ?? 'its end was not reached'))) console.log(`    ${cause}`);
}
