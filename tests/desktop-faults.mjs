/** Faults of a desktop case: each has its own code, place, next step and limit, and leaves no process, listener or folder behind. */

import assert from 'node:assert/strict';
import { existsSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { daemonRows, hangingDaemon, hungDaemon } from './desktop-faults/daemons.mjs';
import { expectHarmless, expectNothingDone, judgeNotes, notesHook, openTrap } from './desktop-faults/hostile.mjs';
import { damageState } from './desktop-faults/state.mjs';
import { createRepo } from './desktop-faults/repo.mjs';
import { expectFirstError, recordAlone, replayAlone, replayTogether, reportOf } from './desktop-faults/replay.mjs';
import { electronRows, expectUnready, hungWindow, killedWorker, lostRows, unreadyRows } from './desktop-faults/windows.mjs';
import { expectDivergence, expectFault, expectPassed } from './faults/expect.mjs';
import { inPlace, root } from './faults/place.mjs';
import { createReport } from './faults/report.mjs';

const limitMs = 300_000;
// Shorter than the twenty seconds of a real run; a loaded machine needs some of it for a window that is as it should be.
const windowMs = 4_000;
// As in `src/core/limits.ts`: a daemon and a window that were asked to end, until they are killed.
const stopMs = 5_000;
const windowStopMs = 2_000;
// Until it is given up: quiet frames, a moment more, and the picture itself.
const pictureMs = 6_500;
// Browser and daemon until the replay begins, and before them a command line with its Playwright, on a machine that others work on too.
const bootMs = 10_000;
const cliMs = 20_000;
const repo = createRepo('desktop-faults');
const report = createReport();
const electron = path.join(root, 'tools/electron/dist/electron');
const hasElectron = existsSync(electron);
const check = (title, body, options = {}) => report.check(title, (...given) => inPlace(body, { codex: null }).then(() => given), { limitMs, ...options });

checkTogether('in one run', [...daemonRows, ...lostRows]);
checkTogether('with a short limit', unreadyRows.map((row) => ({ ...row, judge: expectUnreadyInTime })), { PLAYHEAD_WINDOW_MS: String(windowMs) });
if (hasElectron) checkTogether('on Electron', [...electronRows, { ...unreadyRows[0], name: 'electron-no-bridge', judge: expectUnreadyInTime }], { PLAYHEAD_SURFACE: 'electron', PLAYHEAD_WINDOW_MS: String(windowMs) });
checkDaemonsAlone();
checkHungWindow();
checkFaultsAlone();
checkRefusals();
checkNoDisplay();
checkRecordings();
checkKilledWorkers();
checkHostile();
repo.seal();
await report.run();

// One run of Playwright for all of them: a fault must not reach the test beside it either.
function checkTogether(title, rows, env = {}) {
  for (const row of rows) repo.addRow(row);
  check(`${title}: ${rows.map(({ name }) => name).join(', ')}`, async (place) => {
    const resultOf = await replayTogether(repo, place, { names: rows.map(({ name }) => name), env });
    const failures = rows.flatMap(({ name, title: what, judge }) => {
      try {
        const result = resultOf(name);
        judge(result);
        expectFirstError(result);
        return [];
      } catch (error) {
        return [`${name} (${what}): ${error.message.slice(0, 600)}`];
      }
    });
    assert.equal(failures.join('\n\n'), '');
  });
}

function expectUnreadyInTime(result) {
  expectUnready(result, { windowMs, withinMs: bootMs + windowMs + windowStopMs + stopMs });
}

function checkDaemonsAlone() {
  for (const row of [hangingDaemon, hungDaemon]) repo.addRow(row);
  check('a daemon that gives no address, and hears no signal, is given up and killed', async (place) => {
    const result = await replayAlone(repo, place, { name: hangingDaemon.name, env: { PLAYHEAD_START_MS: '1000' } });
    expectFault(result, { code: 'product_start_timeout', exitCode: 3, message: /no address within 1000 ms/, withinMs: cliMs + bootMs + 1_000 + stopMs });
    expectFirstError(result);
  });
  check('the command line ends with 1 where the daemon ends in mid-replay', async (place) => {
    const result = await replayAlone(repo, place, { name: 'daemon-ends' });
    expectDivergence(result, { layer: 'transport', code: 'product_ended', withinMs: cliMs + bootMs + windowStopMs });
    expectFirstError(result);
  });
  check('a daemon that hangs in mid-turn has ended for whoever waits for it, and is killed', async (place) => {
    const stallMs = 1_500;
    const resultOf = await replayTogether(repo, place, { names: [hungDaemon.name], env: { PLAYHEAD_STALL_MS: String(stallMs) } });
    const result = resultOf(hungDaemon.name);
    // Behind the stall limit: what the daemon is asked has a second each, and its stop is not heard.
    const withinMs = bootMs + stallMs + 3 * 1_000 + stopMs + windowStopMs;
    expectDivergence(result, { layer: 'transport', code: 'product_ended', message: /awaited was: /, withinMs });
    assert.ok(result.verdict.durationMs < withinMs, `it took ${result.verdict.durationMs} ms to its end`);
    const left = readdirSync(path.join(place.temp, 'results'), { recursive: true }).filter((entry) => path.basename(entry) === 'verdict.json');
    assert.equal(left.length, 1, 'verdict.json was not written');
    expectFirstError(result);
  });
}

function checkHungWindow() {
  repo.addRow(hungWindow);
  for (const surface of hasElectron ? ['chromium', 'electron'] : ['chromium'])
    check(`a window that hangs in mid-turn gives no answer, and is ended (${surface})`, async (place) => {
      const stallMs = 1_500;
      const resultOf = await replayTogether(repo, place, { names: [hungWindow.name], env: { PLAYHEAD_SURFACE: surface, PLAYHEAD_STALL_MS: String(stallMs) } });
      const result = resultOf(hungWindow.name);
      // Its picture is tried at the checkpoint and for the divergence.
      const withinMs = bootMs + stallMs + 2 * pictureMs + 3 * 1_000 + stopMs + windowStopMs;
      expectDivergence(result, { layer: 'state', code: 'not_shown', message: /the window gives no answer/, withinMs });
      expectFirstError(result);
    });
}

// Each class of codes once as the command line ends with it; the runs above have no exit code.
function checkFaultsAlone() {
  const rows = [...daemonRows, ...lostRows, ...(hasElectron ? electronRows : [])];
  const surfaceOf = { 'electron-absent': 'electron' };
  for (const name of ['database-corrupt', 'window-closes', ...(hasElectron ? ['electron-absent'] : [])]) {
    const { title, judge } = rows.find((row) => row.name === name);
    check(`the command line ends with 3: ${title}`, async (place) => {
      const result = await replayAlone(repo, place, { name, env: { PLAYHEAD_SURFACE: surfaceOf[name] ?? 'chromium' } });
      judge(result, { exitCode: 3, withinMs: cliMs + bootMs + windowStopMs + stopMs });
      expectFirstError(result);
    });
  }
}

function checkRefusals() {
  repo.addCase({ name: 'no-such-product', product: 'elsewhere' });
  repo.addCase({ name: 'no-bridge', product: 'chat-node' });
  repo.addCase({
    name: 'tape-alone',
    edit({ folder, described }) {
      const cassette = path.join(folder, 'cassettes/main');
      for (const entry of readdirSync(cassette)) if (entry !== 'provider') rmSync(path.join(cassette, entry), { recursive: true });
      described.cassettes[0].manifestSha256 = repo.hashOf(path.join(cassette, 'provider/manifest.json'));
    },
  });
  const rows = [
    ['a product that the configuration does not have', 'no-such-product', { code: 'product_unknown', message: /"elsewhere"/ }],
    ['a case with an activity lane whose product has no bridge', 'no-bridge', { code: 'bridge_missing', message: /product "chat-node" has no bridge/ }],
    ['a tape alone where an activity lane is needed', 'tape-alone', { code: 'case_invalid', message: /a tape alone/ }],
  ];
  for (const [title, name, expected] of rows)
    check(`${title} is refused`, async (place) => {
      const result = await replayAlone(repo, place, { name });
      expectFault(result, { exitCode: 2, withinMs: cliMs + bootMs, ...expected });
      expectFirstError(result);
    });
}

function checkNoDisplay() {
  repo.addCase({ name: 'no-display' });
  if (hasElectron)
    check('without DISPLAY and without Xvfb there is no display', async (place) => {
      for (const name of ['git', 'sh']) symlinkSync(['/usr/bin', '/bin'].map((folder) => path.join(folder, name)).find(existsSync), place.at('bin', name));
      const result = await replayAlone(repo, place, { name: 'no-display', env: { PLAYHEAD_SURFACE: 'electron', DISPLAY: '', PATH: `${place.at('bin')}:${path.dirname(process.execPath)}` } });
      expectFault(result, { code: 'no_display', exitCode: 3, message: /DISPLAY is empty and "Xvfb" could not be run \(ENOENT\)/, withinMs: cliMs + bootMs + stopMs });
      expectFirstError(result);
    });
}

function checkRecordings() {
  const model = { schemaVersion: 1, replies: [{ prompt: 'Say hello', steps: [{ text: ['Hello', { hold: 'never' }, ' there'] }] }] };
  const scenario = (end) => `import { deskOf } from '../lib/desk.ts';\nexport default { id: 'x', async drive({ page, expect, model }) { const desk = deskOf(page, expect); await desk.send('Say hello'); await desk.says('Hello'); ${end} } };\n`;
  repo.addCase({ name: 'record-throws', isRecorded: false, model, scenario: scenario("throw new Error('the scenario gives up');") });
  repo.addCase({ name: 'record-unsettled', isRecorded: false, model, scenario: scenario('') });
  const left = (name) => assert.ok(!existsSync(path.join(repo.caseFolder(name), 'cassettes')), 'a cassette was left');
  if (!existsSync(path.join(root, 'tools/providers/node_modules/@openai/codex'))) return;
  check('a scenario that throws in record mode leaves no cassette', async (place) => {
    const result = await recordAlone(repo, place, { name: 'record-throws' });
    const { error } = result.document;
    assert.deepEqual([result.code, error?.code], [1, 'scenario_failed'], `${result.stdout}\n${result.stderr}`);
    assert.match(error.message, /the scenario gives up/);
    assert.ok(error.next.length > 0);
    left('record-throws');
  });
  check('a session that never settles is not sealed, and says so first', async (place) => {
    const result = await recordAlone(repo, place, { name: 'record-unsettled' });
    const { error } = result.document;
    assert.deepEqual([result.code, error?.code], [3, 'recording_unsettled'], `${result.stdout}\n${result.stderr}`);
    assert.match(error.message, /turn ".*" is running/);
    left('record-unsettled');
  });
}

function checkKilledWorkers() {
  repo.addCase({ name: 'killed-worker', inspect: killedWorker });
  for (const surface of hasElectron ? ['chromium', 'electron'] : ['chromium'])
    check(`a worker that is killed in mid-replay on ${surface} leaves nothing behind`, async (place) => {
      const result = await replayAlone(repo, place, { name: 'killed-worker', env: { PLAYHEAD_SURFACE: surface } });
      assert.equal(result.code, 1, result.stdout);
      assert.match(result.stderr, /worker process exited unexpectedly/);
    });
}

function checkHostile() {
  const base = path.join(root, 'fixtures/hostile/case');
  repo.addCase({ name: 'hostile', from: base, inspect: notesHook });
  repo.addCase({ name: 'hostile-red', from: base, edit: ({ folder, described }) => damageState(folder, described) });
  const surfaces = hasElectron ? ['chromium', 'electron'] : ['chromium'];
  check(`the hostile cassette reaches nothing (${surfaces.join(', ')})`, async (place) => {
    const trap = await openTrap();
    try {
      for (const surface of surfaces) {
        const notes = place.at(`${surface}.jsonl`);
        writeFileSync(notes, '');
        // Below the limit of a test: a window that stands still says what it waited for.
        const result = await replayAlone(repo, place, { name: 'hostile', env: { PLAYHEAD_SURFACE: surface, HOSTILE_NOTES: notes, PLAYHEAD_STALL_MS: '15000' } });
        expectPassed(result);
        judgeNotes(notes);
        expectNothingDone({ notesFile: notes, folders: [place.path, repo.path], verdict: result.verdict });
      }
      assert.deepEqual(trap.hits, []);
    } finally {
      await trap.close();
    }
  });
  check('what a hostile text is printed into obeys nothing of it', async (place) => {
    const { screen, divergence, html, markdown } = await reportOf(repo, place, 'hostile-red');
    assert.match(divergence.path, /messages\[.*\]\.payload\.text/);
    assert.equal(divergence.code, 'state_diff');
    expectHarmless(screen, 'the screen of Playwright');
    for (const text of html) expectHarmless(text, 'the HTML report');
    for (const text of markdown) expectHarmless(text, 'Markdown');
    const { code, stdout, stderr } = await replayAlone(repo, place, { name: 'hostile-red', isForPeople: true });
    assert.equal(code, 1);
    expectHarmless(stdout, 'stdout');
    expectHarmless(stderr, 'stderr');
  });
}
