// A case replays with the network cut and the provider folder out of the way; committed tapes are anonymous.
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { hostname, tmpdir, userInfo } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { createChecks } from './lib/checks.mjs';
import { decodeFrames, playwright, root, run } from './lib/run.mjs';

const { check, end } = createChecks('isolated');
const canCut = (await run(['unshare', '-n', '-m', 'true'])).code === 0;
const cases = readdirSync(join(root, 'cases')).filter((entry) => existsSync(join(root, 'cases', entry, 'case.json')));

await check(canCut ? 'every case replays with the network cut and no provider on the machine' : 'every case replays with no provider on PATH (this machine allows no namespace: the network stays)', async () => {
  const cut = canCut ? ['unshare', '-n', 'sh', '-c', 'ip link set lo up && exec "$@"', '_'] : [];
  // An empty folder stands where the pinned CLIs are: renaming the real one would break whoever records beside us.
  const hide = canCut ? ['unshare', '-m', 'sh', '-c', 'mount --bind "$0" tools/providers && test ! -e tools/providers/package.json && exec "$@"'] : [];
  const empty = mkdtempSync(join(tmpdir(), 'playhead-test-empty-'));
  try {
    const command = canCut ? [...cut, ...hide, empty, ...playwright] : playwright;
    const result = await run([...command, '--reporter=line', `--output=${join(empty, 'results')}`], { env: withoutProviders() });
    assert.equal(result.code, 0, result.stdout + result.stderr);
    // One of each way in: a chat behind a stand-in, and the desktop with its daemon and window.
    for (const way of ['chat-', 'desktop-']) assert.ok(cases.some((name) => name.startsWith(way)), `no case "${way}…"`);
    assert.match(result.stdout, new RegExp(`^ *${sum(cases.map(countTests))} passed`, 'm'));
  } finally {
    rmSync(empty, { recursive: true, force: true });
  }
});

await check('the replay stand-in holds no way to start a process', () => {
  const text = readFileSync(join(root, 'dist/stand-in-replay.cjs'), 'utf8');
  assert.ok(!/child_process|\.spawn\(|worker_threads|node:vm|process\.binding|eval\(/.test(text));
  assert.ok(/child_process/.test(readFileSync(join(root, 'dist/stand-in-record.cjs'), 'utf8')), 'the pattern finds what it looks for');
});

await check('no module of the replaying daemon can start a process', () => {
  const canStart = (file) => modulesOf(join(root, 'dist/desktop', file)).filter(([, text]) => /child_process|node:cluster|process\.binding/.test(text)).map(([path]) => path);
  assert.deepEqual(canStart('daemon-replay.js'), []);
  assert.notDeepEqual(canStart('daemon-record.js'), [], 'the pattern finds what it looks for');
});

for (const name of cases)
  await check(`${name}: the committed cassette holds no machine path, host, user or account`, () => {
    for (const cassette of readdirSync(join(root, 'cases', name, 'cassettes'))) {
      const folder = join(root, 'cases', name, 'cassettes', cassette);
      const documents = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile() && entry.name !== 'frames.jsonl').map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'));
      const text = decodeFrames(readFileSync(join(folder, 'provider/frames.jsonl'), 'utf8')) + documents.join('\n');
      assert.deepEqual([...new Set(text.match(/(?:\/home\/|\/Users\/|\/root\/|\/tmp\/|\/var\/|\/work\/|\/private\/)[^"\\ ]*/g) ?? [])], []);
      assert.deepEqual(text.match(/[\w.+-]+@[\w-]+\.[a-z]{2,}/gi) ?? [], []);
      assert.deepEqual(text.match(/(?:sk-|ghp_|eyJhbGciOi)[\w-]{8,}/g) ?? [], []);
      for (const word of [hostname(), userInfo().username].filter((known) => known.length > 3 && known !== 'root')) assert.ok(!text.includes(word), `it holds "${word}"`);
    }
  });

end();

// One test for each cassette; a case without any is a red one.
function countTests(name) {
  return Math.max(1, JSON.parse(readFileSync(join(root, 'cases', name, 'case.json'), 'utf8')).cassettes.length);
}

// A bundle and the chunks that it imports: path and text.
function modulesOf(path, seen = new Map()) {
  if (seen.has(path)) return [];
  const text = readFileSync(path, 'utf8');
  seen.set(path, text);
  for (const [, chunk] of text.matchAll(/^import\b[^;\n]*["'](\.\/[^"'\n]+\.js)["'];?$/gm)) modulesOf(resolve(dirname(path), chunk), seen);
  return [...seen];
}

function sum(counts) {
  return counts.reduce((total, count) => total + count, 0);
}

function withoutProviders() {
  const path = (process.env.PATH ?? '').split(':').filter((folder) => !existsSync(join(folder, 'codex')));
  return { ...process.env, PATH: path.join(':') };
}
