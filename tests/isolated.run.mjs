// A case replays with the network cut and the provider folder out of the way; committed tapes are anonymous.
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { hostname, tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
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

for (const name of cases)
  await check(`${name}: the committed tape holds no machine path, host, user or account`, () => {
    for (const cassette of readdirSync(join(root, 'cases', name, 'cassettes'))) {
      const provider = join(root, 'cases', name, 'cassettes', cassette, 'provider');
      const text = decodeFrames(readFileSync(join(provider, 'frames.jsonl'), 'utf8')) + readFileSync(join(provider, 'manifest.json'), 'utf8');
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

function sum(counts) {
  return counts.reduce((total, count) => total + count, 0);
}

function withoutProviders() {
  const path = (process.env.PATH ?? '').split(':').filter((folder) => !existsSync(join(folder, 'codex')));
  return { ...process.env, PATH: path.join(':') };
}
