// Cassettes of the desktop: what a verdict says it has checked is what the cassette holds; content damaged on any of the five
// layers, hashed again, is red with layer, code, place and path; one changed byte is red before anything starts. Every case is a
// copy of a committed one, and nothing is recorded. Words on the command line choose by title.
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { assertGreen, describeVerdict } from './alarms/judge.mjs';
import { runPlaywright } from './alarms/nested-run.mjs';
import { cassetteOf, committed, createDesktopRepo } from './desktop-cassettes/cases-repo.mjs';
import { filesBelow, readCassette, refreshFingerprints, writeCassette } from './desktop-cassettes/cassette.mjs';
import { countCassette } from './desktop-cassettes/count.mjs';
import { damages, harmless } from './desktop-cassettes/damages.mjs';
import { changeFile, listFlips, seed, writeFlipped } from './desktop-cassettes/flips.mjs';
import { createChecks } from './lib/checks.mjs';
import { root, run } from './lib/run.mjs';

const layers = ['cassette', 'effect', 'protocol', 'transport', 'state'];
const bases = readdirSync(join(root, 'cases')).filter((name) => name.startsWith('desktop-'));
// Shorter than the 5000 of a real run, so that what waits for nothing waits less.
const stallMs = 3_000;
// Of a message, without white space.
const comparedLength = 80;
// Refused by its hash: which byte, and what the first issue is.
const refusals = [
  { name: 'frames-flipped', file: 'provider/frames.jsonl', change: raiseByte(/"elapsedMs":\d+/), expected: 'cassette/frames_sha256_mismatch at provider/frames.jsonl:1' },
  { name: 'state-flipped', file: 'expected-state.json', change: raiseByte(/Say hello/), expected: 'cassette/file_sha256_mismatch at expected-state.json:1' },
  { name: 'manifest-flipped', file: 'cassette.json', change: (bytes) => Buffer.concat([bytes, Buffer.from('\n')]), expected: 'cassette/manifest_sha256_mismatch at cassette.json:1, $' },
];

