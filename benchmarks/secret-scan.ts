/** The secret scan over provider bytes as a real session leaves them, beside SHA-256 of the same pieces. */

import { createHash } from 'node:crypto';
import { createSecretScan, type Canary } from '../src/core/secrets/scan.ts';
import { createRandom } from '../fixtures/secrets/tokens.ts';
import { interleave, judge, type Benchmark } from './promise.ts';

export const secretScan: Benchmark = {
  names: ['secret-scan'],
  async measure(_names, say) {
    const pieces = tapePieces();
    const megabytes = (roundBytes(pieces) * repeatCount) / 1e6;
    say(`secret-scan: ${roundCount} rounds of ${Math.round(megabytes)} MB each`);
    let peak = 0;
    const ours = async () => {
      const before = process.memoryUsage().rss;
      const speed = perSecond(megabytes, () => scan(pieces));
      peak = Math.max(peak, process.memoryUsage().rss - before);
      return speed;
    };
    const measured = await interleave({ rounds: roundCount, ours, floor: async () => perSecond(megabytes, () => digest(pieces)) });
    const note = `${Math.round(megabytes)} MB of agent deltas, tool output and diffs in JSON-RPC lines, one thread, ${canaries.length} known values, median of ${roundCount}; the floor is SHA-256 of the same pieces; one scan added at most ${Math.max(0, Math.round(peak / 1e6))} MB to RSS`;
    return [judge({ name: 'secret-scan', unit: 'MB/s', ...measured, wanted: { atLeast: 120 }, of: 'ours', note })];
  },
};

function scan(pieces: readonly Buffer[]): void {
  const found: string[] = [];
  const secrets = createSecretScan({ canaries, report: ({ is }) => found.push(is) });
  const stream = secrets.stream('connection-1 stdout');
  for (let repeat = 0; repeat < repeatCount; repeat++)
    for (const [i, piece] of pieces.entries()) stream.push(piece, { file: 'provider/frames.jsonl', line: repeat * pieces.length + i + 1, path: 'connection-1 stdout' });
  // What is measured must be able to find something, and nothing else may be found.
  stream.push(Buffer.from(`{"delta":"${['np', 'm_'].join('')}${'aB3'.repeat(12)}"}\n`), { file: 'provider/frames.jsonl', line: 1, path: 'connection-1 stdout' });
  secrets.end();
  if (found.length !== 1) throw new Error(`Cannot measure the secret scan: it found ${found.length} secrets, exactly 1 was needed`);
}

function digest(pieces: readonly Buffer[]): void {
  const hash = createHash('sha256');
  for (let repeat = 0; repeat < repeatCount; repeat++) for (const piece of pieces) hash.update(piece);
  hash.digest();
}

function perSecond(megabytes: number, work: () => void): number {
  const start = performance.now();
  work();
  return megabytes / ((performance.now() - start) / 1_000);
}

/** 16 MB of lines: prose with code and links, coloured command output, diffs, ids and hashes. */
function tapePieces(): Buffer[] {
  const random = createRandom(7);
  const pick = <T>(from: readonly T[]) => from[Math.floor(random() * from.length)] as T;
  const text = (count: number) => Array.from({ length: count }, () => pick(phrases)).join(' ');
  const pieces: Buffer[] = [];
  for (let bytes = 0; bytes < 16e6; ) {
    const [method, size] = pick(kinds);
    const params = { threadId: '01a22c7b-c467-7be3-8174-32d9efaac2d8', turnId: '01a22c7b-c606-7ed0-a3f5-218d6ecee697', itemId: `msg_${Math.floor(random() * 2 ** 24).toString(16)}`, delta: text(1 + Math.floor(random() * size)) };
    const piece = Buffer.from(`${JSON.stringify({ method, params })}\n`);
    bytes += piece.length;
    pieces.push(piece);
  }
  return pieces;
}

const roundBytes = (pieces: readonly Buffer[]) => pieces.reduce((sum, { length }) => sum + length, 0);

const kinds: readonly (readonly [string, number])[] = [
  ['item/agentMessage/delta', 4],
  ['item/agentMessage/delta', 12],
  ['item/commandExecution/outputDelta', 60],
  ['turn/diff/updated', 120],
  ['item/completed', 200],
];

const phrases = [
  'I will read the file first and then change the two places where the title is written.',
  'The function `parseManifest` returns a value or a list of issues;',
  'export const limits = { frameBytesMax: 8_388_608, stallMs: 5_000 };\n',
  "import { childPath, firstDifference } from '../json/compare.ts';\n",
  '\u001b[32m✓\u001b[39m src/core/json/exact.test.ts \u001b[2m(12 tests)\u001b[22m\u001b[90m 14ms\u001b[39m\n',
  'diff --git a/src/core/limits.ts b/src/core/limits.ts\nindex 3f2a9c1..8d01e77 100644\n',
  '-    const secret = readSecret(key);\n+    const secret = await readSecret(key, { timeoutMs });\n',
  'see https://docs.shop.test/guide/start?lang=en#install for more',
  'drwxr-xr-x  5 dev dev 4096 Jan 12 10:33 /srv/work/project/packages/desktop/src/renderer\n',
  'sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  'if (a && b !== undefined) return "it is fine";\n\t// 100% of the tasks, 20% faster\n',
  '"integrity": "sha512-3q2mNZ1nC1tqZ2b6ZJ0z1m0Q4mM0d8m4lQy6T7cH0b1lq3vQ8yE2mKq2mJbTq0n4fY7xw9Vd1hB0uZk8R5rS7A==",\n',
];

const canaries: Canary[] = [
  { name: 'SERVICE_KEY', value: `k3y-${'q7Lm2Xw9'.repeat(5)}` },
  { name: 'the user name', value: 'margarete' },
  { name: 'the host name', value: 'build-box-17' },
];

const roundCount = 5;
const repeatCount = 8;
