import { expect, test } from 'vitest';
import { emptyStamp, type ProcessFrame } from '../../core/ports.ts';
import { FrameQueue } from './frame-queue.ts';

const output = (text: string): ProcessFrame => ({ stamp: emptyStamp, kind: 'stdout', bytes: Buffer.from(text) });
const exit: ProcessFrame = { stamp: emptyStamp, kind: 'exit', exitCode: 0, message: null };

function openQueue() {
  const calls: string[] = [];
  const queue = new FrameQueue({ bytesMax: 4, onFull: () => calls.push('full'), onRoom: () => calls.push('room') });
  return { queue, calls };
}

test('FrameQueue gives frames in the order of their arrival and null after the end', async () => {
  const { queue } = openQueue();
  const early = queue.take();
  for (const frame of [output('a'), output('b'), exit]) queue.push(frame);
  queue.end();
  expect([await early, await queue.take(), await queue.take(), await queue.take(), await queue.take()]).toEqual([output('a'), output('b'), exit, null, null]);
});

test('FrameQueue ends a wait', async () => {
  const { queue } = openQueue();
  const waiting = queue.take();
  queue.end();
  expect(await waiting).toBe(null);
});

test('FrameQueue holds output up while it is full', async () => {
  const { queue, calls } = openQueue();
  queue.push(output('abc'));
  queue.push(output('def'));
  expect(calls).toEqual(['full']);
  await queue.take();
  expect(calls).toEqual(['full', 'room']);
});

test('FrameQueue drops output that is too much while closing, and never the exit', async () => {
  const { queue } = openQueue();
  queue.startClosing();
  for (const frame of [output('abc'), output('def'), exit]) queue.push(frame);
  expect([await queue.take(), await queue.take()]).toEqual([output('abc'), exit]);
});
