import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { tokensOf } from '../../../fixtures/secrets/tokens.ts';
import type { Finding } from '../issue.ts';
import { createTextGuard } from './guard.ts';
import { createSecretScan, type SecretScan } from './scan.ts';
import { createSecretHunt } from './search.ts';
import { createStream } from './stream.ts';

const secret = tokensOf(1).find(({ kind }) => kind === 'npm-token')?.text as string;

/** The lines at which a scan reports something. */
function check(feed: (scan: SecretScan) => void): (number | null | undefined)[] {
  const findings: Finding[] = [];
  const scan = createSecretScan({ canaries: [], report: (finding) => findings.push(finding) });
  feed(scan);
  scan.end();
  return findings.map(({ line }) => line);
}

test('createStream() finds a secret that is split at any place', () => {
  const whole = Buffer.from(JSON.stringify({ text: `${'words and '.repeat(9)}${secret} and words` }));
  const missed = Array.from(whole, (_, cut) => cut).filter(
    (cut) => check((scan) => [whole.subarray(0, cut), whole.subarray(cut)].forEach((bytes, i) => scan.stream('a').push(bytes, { file: 'f', line: i + 1 }))).length !== 1,
  );
  expect(missed).toEqual([]);
});

test('createStream() finds a secret once wherever the edge of a block falls', () => {
  const block = 262_144;
  for (let ahead = 0; ahead < 9_000; ahead += 41) {
    const bytes = Buffer.alloc(block + 20_000, 'plain text of no interest\n');
    bytes.write(` ${secret} `, block - ahead);
    expect(check((scan) => scan.stream('a').push(bytes, { file: 'f', line: 1 }))).toEqual([1]);
  }
});

test('createStream() finds what is in one long base64 over many blocks', () => {
  for (const at of [0, 196_000, 262_000, 400_001]) {
    const bytes = Buffer.alloc(700_000, 'plain text of no interest\n');
    bytes.write(` ${secret} `, at);
    const encoded = Buffer.from(bytes.toString('base64'));
    const line = (scan: SecretScan) => {
      for (let i = 0; i < encoded.length; i += 1_000) scan.stream('a').push(encoded.subarray(i, i + 1_000), { file: 'f', line: i / 1_000 });
    };
    expect(check(line)).toEqual([Math.floor((((at + 1) * 4) / 3 - 1) / 1_000)]);
  }
});

test('createStream() names the place of the piece in which a secret begins', () => {
  const feed = (scan: SecretScan) => {
    for (let line = 1; line <= 9_000; line++) {
      const text = line === 4_000 ? secret.slice(0, 9) : line === 4_001 ? `${secret.slice(9)}\n` : `line ${line} of the output\n`;
      scan.stream('a').push(Buffer.from(text), { file: 'f', line });
    }
  };
  expect(check(feed)).toEqual([4_000]);
});

test('createStream() keeps streams apart', () => {
  const feed = (scan: SecretScan) => {
    for (const [line, part] of [secret.slice(0, 12), secret.slice(12)].entries())
      for (const key of ['a', 'b', 'c']) scan.stream(key).push(Buffer.from(key === 'b' ? part : 'other words '), { file: 'f', line });
  };
  expect(check(feed)).toEqual([0]);
  expect(check((scan) => [secret.slice(0, 12), secret.slice(12)].forEach((part, i) => scan.stream(`${i}`).push(Buffer.from(part), { file: 'f', line: i })))).toEqual([]);
});

test('createStream() reports a rule once for each place', () => {
  const feed = (scan: SecretScan) => [1, 1, 2].forEach((line) => scan.stream('a').push(Buffer.from(`${secret} `), { file: 'f', line }));
  expect(check(feed)).toEqual([1, 2]);
});

test('createStream() holds little of thousands of open streams and still finds what they cut', () => {
  const plain = Buffer.alloc(30_000, 'plain text of no interest\n');
  const feed = (scan: SecretScan) => {
    for (const part of [plain, Buffer.from(` ${secret.slice(0, 20)}`), Buffer.from(`${secret.slice(20)} `), plain])
      for (let i = 0; i < 1_500; i++) scan.stream(`${i}`).push(part, { file: 'f', line: i });
  };
  expect(check(feed)).toEqual(Array.from({ length: 1_500 }, (_, i) => i));
});

test('createStreams() loses nothing of a thousand connections of three kinds that speak in turn', () => {
  const keys = Array.from({ length: 3_000 }, (_, i) => `connection-${i} stdout`);
  for (const [size, count] of [[130, 60], [9_000, 2]] as const) {
    const plain = Buffer.alloc(size, '{"method":"item/agentMessage/delta","params":{"delta":"words"}}\n');
    const parts = [...Array.from({ length: count }, () => plain), Buffer.from(`{"a":"${secret.slice(0, 7)}`), Buffer.from(secret.slice(7, 30)), Buffer.from(`${secret.slice(30)}"}\n`), plain];
    const feed = (scan: SecretScan) => parts.forEach((part) => keys.forEach((key, line) => scan.stream(key).push(part, { file: 'f', line })));
    expect(check(feed).sort((a, b) => Number(a) - Number(b))).toEqual(keys.map((_, line) => line));
  }
});

