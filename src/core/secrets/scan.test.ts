import { expect, test } from 'vitest';
import { disguises } from '../../../fixtures/secrets/disguises.ts';
import { harmlessTexts } from '../../../fixtures/secrets/harmless.ts';
import { createRandom, tokensOf } from '../../../fixtures/secrets/tokens.ts';
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

const tokenOf = (kind: string, start = '') => tokensOf(8).find((token) => token.kind === kind && token.text.startsWith(start))?.text as string;

test('createSecretScan() finds a token at the start of something longer', () => {
  const kinds = ['openai-key', 'anthropic-key', 'gh-token', 'gitlab-token', 'aws-access-key', 'google-key', 'npm-token', 'stripe-key', 'sendgrid-key', 'huggingface-token', 'slack-token'];
  const missed = tokensOf(8)
    .filter(({ kind }) => kinds.includes(kind))
    .flatMap(({ kind, text }) => ['x'.repeat(400), 'xxxxxxxx', 'Extra', 'abc123', '_example', 'EXAMPLE'].filter((more) => !rulesOf(check([JSON.stringify({ [text + more]: 1 })])).includes(kind)).map((more) => `${kind} ${text}${more.slice(0, 20)}`));
  expect(missed).toEqual([]);
});

test('createSecretScan() finds a token at the start of a name of megabytes and shows nothing of it', () => {
  const findings: Finding[] = [];
  const scan = createSecretScan({ canaries: [], report: (finding) => findings.push(finding) });
  const name = `${tokenOf('gh-token')}${'x'.repeat(20_000_000)}`;
  scan.text({ ...place, path: `$.params["${name}"]` }, `{"${name}":1}`);
  expect(findings.map(({ path }) => path)).toEqual(['$.params[…']);
  scan.text({ ...place, path: `$.params["${'x'.repeat(20_000_000)}"]` }, tokenOf('npm-token'));
  expect(findings[1]?.path?.length).toBeLessThan(3_000);
});

test('createSecretScan() takes nothing that is longer than a token for one if it looks like a word, a hash or base64', () => {
  const random = createRandom(12);
  const some = (size: number, letters: string) => Array.from({ length: size }, () => letters[Math.floor(random() * letters.length)]).join('');
  const [hash, base64] = ['0123456789abcdef', 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'];
  const names = [`${'np'}m_${some(64, hash)}`, `${'h'}f_${some(40, hash)}`, `${'gh'}p_${some(60, hash)}`, `${'np'}m_${'lifecycleEventOfSomePackageThatIsNamedAtLength'}`, `${'AS'}IAPACIFICREGIONALOPERATIONSCENTRE`, `${'AI'}za${some(80, hash)}`];
  const insideBase64 = [`Ab3+${'AI'}za${some(60, base64)}`, `Ab3/${'AI'}za${some(60, base64)}`, `Ab3-${'gh'}p_${some(60, base64)}`, `Ab3_${'np'}m_${some(60, base64)}`, `a/${'AK'}IA${some(40, 'ABCDEFGHIJ234567')}`];
  const manual = [`${'xo'}xb-123456789012-123456789012-xxxxxxxxxxxxxxxxxxxxxxxx`, `${'sk'}-ant-api03-${'x'.repeat(90)}`, `${'gh'}p_${'x'.repeat(80)}`, `${'sk'}-proj-put-your-own-key-here-${'x'.repeat(30)}`];
  expect([...names, ...insideBase64, ...manual].filter((text) => check([` ${text} `]).length > 0)).toEqual([]);
});

test('scanText() prepares a list of known values once', () => {
  const canaries = Array.from({ length: 200 }, (_, i) => ({ name: `KEY_${i}`, value: `value-of-${i}-${'q7'.repeat(20)}` }));
  const start = performance.now();
  for (let i = 0; i < 300; i++) scanText(`text ${i}`, canaries);
  // Preparing them takes some milliseconds each time.
  expect(performance.now() - start).toBeLessThan(400);
  expect(scanText(`a ${canaries[7]?.value}`, canaries)).toEqual([{ rule: 'known-value', means: 'KEY_7' }]);
});
