/** Nested Playwright runs, with a place of their own and their report read. */

import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { root, run, start } from '../faults/place.mjs';

const program = path.join(root, 'node_modules/@playwright/test/cli.js');

async function prepare(folder, place, args, env) {
  const report = place.at('report.json');
  const command = [process.execPath, program, 'test', '--config', path.join(folder, 'playwright.config.ts'), ...args];
  const options = { cwd: folder, env: { ...place.env, PLAYHEAD_STALL_MS: '5000', REPORT_FILE: report, BACKEND_PORT: String(await freePort()), ...env } };
  return { command, options, report };
}

/** Runs to the end; `tests` has one row for each test that ran. */
export async function playwright(folder, place, args = [], env = {}) {
  const { command, options, report } = await prepare(folder, place, args, env);
  const result = await run(command, options);
  const document = existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')) : null;
  return { ...result, tests: document ? document.suites.flatMap(rowsOf) : [], errors: document?.errors ?? [] };
}

export async function startPlaywright(folder, place, args = [], env = {}) {
  const { command, options } = await prepare(folder, place, args, env);
  return start(command, options);
}

function rowsOf(suite) {
  const own = (suite.specs ?? []).flatMap((spec) => spec.tests.flatMap((test) => test.results.map((result) => ({ title: spec.title, status: result.status, errors: result.errors.map(({ message }) => message), verdict: verdictOf(result) }))));
  return [...own, ...(suite.suites ?? []).flatMap(rowsOf)];
}

function verdictOf(result) {
  const attachment = result.attachments.find(({ name }) => name === 'verdict.json');
  return attachment ? JSON.parse(Buffer.from(attachment.body, 'base64').toString()) : null;
}

/** A port that was free a moment ago; `webServer` wants to know it beforehand. */
function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}
