/** Runs the cases with Playwright (arguments are passed on) and says where the report is. */

import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { EXIT_ENVIRONMENT, createFault, renderFault } from './setup/fault.mjs';
import { PART_MS_MAX } from './setup/limits.mjs';
import { childEnv, exitOnInterrupt, repoNode, runChild } from './setup/processes.mjs';

const root = path.resolve(import.meta.dirname, '..');
const REPORT = 'playwright-report/index.html';
const PLAYWRIGHT = 'node_modules/@playwright/test/cli.js';

async function main() {
  if (existsSync(path.join(root, PLAYWRIGHT))) return runCases(process.argv.slice(2));
  console.error(renderFault(createFault({
    code: 'not_set_up',
    message: `Cannot run the cases: "${PLAYWRIGHT}" is absent, a set-up was needed`,
    next: 'npm start',
  })));
  return EXIT_ENVIRONMENT;
}

async function runCases(args) {
  const startMs = Date.now();
  console.log(`\nRunning npx playwright test ${args.join(' ')}`.trimEnd());
  const { code, isTimedOut } = await runChild({
    command: repoNode(root), args: [PLAYWRIGHT, 'test', ...args], cwd: root, output: 'inherit', limitMs: isWatched(args) ? NO_LIMIT_MS : PART_MS_MAX,
    env: childEnv({ root, env: process.env, extra: { PLAYWRIGHT_HTML_OPEN: process.env.PLAYWRIGHT_HTML_OPEN ?? 'never' } }),
  });
  if (isTimedOut) console.error(`Cannot finish the cases: they ran for ${PART_MS_MAX / 60_000} minutes, an end before that was needed`);
  console.log(isFresh(startMs) ? `\nReport: ${REPORT}\n  Open: npx playwright show-report` : `\nReport: none, this run wrote no ${REPORT}`);
  return code;
}

/** A person sits before it: no limit but their own. */
const isWatched = (args) => args.some((arg) => /^--(ui|debug|headed)/.test(arg));
const NO_LIMIT_MS = 2 ** 31 - 1;

function isFresh(startMs) {
  const report = path.join(root, REPORT);
  return existsSync(report) && statSync(report).mtimeMs >= startMs;
}

// Last, because the constants above must be there.
exitOnInterrupt();
process.exitCode = await main();
