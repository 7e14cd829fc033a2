/** Waits for somebody else's answer, with an end. */

import type { Clock } from './ports.ts';

/** Whether `ending` settles within the limit; rejects where it does. */
export async function endsWithin(ending: Promise<unknown>, limitMs: number, clock: Pick<Clock, 'after'>): Promise<boolean> {
  let cancel = () => {};
  const late = new Promise<false>((resolve) => (cancel = clock.after(limitMs, () => resolve(false))));
  try {
    return await Promise.race([ending.then(() => true), late]);
  } finally {
    cancel();
  }
}

/** What a call gives within the limit; `null` where it fails or takes longer. The call itself goes on. */
export async function within<T>(call: Promise<T>, limitMs: number, clock: Pick<Clock, 'after'>): Promise<T | null> {
  const given = call.catch(() => null);
  return (await endsWithin(given, limitMs, clock)) ? given : null;
}
