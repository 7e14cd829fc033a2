import fc from 'fast-check';
import { expect, test } from 'vitest';
import { LineSplitter, messagesOf } from './lines.ts';

test('LineSplitter gives whole lines and the rest, wherever the reads were cut', () => {
  const reads = fc.array(fc.uint8Array({ maxLength: 8 }).map((bytes) => Buffer.from(bytes.map((byte) => (byte % 4 === 0 ? 10 : byte)))));
  fc.assert(
    fc.property(reads, (list) => {
      const splitter = new LineSplitter();
      const lines = list.flatMap((read) => splitter.push(read));
      const pending = splitter.pendingBytes;
      const rest = splitter.take();
      expect(Buffer.concat([...lines, rest])).toEqual(Buffer.concat(list));
      expect(lines.every((line) => line.indexOf(10) === line.length - 1)).toBe(true);
      expect(rest.includes(10)).toBe(false);
      expect([pending, splitter.pendingBytes]).toEqual([rest.length, 0]);
    }),
  );
});

test.each<[string, string[]]>([
  ['{"a":1}\n{"b":2}\n', ['{"a":1}\n', '{"b":2}\n']],
  ['\n \n{"a":1}', ['{"a":1}']],
  ['', []],
])('messagesOf(%j)', (send, messages) => void expect(messagesOf(Buffer.from(send)).map(String)).toEqual(messages));
