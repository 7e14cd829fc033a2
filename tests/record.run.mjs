// Recording again from the real CLI, into a temporary folder: nothing below cases/ is touched (design ruling 20).
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { hostname, tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { createHash } from 'node:crypto';
import { createChecks } from './lib/checks.mjs';
import { decodeFrames, playwright, root, run } from './lib/run.mjs';
import { compareFolders } from '../src/runner/record-cases.ts';
import { realCodex } from '../scripts/real-codex.mjs';

const { check, end } = createChecks('record');
const out = mkdtempSync(join(tmpdir(), 'playhead-test-record-'));
const names = ['chat-hello', 'chat-approve-command', 'chat-cancel'];
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
      for (const word of [tmpdir() + '/', root, out, ...(hostname().length > 3 ? [hostname()] : []), ...(userInfo().username === 'root' ? ['/root/'] : [userInfo().username])]) assert.ok(!text.includes(word), `the tape holds "${word}"`);
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

  await check('nothing below cases/ has changed', () => assert.equal(hashTree(join(root, 'cases')), before));
} finally {
  rmSync(out, { recursive: true, force: true });
}
end();

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