mkdirSync(join(root, '.cache'), { recursive: true });
const folder = mkdtempSync(join(root, '.cache/desktop-cassettes-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 }));
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(130));

const { check, end } = createChecks('desktop-cassettes');
const titleOf = ({ name, expected }) => `${name}, hashed and pinned again, is ${expected}`;
const chosen = damages.filter((damage) => isChosen(titleOf(damage)));

await check('the writer of these tests gives every committed cassette back, byte for byte', checkWriter);
if (isChosen('one changed byte')) await checkFlips();
const repo = createDesktopRepo(folder);
const tests = await play();

for (const base of bases) if (isChosen(`${base} undamaged`)) await check(`${base} undamaged is green, and its verdict has checked what it holds`, () => checkGreen(base, committed(base)));
for (const { name } of harmless) if (isChosen(name)) await check(`${name} is green, and counted`, () => checkGreen(name, join(folder, 'run', name)));
for (const damage of chosen)
  await check(titleOf(damage), () => {
    assert.equal(tests.get(damage.base)?.verdict?.result, 'passed', `${damage.base} undamaged`);
    checkRed(tests.get(damage.name), damage.expected);
  });
for (const { name, expected } of refusals) if (isChosen(name)) await check(`${name} is ${expected}, before its product is so much as loaded`, () => checkRefused(name, expected));
end();

function checkWriter() {
  for (const base of bases) {
    const from = cassetteOf(committed(base));
    const to = join(folder, 'faithful', base);
    writeCassette(to, readCassette(from), ({ plan }) => refreshFingerprints(plan));
    assert.deepEqual(filesBelow(to), filesBelow(from));
    for (const file of filesBelow(from)) assert.ok(readFileSync(join(from, file)).equals(readFileSync(join(to, file))), `${base}: ${file}`);
  }
}

async function checkFlips() {
  const flips = listFlips(bases);
  for (const flip of flips) writeFlipped(join(folder, 'flips'), flip);
  const { stdout, stderr } = await run(['node', 'dist/cli.js', 'validate', '--json', join(folder, 'flips')], { limitMs: 300_000 });
  const judged = new Map(JSON.parse(stdout || stderr).cassettes.map(({ cassette, issues }) => [cassette.split('/').at(-3), issues]));
  for (const file of new Set(flips.map((flip) => flip.file))) {
    const own = flips.filter((flip) => flip.file === file);
    await check(`one changed byte in ${file} is refused by its hash (${own.length} times, seed ${seed})`, () => {
      for (const { name, base, what } of own) {
        const errors = (judged.get(name) ?? []).filter(({ severity }) => severity === 'error');
        const place = `${base}, ${what}`;
        if (file === 'cassette.json') assert.deepEqual([errors[0]?.code, errors[0]?.file, errors[0]?.path], ['manifest_sha256_mismatch', file, '$'], place);
        else assert.ok(errors.some((issue) => issue.code === 'file_sha256_mismatch' && issue.file === file), `${place}: ${errors.map(({ code, file: at }) => `${code} ${at}`).join(', ') || 'nothing'}`);
      }
    });
  }
  await check('every changed cassette was judged, and each case once undamaged', async () => {
    assert.deepEqual([...judged.keys()].sort(), flips.map(({ name }) => name).sort());
    const undamaged = await run(['node', 'dist/cli.js', 'validate', '--json', ...bases.map(committed)]);
    assert.deepEqual(JSON.parse(undamaged.stdout).cassettes.map(({ issues }) => issues), bases.map(() => []));
  });
}

async function play() {
  for (const base of bases) repo.addCase({ name: base, base, edit: () => {} });
  for (const { name, base, edit } of harmless) repo.addCase({ name, base, edit });
  for (const { name, base, edit } of chosen) repo.addCase({ name, base, edit, isRed: true });
  for (const { name, file, change } of refusals) changeFile(join(cassetteOf(repo.addCase({ name, base: 'desktop-hello', isRed: true, product: 'tripwire' })), file), change);
  repo.seal({ projects: { run: {} } });
  const result = await runPlaywright({ folder, name: 'run', projects: ['run'], env: { PLAYHEAD_STALL_MS: String(stallMs) } });
  if (result.tests.size === 0) console.log(result.output);
  return result.tests;
}

function checkGreen(name, caseFolder) {
  const test = tests.get(name);
  assertGreen(test, { layers });
  const holds = countCassette(cassetteOf(caseFolder));
  assert.deepEqual(test.verdict.layers, Object.fromEntries(layers.map((layer) => [layer, { status: 'passed', checked: holds[layer], allowed: 0 }])));
}

function checkRed(test, expected) {
  assert.ok(test, 'the test did not run');
  const { verdict, status, errors } = test;
  assert.equal(describeVerdict(verdict), expected, verdict?.divergence?.message ?? verdict?.fault?.message);
  const { layer, message } = verdict.divergence;
  assert.deepEqual([verdict.result, status, verdict.layers[layer].status], ['failed', 'failed', 'failed']);
  assert.ok(bare(errors[0] ?? '').startsWith(bare(message)), `the first error is not the verdict's:\n${errors[0]}\n${message}`);
}

function checkRefused(name, expected) {
  checkRed(tests.get(name), expected);
  const { layers: judged, launches, checkpoints } = tests.get(name).verdict;
  for (const layer of layers.slice(1)) assert.ok(['not_reached', 'not_recorded'].includes(judged[layer].status), layer);
  assert.deepEqual([launches, checkpoints], [{ expected: 0, arrived: 0, refused: 0 }, []]);
  assert.ok(!existsSync(repo.trace), 'the product was loaded');
}

// The last byte of what is found becomes its neighbour.
function raiseByte(pattern) {
  return (bytes) => {
    const { index, 0: found } = pattern.exec(bytes.toString('latin1'));
    bytes[index + found.length - 1] ^= 1;
  };
}

function isChosen(title) {
  const chosenWords = process.argv.slice(2);
  return chosenWords.length === 0 || chosenWords.some((word) => title.includes(word));
}

// A first screen is wrapped wherever a line is full, and cut.
function bare(text) {
  return text.replace(/^(Error|DivergenceError|Fault): /, '').replace(/\s+/g, '').slice(0, comparedLength);
}
