// Recording again from the real CLI, into a temporary folder: nothing below cases/ is touched (design ruling 20).
import assert from 'node:assert/strict';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { createHash } from 'node:crypto';
import { createChecks } from './lib/checks.mjs';
import { decodeFrames, playwright, root, run } from './lib/run.mjs';
import { compareFolders } from '../src/runner/record-cases.ts';
import { realCodex } from '../scripts/real-codex.mjs';
import { readCassette, writeCassette } from './desktop-cassettes/cassette.mjs';

const { check, end } = createChecks('record');
const out = mkdtempSync(join(tmpdir(), 'playhead-test-record-'));
const names = ['chat-hello', 'chat-approve-command', 'chat-cancel'];
// Copies of cases with a desktop stand inside the repository, where its package and its configuration are found.
const copies = makeNearby();
const desktops = ['desktop-hello', 'desktop-approve-command', 'desktop-cancel'];
const before = hashTree(join(root, 'cases'));
const loopbackOnly = ['sh', '-c', 'ip link set lo up && exec "$@"', '_'];
const namespace = (await run(['unshare', '-n', 'true'])).code === 0 ? ['unshare', '-n', ...loopbackOnly] : [];
if (namespace.length === 0) console.log('  not contained: this machine allows no network namespace');
// Codex runs an approved command in its own sandbox, which needs user namespaces; a chroot and some containers have none.
if ((await run(['unshare', '-U', 'true'])).code !== 0) console.log('  the real CLI cannot run commands here: this machine allows no user namespace');

