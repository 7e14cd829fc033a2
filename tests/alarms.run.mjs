// The alarm and the silence of the Playwright face: damaged products and damaged tapes are red with the right code, place
// and time, harmless changes are green. Every case is a copy of a committed one; nothing is recorded and nothing retried.
// Words on the command line choose alarms by title: `node tests/alarms.run.mjs killed`.
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { realCodex } from '../scripts/real-codex.mjs';
import { createCasesRepo } from './alarms/cases-repo.mjs';
import { assertGreen, assertRed, describeVerdict, paceOf } from './alarms/judge.mjs';
import { runPlaywright } from './alarms/nested-run.mjs';
import { changes, slowerSend } from './alarms/patches.mjs';
import { productDamages } from './alarms/product-damages.mjs';
import { otherText, tapeDamages } from './alarms/tape-damages.mjs';
import { createChecks } from './lib/checks.mjs';
import { root } from './lib/run.mjs';

// Shorter than the 5000 of a real run, so that what waits for nothing waits less; "default limit" below keeps the 5000.
const stallMs = 1_500;
const defaultStallMs = 5_000;
const approve = 'chat-approve-command';
const rehashed = 'cassette/manifest_sha256_mismatch at provider/manifest.json:1, $';

mkdirSync(join(root, '.cache'), { recursive: true });
const folder = mkdtempSync(join(root, '.cache/alarms-'));
const outside = mkdtempSync(join(tmpdir(), 'alarms-'));
process.once('exit', removeFolders);
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(130));

const noteFile = join(folder, 'outside-codex.txt');
const repo = createCasesRepo(folder);
const alarms = [...productAlarms(), ...tapeAlarms(), ...textAlarms(), ...harmlessChanges(), ...otherBackend(), ...otherFolder()].filter(isChosen);
for (const one of new Map(alarms.flatMap((alarm) => alarm.cases).map((one) => [one.name, one])).values()) repo.addCase(one);
repo.seal({ projects: { alarms: {}, python: { replayProduct: 'chat-python' }, deeper: {} } });

const { check, end } = createChecks('alarms');
const tests = new Map();
await play('first', ['alarms', 'python'], { PLAYHEAD_STALL_MS: String(stallMs) });
// A second run, where everything temporary lies four folders deeper with a space in the path and the stall limit is the default.
const deeper = join(outside, 'a b/c/d/e');
mkdirSync(deeper, { recursive: true });
await play('second', ['deeper'], { TMPDIR: deeper });
const paceMs = paceOf([...tests.values()]);

for (const { title, cases, judge } of alarms)
  await check(title, () => {
    for (const { name } of cases) assert.ok(tests.has(name), `"${name}" did not run`);
    judge((name) => tests.get(name));
  });
await check('no test ran that no alarm asked for', () => {
  const asked = new Set(alarms.flatMap((alarm) => alarm.cases.map(({ name }) => name)));
  assert.deepEqual([...tests.keys()].filter((name) => !asked.has(name)), []);
});
end();

function productAlarms() {
  const rows = productDamages(repo.addOutsideProgram({ real: installedCodex(), noteFile }));
  return rows.map(({ name, base, spec = null, goodSpec = spec, patch, ...row }) => ({
    title: `product: ${name} is ${row.expected}`,
    cases: [
      { group: 'alarms', name: `${name}-good`, base, spec: goodSpec, product: repo.addProduct({ name: `${name}-good`, swaps: patch, isApplied: false }) },
      { group: 'alarms', name: `${name}-bad`, base, spec, isRed: true, product: repo.addProduct({ name: `${name}-bad`, swaps: patch }) },
    ],
    judge(of) {
      assertGreen(of(`${name}-good`));
      assertRed(of(`${name}-bad`), { ...row, stallMs, paceMs });
      if (name === 'absolute-path') assertEmptyHome();
    },
  }));
}

