import fc from 'fast-check';
import { expect, test } from 'vitest';
import { FrameReader, payloadBytesMax, wireKinds, writeFrame, writeHeader, type WireKind } from './wire.ts';

const kinds = Object.values(wireKinds);
const streams: readonly WireKind[] = [wireKinds.stdin, wireKinds.stdout, wireKinds.stderr];

/** Reads with these cuts; slices of one stream payload that follow one another are joined again. */
function read(bytes: Buffer, cuts: readonly number[]): { kind: WireKind; text: string }[] {
  const frames: { kind: WireKind; text: string }[] = [];
  const reader = new FrameReader((kind, payload) => void frames.push({ kind, text: payload.toString('latin1') }));
  const at = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
  at.slice(1).forEach((end, i) => reader.push(Buffer.from(bytes.subarray(at[i], end))));
  return frames;
}

function joined(frames: { kind: WireKind; text: string }[]): { kind: WireKind; text: string }[] {
  const out: { kind: WireKind; text: string }[] = [];
  for (const frame of frames) {
    const last = out.at(-1);
    if (last && last.kind === frame.kind && streams.includes(frame.kind)) last.text += frame.text;
    else out.push({ ...frame });
  }
  return out;
}

test('FrameReader gives the frames that were written, at any read boundaries', () => {
  const frame = fc.record({ kind: fc.constantFrom(...kinds), payload: fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes)) });
  fc.assert(
    fc.property(fc.array(frame, { maxLength: 8 }), fc.array(fc.nat(), { maxLength: 12 }), (frames, cuts) => {
      const bytes = Buffer.concat(frames.map(({ kind, payload }) => writeFrame(kind, payload)));
      const wanted = frames.map(({ kind, payload }) => ({ kind, text: payload.toString('latin1') }));
      expect(joined(read(bytes, cuts))).toEqual(joined(wanted));
    }),
  );
});

test('FrameReader hands stream payloads on as they arrive, and control frames only whole', () => {
  const bytes = Buffer.concat([writeFrame(wireKinds.stdout, Buffer.from('abcdef')), writeFrame(wireKinds.signal, 'SIGTERM')]);
  expect(read(bytes, [7, 9, 14])).toEqual([
    { kind: wireKinds.stdout, text: 'ab' },
    { kind: wireKinds.stdout, text: 'cd' },
    { kind: wireKinds.stdout, text: 'ef' },
    { kind: wireKinds.signal, text: 'SIGTERM' },
  ]);
});

test('FrameReader refuses a length that no stand-in sends', () => {
  const reader = new FrameReader(() => {});
  expect(() => reader.push(writeHeader(wireKinds.stdin, payloadBytesMax + 1))).toThrow(`at most ${payloadBytesMax} were expected`);
});

test.each<[string, Parameters<typeof writeFrame>[1], string]>([
  ['nothing', null, ''],
  ['text', 'SIGTERM', 'SIGTERM'],
  ['an object', { code: 0 }, '{"code":0}'],
  ['bytes', Buffer.from([0, 255]), '\u0000\u00ff'],
])('writeFrame() of %s', (_title, payload, text) => void expect(read(writeFrame(wireKinds.exit, payload), [])).toEqual([{ kind: wireKinds.exit, text }]));
