import { expect, test } from 'vitest';
import { tokensOf } from '../../../fixtures/secrets/tokens.ts';
import type { Finding } from '../issue.ts';
import { createSecretScan, type SecretScan } from './scan.ts';

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

test('createStream() takes bytes that are no text', () => {
  const bytes = Buffer.from(Array.from({ length: 70_000 }, (_, i) => (i * 7_919 + (i >> 3)) & 255));
  expect(check((scan) => scan.stream('a').push(bytes, { file: 'f', line: 1 }))).toEqual([]);
  for (const text of ['', '\\', '%', '&', '=', '\u001b', '\u001b[', '\\u', '\\u00', '%4', '&#', '=4', '\\x', '\\u{', '&amp', '\u001b[3']) expect(check((scan) => scan.text({ file: 'f' }, text))).toEqual([]);
});
