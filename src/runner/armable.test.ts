import { expect, test } from 'vitest';
import { armable } from './armable.ts';

test('armable() is not armed where it is awaited at once', async () => {
  expect(await armable((isArmed) => isArmed)).toBe(false);
});

test('armable() is armed where the caller acts before it waits', async () => {
  const at = armable((isArmed) => isArmed);
  await new Promise(setImmediate);
  expect(await at).toBe(true);
});

test('armable() is not armed inside Promise.all, which waits at once', async () => {
  const [isArmed] = await Promise.all([armable((armed) => armed), new Promise(setImmediate)]);
  expect(isArmed).toBe(false);
});

test('armable() hands failures on', async () => {
  await expect(armable(() => Promise.reject(new Error('no such target')))).rejects.toThrow('no such target');
});
