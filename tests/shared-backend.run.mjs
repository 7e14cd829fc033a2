/** One backend, started once by Playwright's `webServer`, for many tests on two workers: each test gets its own tape. */

import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { createReport } from './faults/report.mjs';
import { inPlace } from './faults/place.mjs';
import { playwright } from './shared-backend/playwright.mjs';
import { inRepository } from './shared-backend/repository.mjs';

const names = ['chat-approve-command', 'chat-decline-command', 'chat-hello', 'chat-two-turns'];
const report = createReport({ atOnce: 1 });

const nested = (title, options, body) => report.check(title, () => inRepository(options, (folder) => inPlace((place) => body(folder, place), { codex: null })), { limitMs: 120_000 });

function assertGreen(result, count) {
  const red = result.tests.filter(({ status }) => status !== 'passed');
  assert.deepEqual(red.map(({ title, errors }) => [title, ...errors]), [], result.stdout + result.stderr);
  assert.equal(result.tests.length, count);
  assert.equal(result.code, 0, result.stderr);
  for (const { verdict, title } of result.tests) {
    assert.equal(verdict.result, 'passed');
    assert.equal(verdict.case.name, title.split(' › ')[0]);
    assert.deepEqual([verdict.launches.arrived, verdict.launches.refused], [1, 0]);
  }
}

// The backend still runs here; it has closed no session by itself.
const countStandIns = `import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
export default () => {
  const folder = process.env.PLAYHEAD_SHIM_FOLDER!;
  const arguments_ = readdirSync('/proc').flatMap((pid) => { try { return [readFileSync('/proc/' + pid + '/cmdline', 'utf8')]; } catch { return []; } });
  const arrivals = readFileSync(folder + '/arrivals.jsonl', 'utf8').trim().split('\\n').length;
  writeFileSync(process.env.COUNT_FILE!, JSON.stringify({ arrivals, left: arguments_.filter((text) => text.includes('stand-in-replay.cjs') && text.includes(folder)).length }));
};
`;

nested('four tests on two workers share one backend, and each gets its own tape', { teardown: countStandIns }, async (folder, place) => {
  const result = await playwright(folder, place, ['--repeat-each=2'], { COUNT_FILE: place.at('count.json') });
  assert.deepEqual(JSON.parse(readFileSync(place.at('count.json'), 'utf8')), { arrivals: 8, left: 0 }, 'the runner did not end the stand-ins of its tests');
  assertGreen(result, 8);
  for (const name of names) assert.equal(result.tests.filter(({ title }) => title === name).length, 2);
});

nested('a backend that starts codex in its own folder serves two tests at once', { ownFolder: true }, async (folder, place) => {
  assertGreen(await playwright(folder, place, ['--repeat-each=2']), 8);
});

nested('each shard runs its half of the cases', {}, async (folder, place) => {
  const first = await playwright(folder, place, ['--shard=1/2']);
  const second = await playwright(folder, place, ['--shard=2/2']);
  assertGreen(first, 2);
  assertGreen(second, 2);
  assert.deepEqual([...first.tests, ...second.tests].map(({ title }) => title).sort(), names);
});

nested('--list names one test for each case and cassette, and leaves nothing behind', { twoCassettes: true }, async (folder, place) => {
  const result = await playwright(folder, place, ['--list', '--reporter=list']);
  assert.equal(result.code, 0, result.stderr);
  const titles = result.stdout.split('\n').filter((line) => line.includes('.spec.ts')).map((line) => line.split(/\.spec\.ts:\d+:\d+ › /)[1]);
  assert.deepEqual(titles.sort(), ['chat-approve-command', 'chat-decline-command', 'chat-hello › again', 'chat-hello › main', 'chat-two-turns']);
  assert.match(result.stdout, /Total: 5 tests/);
});

// The page opens a session for a folder that no test has registered. A single registered test would get it (stand-in b7), so
// each of the two waits for the other: the stranger starts when both are there, and both stay until it was refused.
const stranger = (name) => `import { defineCase, expect } from 'playhead/playwright';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
const say = (what: string) => writeFileSync(process.env.MEETING! + '-' + what, '');
// Bounded by the test's own limit: how long the other one takes to start is not what is tested.
const heard = (what: string) => expect.poll(() => existsSync(process.env.MEETING! + '-' + what), { timeout: 0 }).toBe(true);
defineCase(import.meta.url, async ({ page, replay }) => {
  await page.goto('/?cwd=' + encodeURIComponent(replay.cwd));
  await expect(page.getByRole('status')).toHaveText('ready');
  replay.abandon('the other half of this test');
  ${name === 'chat-hello' ? `await heard('registered');
  mkdirSync(process.env.STRANGER!, { recursive: true });
  const answer = await page.request.post('/api/sessions', { data: { cwd: process.env.STRANGER } });
  const { id } = await answer.json();
  const events = await page.evaluate((session) => new Promise((resolve) => {
    const source = new EventSource('/api/sessions/' + session + '/events');
    source.onmessage = ({ data }) => /agent|error/.test(data) && (source.close(), resolve(data));
  }), id);
  say('refused');
  expect(events).toContain('exit code 71');` : `say('registered');
  await heard('refused');`}
});
`;

nested('a launch for a folder of no test is refused with 71 and fails one test', { spec: stranger }, async (folder, place) => {
  const result = await playwright(folder, place, ['--grep', 'chat-hello|chat-two-turns'], { STRANGER: place.at('stranger'), MEETING: place.at('meeting') });
  const red = result.tests.filter(({ status }) => status !== 'passed');
  assert.equal(result.code, 1, result.stdout);
  assert.equal(result.tests.length, 2, result.stdout);
  assert.deepEqual(red.map(({ verdict }) => verdict.fault?.code), ['launch_unregistered'], JSON.stringify(red.map(({ errors }) => errors)));
  assert.match(red[0].verdict.fault.message, /^Cannot start "codex" outside every registered project folder: /);
  assert.equal(existsSync(place.at('stranger')), true);
});

// After the last test nobody is left to ask but the main process.
const late = `
export default async () => {
  const at = 'http://127.0.0.1:' + process.env.BACKEND_PORT + '/api/sessions';
  const { id } = await (await fetch(at, { method: 'POST', body: JSON.stringify({ cwd: process.env.STRANGER }) })).json();
  const reader = (await fetch(at + '/' + id + '/events')).body!.pipeThrough(new TextDecoderStream()).getReader();
  for (let text = ''; !text.includes('exit code 71'); ) text += (await reader.read()).value ?? '';
};
`;

nested('a launch after the last test fails the run', { teardown: late }, async (folder, place) => {
  const result = await playwright(folder, place, ['--grep', 'chat-hello'], { STRANGER: place.work });
  assert.deepEqual(result.tests.map(({ status }) => status), ['passed'], result.stdout);
  assert.match(result.stderr, /outside every registered project folder: no test is running/);
  assert.match(result.stderr, /docs\/errors\.md#launch_unregistered/);
  assert.equal(result.code, 1);
});

await report.run();