// What the program outside PATH has noted: the stand-in's folder as home, and nothing in it.
function assertEmptyHome() {
  const [codexHome, home, ...found] = readFileSync(noteFile, 'utf8').trimEnd().split('\n');
  assert.equal(codexHome, home);
  assert.match(home, /\/playhead-[^/]+\//);
  assert.deepEqual(found, []);
}

function tapeAlarms() {
  const undamaged = [...new Set(tapeDamages.map((row) => row.base))].map((base) => ({
    title: `tape: ${base} undamaged is written byte for byte, and green`,
    cases: [{ group: 'alarms', name: `tape-${base}-good`, base, tape: {} }],
    judge(of) {
      assert.ok(repo.isFaithful(base), 'the writer of these tests changes what it was not asked to');
      assertGreen(of(`tape-${base}-good`));
    },
  }));
  const damaged = tapeDamages.flatMap(({ name, base, spec = null, how, ...row }) => {
    const good = { group: 'alarms', name: `tape-${spec ?? base}-good`, base, spec, tape: {} };
    return [
      {
        title: `tape: ${name}, re-hashed only, is ${rehashed}`,
        cases: [{ group: 'alarms', name: `${name}-rehashed`, base, tape: how, isPinned: false, isRed: true }],
        judge: (of) => assertRed(of(`${name}-rehashed`), { expected: rehashed, stallMs, paceMs }),
      },
      {
        title: `tape: ${name}, re-pinned, is ${row.expected}`,
        cases: [good, { group: 'alarms', name: `${name}-bad`, base, spec, tape: how, isRed: true }],
        judge(of) {
          assertGreen(of(good.name));
          assertRed(of(`${name}-bad`), { ...row, stallMs, paceMs });
        },
      },
    ];
  });
  return [...undamaged, ...damaged];
}

/** Changed inbound text is what the replay plays, not what it judges: that is the spec's (stand-in b23). */
function textAlarms() {
  const { base, how } = otherText;
  const asserted = { group: 'alarms', name: 'text-changed-asserted', base, tape: how, isRed: true };
  const unasserted = { group: 'alarms', name: 'text-changed-unasserted', base, tape: how, spec: 'no-text' };
  const unpinned = { group: 'alarms', name: 'text-changed-rehashed', base, tape: how, isPinned: false, isRed: true };
  return [
    { title: `tape: text-changed, re-hashed only, is ${rehashed}`, cases: [unpinned], judge: (of) => assertRed(of(unpinned.name), { expected: rehashed, stallMs, paceMs }) },
    {
      title: 'tape: text-changed, re-pinned, is red by the assertion of a spec that has one',
      cases: [asserted],
      judge(of) {
        const { verdict, status, errors } = of(asserted.name);
        assert.deepEqual([describeVerdict(verdict), status, errors.length], ['passed', 'failed', 1]);
        assert.match(errors[0], /toContainText[\s\S]*The release note is in a drawer\./);
      },
    },
    { title: 'tape: text-changed, re-pinned, is green for a spec that asserts no text', cases: [unasserted], judge: (of) => assertGreen(of(unasserted.name)) },
  ];
}

function harmlessChanges() {
  const home = join(folder, 'elsewhere');
  mkdirSync(home);
  const rows = [
    ...Object.entries(changes).map(([name, swaps]) => ({ name, swaps })),
    // A target without a natural stop is armed in time here, which the committed spec does not expect.
    { name: 'slower-send', base: 'chat-cancel', spec: 'cancel', swaps: slowerSend },
    { name: 'other-home', env: { HOME: home } },
    { name: 'other-time-zone', env: { TZ: 'Asia/Tokyo' } },
    { name: 'other-language', env: { LC_ALL: 'tr_TR.UTF-8', LANG: 'tr_TR.UTF-8' } },
    { name: 'other-user', env: { USER: 'somebody', LOGNAME: 'somebody' } },
  ];
  return rows.map((row) => ({
    title: `harmless: ${row.name} stays green`,
    cases: [{ group: 'alarms', name: row.name, base: row.base ?? approve, spec: row.spec ?? null, product: repo.addProduct(row) }],
    judge: (of) => assertGreen(of(row.name)),
  }));
}

function otherBackend() {
  return committedChats().map((base) => ({
    title: `harmless: chat-python in place of chat-node replays ${base}`,
    cases: [{ group: 'python', name: `python-${base}`, base, spec: base === 'chat-cancel' ? 'cancel' : null }],
    judge(of) {
      assertGreen(of(`python-${base}`));
      assert.equal(of(`python-${base}`).verdict.product.name, 'chat-python');
    },
  }));
}

function committedChats() {
  return readdirSync(join(root, 'cases')).filter((name) => {
    const file = join(root, 'cases', name, 'case.json');
    const described = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
    return described.product === 'chat-node';
  });
}

function otherFolder() {
  const { name, base, spec, patch: swaps, ...row } = productDamages('').find((damage) => damage.name === 'approval-dropped');
  return [
    ...['chat-agents-md', approve, 'chat-file-change'].map((moved) => ({
      title: `harmless: ${moved} in a deeper folder with a space stays green`,
      cases: [{ group: 'deeper', name: `deeper-${moved}`, base: moved }],
      judge: (of) => assertGreen(of(`deeper-${moved}`)),
    })),
    {
      // Not declared red, so that one test fails as a user's does.
      title: `product: ${name} under the default limit is ${row.expected} within 6 s`,
      cases: [{ group: 'deeper', name: 'default-limit', base, spec, product: repo.addProduct({ name: 'default-limit', swaps }) }],
      judge: (of) => assertRed(of('default-limit'), { ...row, stallMs: defaultStallMs, paceMs }),
    },
  ];
}

async function play(name, projects, env) {
  const groups = projects.filter((project) => existsSync(join(folder, project)));
  if (groups.length === 0) return;
  const run = await runPlaywright({ folder, name, projects: groups, env });
  if (run.tests.size === 0) console.log(run.output);
  for (const [title, test] of run.tests) {
    tests.set(title, test);
    if (process.env.ALARMS_SHOW) console.log([title, test.status, Math.round(test.durationMs), Math.round(test.verdict?.detectedAtMs ?? -1), describeVerdict(test.verdict)].join(' '));
  }
}

function isChosen({ title }) {
  const words = process.argv.slice(2);
  return words.length === 0 || words.some((word) => title.includes(word));
}

function installedCodex() {
  try {
    return realCodex();
  } catch {
    return null; // Set up without --all: a program of ours stands in.
  }
}

function removeFolders() {
  for (const path of [folder, outside]) rmSync(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
}
