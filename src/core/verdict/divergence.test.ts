import { expect, test } from 'vitest';
import { createDivergence, DivergenceRegister, divergenceCatalogue, fingerprintOf, layerNames } from './divergence.ts';

const divergence = (code: string) => createDivergence({ layer: 'protocol', code, message: code });

test('the register keeps the first divergence and its time', () => {
  let now = 7;
  const register = new DivergenceRegister(() => now);
  expect([register.first, register.firstAtMs]).toEqual([null, null]);
  const first = register.report(divergence('one'));
  now = 9;
  expect(register.report(divergence('two'))).toBe(first);
  expect([register.first?.code, register.firstAtMs]).toEqual(['one', 7]);
});

test('the register tells each listener once, a late one at once', () => {
  const register = new DivergenceRegister(() => 0);
  const heard: string[] = [];
  register.onFirst((first) => heard.push(`early ${first.code}`));
  register.report(divergence('one'));
  register.report(divergence('two'));
  register.onFirst((first) => heard.push(`late ${first.code}`));
  expect(heard).toEqual(['early one', 'late one']);
});

test('a fingerprint follows layer, code and path without ids and indexes', () => {
  const a = fingerprintOf('protocol', 'outbound_mismatch', '$.params.input[0].items["0a1b2c3d-1111-2222-3333-444455556666"]');
  const b = fingerprintOf('protocol', 'outbound_mismatch', '$.params.input[12].items["ffffffff-1111-2222-3333-444455556666"]');
  expect(a).toBe(b);
  expect(a).toMatch(/^sha256:[0-9a-f]{64}$/);
  expect(new Set([a, fingerprintOf('transport', 'outbound_mismatch', '$.params.input[0]'), fingerprintOf('protocol', 'outbound_extra', null), fingerprintOf('protocol', 'outbound_extra', '$')]).size).toBe(4);
});

test('every code of the catalogue has a layer', () => {
  for (const entry of Object.values(divergenceCatalogue)) expect(layerNames).toContain(entry.layer);
});
