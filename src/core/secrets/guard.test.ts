import { expect, test } from 'vitest';
import { disguises } from '../../../fixtures/secrets/disguises.ts';
import { harmlessTexts } from '../../../fixtures/secrets/harmless.ts';
import { tokensOf } from '../../../fixtures/secrets/tokens.ts';
import { createTextGuard } from './guard.ts';

const value = 'correct-horse-7-battery';
const check = createTextGuard([{ name: 'SERVICE_KEY', value }, { name: 'the user name', value: 'ada' }]);

test.each(disguises)('createTextGuard() tells a text with a secret $name', ({ pieces }) => {
  expect([...tokensOf(21).map(({ text }) => text), value].filter((text) => !check(pieces(text).join('')))).toEqual([]);
});

test('createTextGuard() tells what messages quote', () => {
  const missed = [...tokensOf(22).map(({ text }) => text), value].flatMap((text) =>
    [`$.params["${text}"].b`, `$.${text}[0]`, `blobs/${text}.txt`, `it is ${JSON.stringify(text)}`, `Cannot accept a.json:3 at $["${text}"]: it is 1, 2 was needed`].filter((shown) => !check(shown)),
  );
  expect(missed).toEqual([]);
});

test('createTextGuard() tells a secret that a message has cut', () => {
  const prefixed = ['openai-key', 'anthropic-key', 'gh-token', 'gitlab-token', 'aws-access-key', 'google-key', 'npm-token', 'stripe-key', 'sendgrid-key', 'huggingface-token', 'slack-token'];
  const texts = [...tokensOf(23).filter(({ kind }) => prefixed.includes(kind)).map(({ text }) => text), value];
  const missed = texts.flatMap((text) => [19, 21, text.length - 1].filter((size) => size < text.length && !check(`it is "${'some words '.repeat(60)}${text.slice(0, size)}…, a name was needed`)).map((size) => `${text} ${size}`));
  expect(missed).toEqual([]);
});

test('createTextGuard() lets messages without a secret through', () => {
  const messages = [
    'it is "a name of some length that was cut…',
    'it is absent',
    'Cannot accept provider/frames.jsonl:41 at $.params["…"]: it is "item/agentMessage/delta", a known method was needed',
    'its SHA-256 is 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
    'it is "task-4f1b2b0b822cd15d6c15b0f0…',
    'it is "the bearer of…',
    'it is "http://127.0.0.1:8080…',
    'it is "sk-…" and "ghp_…"',
    'adapter, Canada, ada_x',
    'correct-horse',
    'corre…',
    '',
  ];
  expect([...messages, ...harmlessTexts(24)].filter(check)).toEqual([]);
});

test('createTextGuard() takes long texts and is fast for short ones', () => {
  expect(check(`${'plain text of no interest\n'.repeat(40_000)}${value}`)).toBe(true);
  expect(check('plain text of no interest\n'.repeat(40_000))).toBe(false);
  const texts = Array.from({ length: 2_000 }, (_, i) => `Cannot accept provider/frames.jsonl:${i} at $.params.items[${i}].text: it is "item-${i} of\\n the list", a list was needed`);
  const best = Math.min(
    ...[1, 2, 3, 4, 5].map(() => {
      const start = performance.now();
      texts.forEach(check);
      return (performance.now() - start) / texts.length;
    }),
  );
  expect(best).toBeLessThan(0.02);
});
