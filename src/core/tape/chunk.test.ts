import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isGatedExit, parseChunkLine, payloadBytesOf, writeChunkLine, type Chunk, type ChunkKind } from './chunk.ts';

const good = { connectionId: 'connection-1', chunkSeq: 1, globalSeq: 1, elapsedMs: 0, kind: 'stdout', data: 'YQ==' };

const check = (change: object, sentence: string | null) => {
  const parsed = parseChunkLine(JSON.stringify({ ...good, ...change }));
  expect(typeof parsed === 'string' ? parsed : null).toBe(sentence);
};

test.each<[object, string | null]>([
  [{}, null],
  [{ data: undefined }, null],
  [{ data: 'YW\r\nJj' }, null],
  [{ extra: { kept: true } }, null],
  [{ kind: 'exit', data: undefined, exitCode: 0 }, null],
  [{ connectionId: 1 }, 'connectionId: it is 1'],
  [{ chunkSeq: 1.5 }, 'chunkSeq: it is 1.5'],
  [{ globalSeq: '1' }, 'globalSeq: it is "1"'],
  [{ elapsedMs: 2 ** 53 }, 'elapsedMs: it is 9007199254740992'],
  [{ elapsedMs: null }, 'elapsedMs: it is absent'],
  [{ elapsedMs: -1 }, 'elapsedMs: it is -1'],
  [{ kind: 'stdin' }, 'kind: it is "stdin"'],
  [{ data: 'YQ' }, 'data: it is no padded base64'],
  [{ data: 'Y-_=' }, 'data: it is no padded base64'],
  [{ data: 7 }, 'data: it is 7'],
  [{ kind: 'exit' }, 'exitCode: it is absent'],
  [{ exitCode: 'x' }, 'exitCode: it is "x"'],
  [{ message: 7 }, 'message: it is 7'],
])('parseChunkLine() with %j says %j', check);

test.each(['', '{', '[]', 'null', '7'])('parseChunkLine() refuses %j', (text) => void expect(typeof parseChunkLine(text)).toBe('string'));

test('parseChunkLine() gives back what writeChunkLine() wrote', () => {
  const data = fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes));
  const stream = fc.record({ kind: fc.constantFrom<ChunkKind>('outbound', 'stdout', 'stderr'), data, exitCode: fc.constant(null), message: fc.constant(null) });
  const exit = fc.record({ kind: fc.constant<ChunkKind>('exit'), data: fc.constant(Buffer.alloc(0)), exitCode: fc.integer({ min: 0, max: 255 }), message: fc.option(fc.string({ minLength: 1 })) });
  const place = fc.record({ connectionId: fc.string({ minLength: 1 }), chunkSeq: fc.nat(), globalSeq: fc.nat(), elapsedMs: fc.nat() });
  fc.assert(
    fc.property(place, fc.oneof(stream, exit), (where, what) => {
      const chunk: Chunk = { ...where, ...what };
      const line = writeChunkLine(chunk);
      expect(line.indexOf('\n')).toBe(line.length - 1);
      expect(parseChunkLine(line)).toEqual(chunk);
    }),
  );
});

test('writeChunkLine() leaves empty data and an empty message out', () => {
  const chunk: Chunk = { connectionId: 'c', chunkSeq: 1, globalSeq: 2, elapsedMs: 3, kind: 'stdout', data: Buffer.alloc(0), exitCode: null, message: '' };
  expect(writeChunkLine(chunk)).toBe('{"connectionId":"c","chunkSeq":1,"globalSeq":2,"elapsedMs":3,"kind":"stdout"}\n');
});

test.each<[string | null, boolean]>([
  ['stdin-eof', true],
  ['signal:SIGTERM', true],
  ['self', false],
  [null, false],
])('an exit with message %j is gated: %s', (message, expected) => void expect(isGatedExit({ kind: 'exit', message })).toBe(expected));

test('payloadBytesOf() counts data and message in bytes', () => {
  expect(payloadBytesOf({ data: Buffer.from('ab'), message: 'ä' })).toBe(4);
});
