import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { openapiDocument } from '../../scripts/openapi.mjs';

test('docs/openapi.json is what the routes say', async () => {
  expect(readFileSync('docs/openapi.json', 'utf8')).toBe(await openapiDocument());
});

test('docs/openapi.json gives every operation a token', async () => {
  const { paths } = JSON.parse(await openapiDocument()) as { paths: { [path: string]: { [method: string]: { security: unknown[] } } } };
  const operations = Object.entries(paths).flatMap(([path, methods]) => Object.entries(methods).map(([method, { security }]) => ({ operation: `${method} ${path}`, tokens: security.length })));
  expect(operations.filter(({ operation }) => !/replay|recording/.test(operation))).toHaveLength(11);
  expect(operations.filter(({ tokens }) => tokens === 0)).toEqual([]);
});
