import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Findings } from '../issue.ts';
import { FrameReader } from './frame.ts';

const read = (line: Buffer) => {
  const findings = new Findings();
  const frame = new FrameReader(findings.report).read(line, 1);
  return { frame: frame && { ...frame, data: frame.data && Buffer.from(frame.data).toString('hex') }, findings: findings.all };
};

const number = fc.constantFrom('0', '1', '12', '007', '-1', '1.0', '1e3', '999999999999999', '9007199254740993', '18446744073709551616', '"1"', 'null', '');
const id = fc.constantFrom('connection-1', '', 'a"b', 'a\\"b', 'a\\u0062', 'ä', 'a\tb', '\u007f', ' ');
const kind = fc.constantFrom('stdout', 'outbound', 'stderr', 'exit', 'stdin', 'stdouts', '');
const data = fc.constantFrom('', 'YQ==', 'YWI=', 'YWJj', 'YQ', 'YW\\r\\nJj', 'Y-_=', 'YWJ"', 'YQ==","message":"x', 'YWJ\\u004a', 'Ł===', 'YQ==\\');

test('FrameReader reads a line as usual exactly as it reads the same line by its members', () => {
  let usualCount = 0;
  fc.assert(
    fc.property(id, fc.tuple(number, number, number), kind, data, (connectionId, [chunkSeq, globalSeq, elapsedMs], k, d) => {
      const line = `{"connectionId":"${connectionId}","chunkSeq":${chunkSeq},"globalSeq":${globalSeq},"elapsedMs":${elapsedMs},"kind":"${k}","data":"${d}"}`;
      // White space that JSON passes over makes it unusual.
      const [usual, unusual] = [read(Buffer.from(line)), read(Buffer.from(` ${line}`))];
      if (usual.findings.length === 0) usualCount++;
      expect(usual).toEqual(unusual);
    }),
    { numRuns: 5_000 },
  );
  expect(usualCount).toBeGreaterThan(0);
});

test('FrameReader reads a usual line with one changed byte as it reads it by its members', () => {
  const line = Buffer.from('{"connectionId":"connection-1","chunkSeq":12,"globalSeq":34,"elapsedMs":5,"kind":"stdout","data":"YWJjZA=="}');
  fc.assert(
    fc.property(fc.nat({ max: line.length - 1 }), fc.integer({ min: 0, max: 255 }), (at, byte) => {
      const changed = Buffer.from(line);
      changed[at] = byte;
      // A byte order mark cannot come from one byte, so only the place of the first may differ.
      expect(read(changed)).toEqual(read(Buffer.concat([Buffer.from(' '), changed])));
    }),
    { numRuns: 5_000 },
  );
});

test('FrameReader keeps no line and gives its bytes until the next one', () => {
  const reader = new FrameReader(() => {});
  const line = Buffer.from('{"connectionId":"c","chunkSeq":1,"globalSeq":1,"elapsedMs":5,"kind":"stdout","data":"YWJj"}');
  const frame = reader.read(line, 1);
  line.fill(0);
  expect([frame?.connectionId, frame?.data?.toString()]).toEqual(['c', 'abc']);
});
