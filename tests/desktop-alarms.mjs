// The alarm and the silence of the desktop: each damage of the product is red with the right layer, code, place, path and time
// after a green replay of the undamaged one, and harmless changes stay green. Cases are copies of committed ones; nothing is
// recorded and nothing retried. Words on the command line choose by title: `npm run alarms -- window-`.
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { createCasesRepo } from './alarms/cases-repo.mjs';
import { assertGreen, assertRed, describeVerdict, paceOf } from './alarms/judge.mjs';
import { runPlaywright } from './alarms/nested-run.mjs';
import { desktopDamages } from './desktop-alarms/damages.mjs';
import { createDesktopCopies } from './desktop-alarms/desktop-copies.mjs';
import { harmlessChanges } from './desktop-alarms/harmless.mjs';
import { createChecks } from './lib/checks.mjs';
import { root } from './lib/run.mjs';

// Shorter than the 5000 of a real run, so that what waits for nothing waits less; harmless changes have those 5000.
const stallMs = 1_500;
// Beyond everything seen on a machine that others work on too; a quiet one needs a tenth.
const testMs = 120_000;
const limitMs = 1_200_000;
const electronDamages = ['approval-inverted', 'window-no-card', 'inspect-answers'];
const electronChanges = ['slower-store', 'small-window'];
// What an undamaged replay takes on two cores of its own, its start and its pictures included.
const quietMs = { chromium: 2_500, electron: 5_000 };
const layers = ['cassette', 'effect', 'protocol', 'transport', 'state'];

mkdirSync(join(root, '.cache'), { recursive: true });
const folder = mkdtempSync(join(root, '.cache/desktop-alarms-'));
const outside = mkdtempSync(join(tmpdir(), 'desktop-alarms-'));
process.once('exit', () => [folder, outside].forEach((path) => rmSync(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 })));
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(130));

const repo = createCasesRepo(folder);
const copies = createDesktopCopies(join(folder, 'desktops'));
const products = new Map();
const plain = addDesktop({ name: 'undamaged' });

const hasElectron = existsSync(join(root, 'tools/electron/dist/electron'));
const alarms = [...damages('chromium'), ...changes('harmless'), ...elsewhere(), ...(hasElectron ? [...damages('electron', electronDamages), ...changes('electron', electronChanges)] : [])].filter(isChosen);
for (const one of new Map(alarms.flatMap(({ cases }) => cases).map((one) => [one.name, one])).values()) repo.addCase(one);
repo.seal({ projects: { chromium: {}, harmless: {}, elsewhere: {}, electron: {} }, more: { timeout: testMs } });

const { check, end } = createChecks('desktop-alarms');
const tests = new Map();
const env = { PLAYHEAD_STALL_MS: String(stallMs) };
await play('chromium', ['chromium'], { ...env, PLAYHEAD_SURFACE: 'chromium' });
await play('harmless', ['harmless'], { PLAYHEAD_SURFACE: 'chromium' });
// Everything temporary lies four folders deeper with spaces in the path, and the person has another home.
const [deeper, home] = ['a b/c d/e/f', 'home'].map((path) => join(outside, path));
for (const path of [deeper, home]) mkdirSync(path, { recursive: true });
await play('elsewhere', ['elsewhere'], { PLAYHEAD_SURFACE: 'chromium', TMPDIR: deeper, HOME: home });
await play('electron', ['electron'], { ...env, PLAYHEAD_SURFACE: 'electron' });
const paces = Object.fromEntries(Object.keys(quietMs).map((group) => [group, { quietMs: quietMs[group], paceMs: paceOf([...tests.values()].filter(({ title }) => title.startsWith(group))) }]));

for (const { title, cases, judge } of alarms)
  await check(title, () => {
    for (const { name } of cases) assert.ok(tests.has(name), `"${name}" did not run`);
    judge((name) => tests.get(name));
  });
end();

function damages(group, names = null) {
  const rows = desktopDamages.filter(({ name }) => !names || names.includes(name));
  return rows.map(({ name, base, swaps, files, ...row }) => {
    const good = undamaged(group, base);
    const product = swaps ? addDesktop({ name, swaps }) : plain;
    const bad = { group, name: `${group}-${name}`, base, product, files, isRed: true };
    return {
      title: `${group}: ${name} is ${row.expected}`,
      cases: [good, bad],
      judge(of) {
        assertGreen(of(good.name), { layers });
        assertRed(of(bad.name), { ...row, stallMs, since: 'moved', ...paces[group] });
      },
    };
  });
}

function changes(group, names = null) {
  const rows = harmlessChanges.filter(({ name }) => !names || names.includes(name));
  return rows.map(({ name, base, use, ...product }) => {
    const changed = { group, name: `${group}-${name}`, base, product: addDesktop({ name, ...product }), use };
    return { title: `${group}: ${name} stays green`, cases: [changed], judge: (of) => assertGreen(of(changed.name), { layers }) };
  });
}

function elsewhere() {
  return ['desktop-approve-command', 'desktop-file-change'].map((base) => {
    const moved = undamaged('elsewhere', base);
    return { title: `elsewhere: ${base} in folders with spaces and with another home stays green`, cases: [moved], judge: (of) => assertGreen(of(moved.name), { layers }) };
  });
}

function undamaged(group, base) {
  return { group, name: `${group}-${basename(base)}`, base, product: plain };
}

function addDesktop({ name, swaps, renames, ...options }) {
  if (products.has(name)) return products.get(name);
  const product = { ...options, folder: copies.make({ name, swaps, renames }) };
  const key = repo.addModule(`desktop-${name}`, `import { createDesktop } from 'playhead/desktop';\nexport default createDesktop(${JSON.stringify(product)});\n`);
  products.set(name, key);
  return key;
}

async function play(name, projects, env) {
  const groups = projects.filter((project) => existsSync(join(folder, project)));
  if (groups.length === 0) return;
  const run = await runPlaywright({ folder, name, projects: groups, env, limitMs });
  if (run.tests.size === 0) console.log(run.output);
  for (const [title, test] of run.tests) {
    tests.set(title, test);
    if (process.env.ALARMS_SHOW) console.log([title, test.status, Math.round(test.durationMs), Math.round(test.verdict?.detectedAtMs ?? -1), describeVerdict(test.verdict), process.env.ALARMS_SHOW === '2' ? test.errors[0] : ''].join(' | '));
  }
}

function isChosen({ title }) {
  const words = process.argv.slice(2);
  return words.length === 0 || words.some((word) => title.includes(word));
}
