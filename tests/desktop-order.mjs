// The order of the two lanes (desktop-order): cases whose order is delicate stay green with nothing but their last checkpoint to
// lead them, with a store that is slow, with a window that lags, and with everything on one core. Nothing is retried. Words on
// the command line choose variants by name.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createCasesRepo } from './alarms/cases-repo.mjs';
import { assertGreen, describeVerdict } from './alarms/judge.mjs';
import { runPlaywright } from './alarms/nested-run.mjs';
import { createDesktopCopies } from './desktop-alarms/desktop-copies.mjs';
import { createChecks } from './lib/checks.mjs';
import { root, run } from './lib/run.mjs';
import { keepLastCheckpoint, reducePlan, stopsOf } from './desktop/reduce-plan.mjs';

const layers = ['cassette', 'effect', 'protocol', 'transport', 'state'];
const cases = { approve: 'desktop-approve-command', cancel: 'desktop-cancel', 'two-turns': 'desktop-two-turns', fast: '../fixtures/desktop/fast', late: '../fixtures/desktop/late' };
const slowStore = { part: 'daemon', text: 'sql.exec("begin immediate");', by: 'for (const untilMs = performance.now() + 6; performance.now() < untilMs; );\n\t\tsql.exec("begin immediate");' };
// One message after the other, each 60 ms after the one before it or later.
const laggingWindow = {
  part: 'window',
  text: 'onEvent: (event) => engine.dispatch(',
  by: 'onEvent: (event) => ((intent) => void (globalThis.lagging = (globalThis.lagging ?? Promise.resolve()).then(() => new Promise((go) => setTimeout(go, 60))).then(() => engine.dispatch(intent))))(',
};
// Each unit takes its time, and everything else can come in between.
const slowLanes = { part: 'daemon', text: 'while (this.isHeld(connectionId) &&', by: 'await new Promise((go) => setTimeout(go, 20));\n\t\twhile (this.isHeld(connectionId) &&' };
// Commands that begin when they come: the stop is there before the turn has ended.
const noWait = { part: 'daemon', text: 'while (!this.#mayBegin(event)) {', by: 'while (false) {' };
const unordered = [{ short: 'late', name: 'no-wait', says: 'where commands do not wait for their place', swaps: [noWait, slowLanes], expected: /^protocol\/outbound_extra/ }];
const variants = [
  { group: 'together', name: 'last-checkpoint', says: 'with its plan reduced to its last checkpoint', edit: keepLastCheckpoint },
  { group: 'together', name: 'slow-store', says: 'with 6 ms more in each transaction', swaps: [slowStore] },
  { group: 'together', name: 'lagging-window', says: 'with a window that takes in a message each 60 ms', swaps: [laggingWindow] },
  { group: 'together', name: 'slow-lanes', says: 'with 20 ms between a unit and the next', swaps: [slowLanes] },
  { group: 'together', name: 'all-at-once', says: 'with its plan reduced, a slow store and a lagging window', edit: keepLastCheckpoint, swaps: [slowStore, laggingWindow] },
  { group: 'one-core', name: 'one-core', says: 'on one core' },
];

mkdirSync(join(root, '.cache'), { recursive: true });
const folder = mkdtempSync(join(root, '.cache/desktop-order-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 }));
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(130));

const copies = createDesktopCopies(join(folder, 'desktops'));
const repo = createCasesRepo(folder);
for (const variant of variants.filter(isChosen)) {
  const product = addDesktop(variant);
  for (const short of Object.keys(cases)) addCase({ ...variant, short, product });
}
for (const variant of unordered.filter(isChosen)) addCase({ ...variant, group: 'together', product: addDesktop(variant), isRed: true });
repo.seal({ projects: { together: {}, 'one-core': {} }, more: { timeout: 120_000 } });

const { check, end } = createChecks('desktop-order');
const env = { PLAYHEAD_SURFACE: 'chromium' };
const tests = new Map((await runPlaywright({ folder, name: 'together', projects: ['together'], env })).tests);
// From here on everything that we start has the first core alone.
const isPinned = (await run(['taskset', '-cp', '0', String(process.pid)]).catch(() => ({ code: 1 }))).code === 0;
if (isPinned) for (const [title, test] of (await runPlaywright({ folder, name: 'one-core', projects: ['one-core'], env })).tests) tests.set(title, test);

for (const { group, name, says, edit } of variants.filter(isChosen)) {
  if (group === 'one-core' && !isPinned) {
    console.log(`  – skipped, ${Object.keys(cases).length} cases ${says}: "taskset" could not be run`);
    continue;
  }
  for (const short of Object.keys(cases))
    await check(`${short} is green ${says}`, () => {
      const test = tests.get(`${short}-${name}`);
      assertGreen(test, { layers });
      const planned = stopsOf(join(root, 'cases', cases[short]));
      assert.deepEqual(test.verdict.checkpoints.map((checkpoint) => checkpoint.kind), edit ? [planned[0], planned.at(-1)] : planned);
    });
}
for (const { short, name, says, expected } of unordered.filter(isChosen))
  await check(`${short} is red ${says}`, () => {
    const test = tests.get(`${short}-${name}`);
    assert.match(describeVerdict(test?.verdict), expected);
    assert.equal(test.status, 'failed');
  });
end();

function isChosen({ name }) {
  const words = process.argv.slice(2);
  return words.length === 0 || words.includes(name);
}

function addDesktop({ name, swaps = [] }) {
  return repo.addModule(`desktop-${name}`, `import { createDesktop } from 'playhead/desktop';\nexport default createDesktop({ folder: ${JSON.stringify(copies.make({ name, swaps }))} });\n`);
}

function addCase({ group, name, short, product, edit, isRed = false }) {
  const own = `${short}-${name}`;
  repo.addCase({ group, name: own, base: cases[short], product, isRed });
  if (edit) reducePlan(join(folder, group, own), edit);
}
