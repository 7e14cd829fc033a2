import { expect, test } from 'vitest';
import { Change } from './signal.ts';

test('a change wakes everybody who waits, once', async () => {
  const change = new Change();
  const woken: string[] = [];
  const first = change.next().then(() => woken.push('a'));
  const second = change.next().then(() => woken.push('b'));
  change.announce();
  await Promise.all([first, second]);
  change.announce();
  expect(woken).toEqual(['a', 'b']);
});

test('a wait ends with its signal, and at once where it is aborted already', async () => {
  const change = new Change();
  const stop = new AbortController();
  const waiting = change.next(stop.signal);
  stop.abort();
  await waiting;
  await change.next(stop.signal);
});

test('a wait that was announced leaves no listener on its signal', async () => {
  const change = new Change();
  const stop = new AbortController();
  let listenerCount = 0;
  const { addEventListener, removeEventListener } = stop.signal;
  stop.signal.addEventListener = (...args: Parameters<typeof addEventListener>) => {
    listenerCount++;
    addEventListener.apply(stop.signal, args);
  };
  stop.signal.removeEventListener = (...args: Parameters<typeof removeEventListener>) => {
    listenerCount--;
    removeEventListener.apply(stop.signal, args);
  };
  const waiting = change.next(stop.signal);
  change.announce();
  await waiting;
  expect(listenerCount).toBe(0);
});