try {
  for (const round of ['one', 'two'])
    await check(`the real CLI is recorded in ${names.join(', ')} (${round})`, async () => {
      const env = { ...process.env, CI: '', PLAYHEAD_MODE: 'record', PLAYHEAD_RECORD_OUT: join(out, round) };
      const result = await run([...namespace, ...playwright, '--reporter=line', '--workers=1', `--output=${join(out, 'results', round)}`, ...names.map((name) => `cases/${name}/`)], { env });
      assert.equal(result.code, 0, result.stdout + result.stderr);
      for (const name of names) assert.ok(existsSync(tapeOf(round, name)), `${name} was not sealed`);
    });

  for (const name of names) {
    await check(`${name} names the version that the CLI itself prints`, async () => {
      const printed = (await run([realCodex(), '--version'], { env: { PATH: process.env.PATH, HOME: out, CODEX_HOME: out } })).stdout.trim();
      const { recordedWith } = manifestOf('one', name);
      assert.equal(printed, `codex-cli ${recordedWith.provider.version}`);
      assert.equal(recordedWith.provider.version, '0.171.0');
    });

    await check(`${name} holds a thread that no committed tape has`, () => {
      const fresh = threadIds(framesOf('one', name));
      const committed = names.flatMap((other) => threadIds(readFileSync(join(root, 'cases', other, 'cassettes/main/provider/frames.jsonl'), 'utf8')));
      assert.ok(fresh.length > 0);
      assert.deepEqual(fresh.filter((id) => committed.includes(id)), []);
    });

    await check(`two recordings of ${name} agree, and agree with the committed one`, async () => {
      assert.deepEqual(compareFolders(cassetteOf('one', name), cassetteOf('two', name)), []);
      assert.deepEqual(compareFolders(cassetteOf('one', name), join(root, 'cases', name, 'cassettes/main')), []);
    });

    await check(`${name} holds no path, host or user of this machine`, () => {
      const text = decodeFrames(framesOf('one', name)) + readFileSync(join(cassetteOf('one', name), 'provider/manifest.json'), 'utf8');
      for (const word of machineWords()) assert.ok(!text.includes(word), `the tape holds "${word}"`);
    });
  }

  await check('the model was asked what the product sent, and the approved command really ran', () => {
    const facts = factsOf('chat-approve-command');
    assert.deepEqual(facts.model.map(({ prompt, outputs, status }) => ({ prompt, outputs, status })), [
      { prompt: 'Create the release note', outputs: 0, status: 'done' },
      { prompt: 'Create the release note', outputs: 1, status: 'done' },
    ]);
    assert.match(facts.model[1].toolOutputs.join(''), /note written/);
    assert.equal(facts.files['RELEASE.txt'], 'version one\n');
    const canceled = factsOf('chat-cancel');
    assert.equal(canceled.model[0].status, 'aborted');
  });

  await check('recording again in place needs a free name, and CI never writes into cases', async () => {
    const env = { ...process.env, PLAYHEAD_MODE: 'record', PLAYHEAD_RECORD_OUT: '' };
    const inPlace = await run([...playwright, '--reporter=line', `--output=${join(out, 'results', 'x')}`, 'cases/chat-hello/'], { env: { ...env, CI: '' } });
    assert.match(inPlace.stdout, /Cannot record case "chat-hello": cassette "main" exists/);
    const inCi = await run([...playwright, '--reporter=line', `--output=${join(out, 'results', 'x')}`, 'cases/chat-hello/'], { env: { ...env, CI: 'true' } });
    assert.match(inCi.stdout, /CI never writes into a cases folder/);
  });

  copyCases();
  await check(`the desktop is recorded in ${desktops.join(', ')}, replays what was recorded, and agrees with the committed recordings`, async () => {
    const { code, recorded } = await record(desktops);
    assert.deepEqual([code, recorded.map(({ case: name, disagreements, reason, isKept }) => ({ name, disagreements, reason, isKept }))], [0, desktops.map((name) => ({ name, disagreements: [], reason: null, isKept: true })).sort(byName)]);
    for (const { case: name, manifestSha256 } of recorded) assert.equal(pinOf(name).manifestSha256, manifestSha256);
  });

  for (const name of desktops)
    await check(`${name} was recorded anew: another recording, thread, submit and cassette id, and no path, host or user of this machine`, () => {
      const [fresh, committed] = [copiedCassette(name), join(root, 'cases', name, 'cassettes/main')].map(readCassette);
      assert.deepEqual(['id', 'sourceRecordingId'].filter((member) => fresh.manifest[member] === committed.manifest[member]), []);
      const idsOf = ({ tape }) => [...tape.chunks.map(({ text }) => text).join('').matchAll(/"(?:threadId|clientUserMessageId)":"([^"]+)"/g)].map(([, id]) => id);
      assert.ok(idsOf(fresh).length > 0);
      assert.deepEqual(idsOf(fresh).filter((id) => idsOf(committed).includes(id)), []);
      const text = readdirSync(copiedCassette(name), { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8')).join('') + fresh.tape.chunks.map((chunk) => chunk.text).join('');
      for (const word of machineWords()) assert.ok(!text.includes(word), `the cassette holds "${word}"`);
    });

  await check('two recordings of a desktop agree: --check ends with 0 and leaves the cassette as it was', async () => {
    const kept = hashTree(copies);
    const { code, recorded } = await record(['desktop-cancel', '--check']);
    assert.deepEqual([code, recorded.map(({ disagreements, reason, isKept }) => ({ disagreements, reason, isKept }))], [0, [{ disagreements: [], reason: null, isKept: false }]]);
    assert.equal(hashTree(copies), kept);
  });

  await check('--check ends with 1 on another state and on another message of the provider, and names each', async () => {
    forge('desktop-hello', ({ expected }) => void (expected.agent.sessions[0].messages.find(({ role }) => role === 'assistant').payload.text = 'Hello to nobody!'));
    forge('desktop-approve-command', ({ tape }) => {
      const chunk = tape.chunks.find(({ text }) => text.includes('"commandExecution"') && text.includes('"completed"'));
      chunk.text = once(chunk.text, '"exitCode":0', '"exitCode":3');
    });
    const kept = hashTree(copies);
    const { code, recorded, stderr } = await record(['desktop-hello', 'desktop-approve-command', '--check']);
    const found = Object.fromEntries(recorded.map(({ case: name, disagreements }) => [name, disagreements]));
    assert.equal(code, 1);
    assert.deepEqual(found['desktop-hello'].map(({ what, first, second }) => ({ what, first, second })), [{ what: 'state', first: '$.agent.sessions[0].messages[1].payload.text "Hello to nobody!"', second: '$.agent.sessions[0].messages[1].payload.text "Hello to the whole team!"' }]);
    assert.deepEqual(found['desktop-approve-command'].map(({ connectionId, what }) => ({ connectionId, what })), [{ connectionId: 'connection-1', what: 'inbound' }]);
    assert.match(stderr, /state differs from the committed cassette: \$\.agent/);
    assert.equal(hashTree(copies), kept);
  });

  await check('nothing below cases/ has changed', () => assert.equal(hashTree(join(root, 'cases')), before));
} finally {
  for (const folder of [out, copies]) rmSync(folder, { recursive: true, force: true });
}
end();

function makeNearby() {
  mkdirSync(join(root, '.cache'), { recursive: true });
  return mkdtempSync(join(root, '.cache/record-'));
}
function copyCases() {
  for (const name of ['lib', ...desktops]) cpSync(join(root, 'cases', name), join(copies, name), { recursive: true });
}
async function record(words) {
  const named = words.map((word) => (word.startsWith('--') ? word : join(copies, word)));
  const result = await run(['node', join(root, 'dist/cli.js'), 'record', '--json', ...named], { env: { ...process.env, CI: '', PLAYHEAD_CASES: copies }, limitMs: 400_000 });
  assert.notEqual(result.stdout, '', `it ended with ${result.code ?? result.signal} and no document\n${result.stderr}`);
  const { recorded, error } = JSON.parse(result.stdout);
  assert.ok(recorded, `${error?.message}\n${result.stderr}`);
  return { code: result.code, stderr: result.stderr, recorded: recorded.sort((a, b) => byName({ name: a.case }, { name: b.case })) };
}
// Re-hashed and pinned again: only a comparison can see it.
function forge(name, edit) {
  const folder = copiedCassette(name);
  const manifestSha256 = writeCassette(folder, readCassette(folder), edit);
  const path = join(copies, name, 'case.json');
  const value = JSON.parse(readFileSync(path, 'utf8'));
  Object.assign(value.cassettes[0], { manifestSha256 });
  writeFileSync(path, JSON.stringify(value, null, 2));
}
function once(text, from, to) {
  assert.equal(text.split(from).length, 2, `"${from}" was to stand there once`);
  return text.replace(from, to);
}
function copiedCassette(name) {
  return join(copies, name, 'cassettes/main');
}
function pinOf(name) {
  return JSON.parse(readFileSync(join(copies, name, 'case.json'), 'utf8')).cassettes[0];
}
function byName(a, b) {
  return a.name < b.name ? -1 : 1;
}
function machineWords() {
  return [tmpdir() + '/', root, out, ...(hostname().length > 3 ? [hostname()] : []), ...(userInfo().username === 'root' ? ['/root/'] : [userInfo().username])];
}

function cassetteOf(round, name) {
  return join(out, round, name, 'cassettes', 'main');
}
function tapeOf(round, name) {
  return join(cassetteOf(round, name), 'provider', 'manifest.json');
}
function manifestOf(round, name) {
  return JSON.parse(readFileSync(tapeOf(round, name), 'utf8'));
}
function framesOf(round, name) {
  return readFileSync(join(cassetteOf(round, name), 'provider', 'frames.jsonl'), 'utf8');
}
// `recording.json`, which every recorded test attaches.
function factsOf(name) {
  const folder = join(out, 'results', 'one');
  const file = readdirSync(folder, { recursive: true }).find((path) => path.startsWith(name) && path.endsWith('recording.json'));
  return JSON.parse(readFileSync(join(folder, file), 'utf8'));
}
function threadIds(frames) {
  return [...new Set([...decodeFrames(frames).matchAll(/"threadId":"([0-9a-f-]{36})"/g)].map(([, id]) => id))];
}
function hashTree(folder) {
  const hash = createHash('sha256');
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true }).sort((a, b) => (join(a.parentPath, a.name) < join(b.parentPath, b.name) ? -1 : 1)))
    if (entry.isFile()) hash.update(`${join(entry.parentPath, entry.name)}\0`).update(readFileSync(join(entry.parentPath, entry.name)));
  return hash.digest('hex');
}
