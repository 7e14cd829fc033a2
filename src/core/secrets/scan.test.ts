import { expect, test } from 'vitest';
import { disguises } from '../../../fixtures/secrets/disguises.ts';
import { harmlessTexts } from '../../../fixtures/secrets/harmless.ts';
import { tokensOf } from '../../../fixtures/secrets/tokens.ts';
import type { Finding } from '../issue.ts';
import { createSecretScan, scanText, type Canary } from './scan.ts';

const place = { file: 'provider/frames.jsonl', line: 7, path: 'connection-1 stdout' };

/** What a stream of these pieces reports. */
function check(pieces: readonly string[], canaries: readonly Canary[] = []): Finding[] {
  const findings: Finding[] = [];
  const scan = createSecretScan({ canaries, report: (finding) => findings.push(finding) });
  const stream = scan.stream('connection-1 stdout');
  pieces.forEach((piece) => stream.push(Buffer.from(piece), place));
  scan.end();
  return findings;
}

const rulesOf = (findings: readonly Finding[]) => findings.map(({ is }) => /\(rule ([\w-]+)\)/.exec(is)?.[1]);

test.each(disguises)('createSecretScan() finds every kind of token $name', ({ pieces }) => {
  const missed = [1, 2, 3].flatMap(tokensOf).filter(({ kind, text }) => !rulesOf(check(pieces(text))).includes(kind));
  expect(missed.map(({ kind, text }) => `${kind} ${JSON.stringify(pieces(text))}`)).toEqual([]);
});

test.each(disguises)('createSecretScan() reports one secret once $name', ({ pieces }) => {
  const doubled = tokensOf(4).filter(({ text }) => check(pieces(text)).length !== 1);
  expect(doubled.map(({ kind, text }) => `${kind} ${rulesOf(check(pieces(text)))} ${JSON.stringify(pieces(text))}`)).toEqual([]);
});

test('createSecretScan() finds a token in a disguise inside a disguise', () => {
  const named = (names: readonly string[]) => disguises.filter(({ name }) => names.includes(name));
  const inner = named(['in JSON', 'in JSON inside JSON', 'in an environment', 'in a URL query', 'every character as %', 'every character as \\u', 'HTML entities', 'base64', 'base64url', 'wrapped at 80 columns with colours', 'coloured in between']);
  const outer = named(['in JSON', 'in JSON inside JSON', 'in an environment', 'in a URL query', 'every character as %', 'every character as \\u', 'HTML entities', 'base64', 'base64url', 'base64 in lines of 76 in JSON', 'split over three', 'byte by byte']);
  const missed = inner.flatMap((one) =>
    outer.flatMap((other) => tokensOf(11).filter(({ kind, text }) => !rulesOf(check(other.pieces(one.pieces(text).join('')))).includes(kind)).map(({ kind }) => `${kind} ${one.name} ${other.name}`)),
  );
  expect([inner.length, outer.length, missed]).toEqual([11, 12, []]);
});

test('createSecretScan() finds nothing in harmless texts', () => {
  const texts = [1, 2, 3, 4, 5].flatMap(harmlessTexts);
  const found = texts.flatMap((text) => rulesOf(check([text])).map((rule) => `${rule}: ${text.slice(0, 300)}`));
  expect([texts.length >= 200, found]).toEqual([true, []]);
});

test('createSecretScan() finds nothing in harmless texts under every disguise', () => {
  const found = harmlessTexts(6).flatMap((text) => disguises.flatMap(({ name, pieces }) => rulesOf(check(pieces(text))).map((rule) => `${rule} ${name}: ${text.slice(0, 200)}`)));
  expect(found).toEqual([]);
});

test('createSecretScan() shows no six characters of a value', () => {
  const canary = { name: 'SERVICE_KEY', value: 'correct-horse-7-battery' };
  const shown = [...tokensOf(5).map(({ text }) => text), canary.value].flatMap((text) =>
    disguises.flatMap(({ name, pieces }) => {
      const findings: Finding[] = [];
      const scan = createSecretScan({ canaries: [canary], report: (finding) => findings.push(finding) });
      pieces(text).forEach((piece) => scan.text({ file: `blobs/${text}.txt`, line: 1, path: `$.a[${JSON.stringify(text)}].b` }, piece));
      const secret = text.replace(/^.*?(?:key=|Bearer |Basic |\/\/\w+:)/, '').replace(/@.*$/, '').replace(/^-----BEGIN.*\n/, '').replace(/-----END[^]*$/, '');
      const said = JSON.stringify(findings);
      return partsOf(secret).filter((part) => said.includes(part)).map((part) => `${name} ${part} ${said}`);
    }),
  );
  expect(shown).toEqual([]);
});

function partsOf(text: string): string[] {
  return Array.from({ length: Math.max(0, text.length - 5) }, (_, i) => text.slice(i, i + 6));
}

test('scanText() names the rules of a text', () => {
  const [first] = tokensOf(1);
  expect(scanText(`a ${first?.text} b`)).toEqual([{ rule: 'openai-key', means: 'an OpenAI key' }]);
  expect(scanText('nothing here')).toEqual([]);
});
