import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { damages } from '../../../fixtures/cassettes/damages.ts';
import { contractDocument } from '../../../scripts/contract-doc.mjs';

test('docs/contract.md is what the catalogue and the damages say', () => {
  expect(readFileSync('docs/contract.md', 'utf8')).toBe(contractDocument());
});

test('no two damages of one file have one title, and there are at least 300', () => {
  const titles = damages.map(({ file, title }) => `${file}: ${title}`);
  expect([new Set(titles).size, titles.length >= 300]).toEqual([titles.length, true]);
});