test('createStreams() finds what is whole in any number of streams, and goes on with one that was given up', () => {
  const whole = (scan: SecretScan) => {
    for (let line = 0; line < 20_000; line++) scan.stream(`${line}`).push(Buffer.from(line % 1_000 === 0 ? secret : 'words '), { file: 'f', line });
  };
  expect(check(whole)).toHaveLength(20);
  const again = (scan: SecretScan) => {
    const first = scan.stream('first');
    first.push(Buffer.from('words '), { file: 'f', line: 1 });
    for (let i = 0; i < 9_000; i++) scan.stream(`${i}`).push(Buffer.from('words '), { file: 'f', line: 2 });
    first.push(Buffer.from(secret.slice(0, 9)), { file: 'f', line: 3 });
    scan.stream('first').push(Buffer.from(secret.slice(9)), { file: 'f', line: 4 });
  };
  expect(check(again)).toEqual([3]);
});

test.each([
  ['streams of one piece', 100_000, 1, 40],
  ['streams of many pieces of one byte', 400, 2_000, 1],
  ['pieces of no bytes', 1, 1_000_000, 0],
])('createStreams() holds little of a hostile tape: %s', async (_, streamCount, pieceCount, pieceBytes) => {
  const feed = `import(${JSON.stringify(new URL('scan.ts', import.meta.url).href)}).then(({ createSecretScan }) => {
    const scan = createSecretScan({ canaries: [], report: () => {} });
    let peak = 0;
    for (let piece = 0; piece < ${pieceCount}; piece++)
      for (let i = 0; i < ${streamCount}; i++) {
        scan.stream('connection-' + i + ' stdout').push(Buffer.alloc(${pieceBytes}, 'plain text'), { file: 'f', line: piece });
        if ((piece + i) % 1_000 === 0) peak = Math.max(peak, process.memoryUsage().arrayBuffers);
      }
    require('node:worker_threads').parentPort.postMessage(peak);
  });`;
  // In a small heap, where what is held counts and not what waits for its collection; it ends with an error when that is full.
  const worker = new Worker(feed, { eval: true, resourceLimits: { maxOldGenerationSizeMb: 72, maxYoungGenerationSizeMb: 4 } });
  const [peak] = (await once(worker, 'message')) as [number];
  await worker.terminate();
  expect(peak).toBeLessThan(100e6);
});

test('createStream() costs what its pieces need, and nothing after its end', () => {
  const budget = { bytes: 0 };
  const stream = createStream({ hunt: createSecretHunt([]), report: () => {}, budget });
  stream.push(Buffer.alloc(0), { file: 'f' });
  expect(budget.bytes).toBe(0);
  stream.push(Buffer.from('{"a":1}'), { file: 'f' });
  expect(budget.bytes).toBeLessThan(200);
  stream.push(Buffer.alloc(600_000, 'plain text '), { file: 'f', path: '$.a' });
  stream.flush(1_024);
  expect(budget.bytes).toBeLessThan(2_000);
  stream.end();
  expect(budget.bytes).toBe(0);
});

test('createSecretScan() finds a token that the texts of deltas hold together, at the one in which it begins', () => {
  const isSecret = createTextGuard([{ name: 'SERVICE_KEY', value: 'correct-horse-7-battery' }]);
  const tokens = [...tokensOf(3).map(({ text }) => text), 'correct-horse-7-battery'];
  const failed = tokens.flatMap((token) =>
    [1, 4, 13].flatMap((size) => {
      const parts = token.match(new RegExp(`[^]{1,${size}}`, 'g')) as string[];
      if (parts.some(isSecret)) return [`${token} has a whole secret in a part of ${size}`];
      const findings: Finding[] = [];
      const scan = createSecretScan({ canaries: [{ name: 'SERVICE_KEY', value: 'correct-horse-7-battery' }], report: (finding) => findings.push(finding) });
      const texts = ['The', ' key', ' is', ' ', ...parts, ' and', ' that', ' was it'];
      texts.forEach((text, line) => {
        scan.stream('delta connection-1 item-3').push(Buffer.from(text), { file: 'f', line });
        scan.stream('delta connection-1 item-4').push(Buffer.from('other words '), { file: 'f', line });
        scan.stream('connection-1 stdout').push(Buffer.from(`${JSON.stringify({ method: 'item/agentMessage/delta', params: { itemId: 'item-3', delta: text } })}\n`), { file: 'f', line });
      });
      scan.end();
      const last = texts.length - 3;
      return findings.length === 1 && (findings[0]?.line ?? 0) >= 4 && (findings[0]?.line ?? last) < last ? [] : [`${token} in parts of ${size}: ${JSON.stringify(findings)}`];
    }),
  );
  expect(failed).toEqual([]);
});

test('createStream() takes bytes that are no text', () => {
  const bytes = Buffer.from(Array.from({ length: 70_000 }, (_, i) => (i * 7_919 + (i >> 3)) & 255));
  expect(check((scan) => scan.stream('a').push(bytes, { file: 'f', line: 1 }))).toEqual([]);
  for (const text of ['', '\\', '%', '&', '=', '\u001b', '\u001b[', '\\u', '\\u00', '%4', '&#', '=4', '\\x', '\\u{', '&amp', '\u001b[3']) expect(check((scan) => scan.text({ file: 'f' }, text))).toEqual([]);
});
