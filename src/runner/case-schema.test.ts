import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { caseSchemaFrom } from './case-schema.ts';

let folder: string;
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'playhead-schema-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const put = (path: string, text = '{}') => {
  mkdirSync(join(folder, path, '..'), { recursive: true });
  writeFileSync(join(folder, path), text);
};

test('caseSchemaFrom() finds the installed package above a case', () => {
  put('node_modules/playhead/schemas/case.schema.json');
  put('cases/hello/case.json');
  expect(caseSchemaFrom(join(folder, 'cases/hello'))).toBe('../../node_modules/playhead/schemas/case.schema.json');
});

test('caseSchemaFrom() finds our own schema in our repository', () => {
  put('package.json', '{"name":"playhead"}');
  put('schemas/case.schema.json');
  expect(caseSchemaFrom(join(folder, 'cases/hello'))).toBe('../../schemas/case.schema.json');
});

test('caseSchemaFrom() names nothing that is not there', () => {
  put('package.json', '{"name":"garden"}');
  put('schemas/case.schema.json');
  expect(caseSchemaFrom(join(folder, 'cases/hello'))).toBe(null);
});
