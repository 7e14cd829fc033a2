import { expect, test } from 'vitest';
import type { Timing } from '../core/verdict/verdict.ts';
import { FakeClock, settle, stateOf } from './fixtures/fake-clock.ts';
import { PlaybackClock } from './playback-clock.ts';

function play(timing: Timing = 'recorded') {
  const clock = new FakeClock();
  const playback = new PlaybackClock(clock, timing);
  return { clock, playback, cursor: playback.createCursor() };
}

/** Real milliseconds until a wait for a recorded time ends, looked at each millisecond. */
async function realMsUntil(timing: Timing, recordedMs: number, before?: (all: ReturnType<typeof play>) => void): Promise<number> {
  const all = play(timing);
  before?.(all);
  let isDue = false;
  void all.cursor.waitUntil(recordedMs).then(() => (isDue = true));
  await settle();
  const startMs = all.clock.now();
  while (!isDue && all.clock.now() - startMs < 2_000) await all.clock.advance(1);
  return all.clock.now() - startMs;
}

test.each<[Timing, number]>([
  ['recorded', 120],
  [0.25, 480],
  [0.5, 240],
  [1, 120],
  [2, 60],
  [4, 30],
  ['instant', 0],
])('a wait of 120 recorded milliseconds at %s takes %i', async (timing, ms) => void expect(await realMsUntil(timing, 120)).toBe(ms));

test('a wait counts from the last consumed outbound, not from the start', async () => {
  expect(await realMsUntil(4, 1120, ({ cursor }) => cursor.jumpTo(1000))).toBe(30);
});

test('a cursor jumps forward and never back', async () => {
  const { clock, cursor } = play();
  await clock.advance(50);
  cursor.jumpTo(20);
  expect(cursor.positionMs).toBe(50);
  cursor.jumpTo(80);
  expect(cursor.positionMs).toBe(80);
  await clock.advance(10);
  expect(cursor.positionMs).toBe(90);
});

test('a connection that starts later begins at zero', async () => {
  const { clock, playback } = play();
  await clock.advance(500);
  expect(playback.createCursor().positionMs).toBe(0);
});

test('a pause freezes playback time and holds a wait until it is resumed', async () => {
  const { clock, playback, cursor } = play();
  const wait = cursor.waitUntil(100);
  await clock.advance(60);
  playback.pause();
  await clock.advance(1_000);
  expect([playback.elapsedMs, playback.isPaused, (await stateOf(wait)).is]).toEqual([60, true, 'waiting']);
  playback.resume();
  await clock.advance(39);
  expect((await stateOf(wait)).is).toBe('waiting');
  await clock.advance(1);
  expect((await stateOf(wait)).is).toBe('done');
});

test('a pause holds every connection of the cassette', async () => {
  const { clock, playback, cursor } = play();
  playback.pause();
  const waits = [cursor, playback.createCursor()].map((each) => each.waitUntil(0));
  await clock.advance(10);
  expect((await Promise.all(waits.map(stateOf))).map((state) => state.is)).toEqual(['waiting', 'waiting']);
  playback.resume();
  expect((await Promise.all(waits.map(stateOf))).map((state) => state.is)).toEqual(['done', 'done']);
});

test('fast-forward overrides a pause, keeps it set, and freezes playback time', async () => {
  const { clock, playback, cursor } = play();
  playback.pause();
  const wait = cursor.waitUntil(5_000);
  playback.setFastForward(true);
  expect((await stateOf(wait)).is).toBe('done');
  await clock.advance(100);
  expect([playback.isPaused, playback.isFastForward, playback.elapsedMs, cursor.positionMs]).toEqual([true, true, 0, 5_000]);
});

test('a change of speed counts from where playback time stands', async () => {
  const { clock, playback, cursor } = play();
  const wait = cursor.waitUntil(100);
  await clock.advance(50);
  playback.setSpeed(2);
  await clock.advance(24);
  expect((await stateOf(wait)).is).toBe('waiting');
  await clock.advance(1);
  expect((await stateOf(wait)).is).toBe('done');
  expect(playback.elapsedMs).toBe(100);
});

test('an aborted wait ends without moving the cursor and leaves no timer', async () => {
  const { clock, cursor } = play();
  const stop = new AbortController();
  const wait = cursor.waitUntil(100, stop.signal);
  await clock.advance(10);
  stop.abort();
  expect((await stateOf(wait)).is).toBe('done');
  expect([cursor.positionMs, clock.timerCount]).toEqual([10, 0]);
});

test.each([3, 0, -1, Number.NaN])('a speed of %s is refused', (speed) => {
  const { playback } = play();
  expect(() => playback.setSpeed(speed)).toThrow('one of 0.25, 0.5, 1, 2, 4 was expected');
  expect(playback.speed).toBe(1);
});

test('a clock says whether a lane waits for its time, and not while it is held for good', async () => {
  const { clock, playback, cursor } = play();
  const waiting = cursor.waitUntil(10_000);
  await settle();
  expect(playback.isWaiting).toBe(true);
  playback.pause();
  await settle();
  expect(playback.isWaiting).toBe(false);
  playback.resume();
  await clock.advance(10_000);
  await waiting;
  expect(playback.isWaiting).toBe(false);
});
