import { expect, test } from 'vitest';
import { findProvider } from './registry.ts';

test.each([
  ['codex', 'codex'],
  [' Codex ', 'codex'],
  ['clerk', null],
  ['', null],
])('findProvider(%j) is %j', (name, id) => void expect(findProvider(name)?.id ?? null).toBe(id));
