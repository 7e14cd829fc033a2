import { expect, test } from 'vitest';
import { endsWithin, within } from './within.ts';

const never = new Promise<never>(() => {});

/** Fires what is waited for by hand. */
function handClock() {
  const calls = new Set<() => void>();
  return {
    after: (_ms: number, call: () => void) => (calls.add(call), () => void calls.delete(call)),
    fire: () => calls.forEach((call) => call()),
    calls,
  };
}

test('within() gives what the call gives, and nothing where it fails or takes too long', async () => {
  const clock = handClock();
  expect(await within(Promise.resolve(7), 100, clock)).toBe(7);
  expect(await within(Promise.reject(new Error('no')), 100, clock)).toBeNull();
  expect(clock.calls.size).toBe(0);
  const late = within(never, 100, clock);
  clock.fire();
  expect(await late).toBeNull();
});

test('endsWithin() tells whether it ended in time, and fails as it does', async () => {
  const clock = handClock();
  expect(await endsWithin(Promise.resolve(), 100, clock)).toBe(true);
  await expect(endsWithin(Promise.reject(new Error('no')), 100, clock)).rejects.toThrow('no');
  const late = endsWithin(never, 100, clock);
  clock.fire();
  expect(await late).toBe(false);
});
