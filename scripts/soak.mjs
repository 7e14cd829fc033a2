// `npm run soak`: every case 50 times with 2 workers and no retries, then once more beside a busy loop on one core; verdict
// digests must be equal. PLAYHEAD_SOAK sets another number of repeats; the word quiet or busy runs one half alone.
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { verdictDigest } from '../src/core/verdict/verdict.ts';

const repeats = Number(process.env.PLAYHEAD_SOAK ?? 50);
const root = new URL('..', import.meta.url).pathname;
let failed = 0;
let passed = 0;

const only = process.argv[2] ?? null;
if (only !== 'busy') await soak('quiet', repeats);
if (only !== 'quiet') {
  const busy = spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' });
  try {
    await soak('busy', repeats);
  } finally {
    busy.kill('SIGKILL');
  }
}
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;

async function soak(title, count) {
  const folder = mkdtempSync(join(tmpdir(), 'playhead-soak-'));
  const verdicts = join(folder, 'verdicts');
  mkdirSync(verdicts);
  const startedMs = Date.now();
  const args = [join(root, 'node_modules/@playwright/test/cli.js'), 'test', `--repeat-each=${count}`, '--workers=2', '--retries=0', '--reporter=dot', `--output=${join(folder, 'results')}`];
  const code = await new Promise((resolve) => spawn(process.execPath, args, { cwd: root, stdio: 'inherit', env: { ...process.env, PLAYHEAD_VERDICTS: verdicts } }).once('close', resolve));
  const digests = new Map();
  for (const name of readdirSync(verdicts)) {
    const verdict = JSON.parse(readFileSync(join(verdicts, name), 'utf8'));
    const key = `${verdict.case?.name} › ${verdict.cassette.name}`;
    const seen = digests.get(key) ?? { count: 0, red: 0, digests: new Map() };
    const digest = verdictDigest(verdict);
    seen.count++;
    if (verdict.result !== 'passed') seen.red++;
    seen.digests.set(digest, (seen.digests.get(digest) ?? 0) + 1);
    digests.set(key, seen);
  }
  rmSync(folder, { recursive: true, force: true });
  console.log(`\n${title}: ${Math.round((Date.now() - startedMs) / 1000)} s`);
  for (const [key, seen] of [...digests].sort()) {
    const isGood = seen.red === 0 && seen.digests.size === 1 && seen.count === count;
    if (isGood) passed++;
    else failed++;
    console.log(`${isGood ? '✓' : '✗'} ${key.padEnd(36)} ${seen.count} runs, ${seen.red} red, ${seen.digests.size} digest(s)`);
  }
  if (code !== 0) failed++;
}
