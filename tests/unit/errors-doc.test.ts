import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { errorsDocument } from '../../scripts/errors-doc.mjs';
import { faultCatalogue } from '../../src/core/fault-catalogue.ts';
import { issueCatalogue } from '../../src/core/issue-catalogue.ts';
import { divergenceCatalogue } from '../../src/core/verdict/divergence.ts';

const text = readFileSync('docs/errors.md', 'utf8');

test('docs/errors.md is what the catalogues say', () => {
  expect(text).toBe(errorsDocument());
});

test('docs/errors.md has a place to link to for every code', () => {
  const codes = [...Object.keys(faultCatalogue), ...Object.keys(issueCatalogue), ...Object.keys(divergenceCatalogue)];
  expect(codes.filter((code) => !text.includes(`### ${code}\n`))).toEqual([]);
});
