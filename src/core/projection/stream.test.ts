import fc from 'fast-check';
import { expect, test } from 'vitest';
import { StreamProjector, type ProjectLine } from './stream.ts';

const same: ProjectLine = (line) => line;
const loud: ProjectLine = (line) => (line.includes('!') ? Buffer.from(`<${line.toString().trim()}>\n`) : line);

function run(projectLine: ProjectLine, chunks: readonly string[]): { after: string[][]; all: string[] } {
  const projector = new StreamProjector<number>(projectLine);
  const text = (released: { chunk: number; bytes: Buffer }[]) => released.map(({ chunk, bytes }) => `${chunk}:${bytes.toString()}`);
  const after = chunks.map((chunk, i) => text(projector.push(i, Buffer.from(chunk))));
  after.push(text(projector.flush()));
  return { after, all: after.flat() };
}

const check = (chunks: string[], released: string[][]) => {
  expect(run(loud, chunks).after).toEqual(released);
};

test.each<[string, string[], string[][]]>([
  ['a whole line passes at once', ['ab\n'], [['0:ab\n'], []]],
  ['a chunk waits for the end of its line', ['a', 'b\n'], [[], ['0:a', '1:b\n'], []]],
  ['an unchanged line keeps its bytes in their chunks', ['a', 'b', 'c\nd\n'], [[], [], ['0:a', '1:b', '2:c\nd\n'], []]],
  ['a changed line moves into the chunk of its last byte', ['a', '!', 'c\nd\n'], [[], [], ['0:', '1:', '2:<a!c>\nd\n'], []]],
  ['a chunk with an open line waits with what it has', ['x\na', '!\n'], [[], ['0:x\n', '1:<a!>\n'], []]],
  ['a flood without an end of line at the end of reads is released', ['a\nb', 'b\nc', 'c\nd'], [[], ['0:a\nb'], ['1:b\nc'], ['2:c\nd']]],
  ['the unfinished tail counts as a line', ['a!', 'b'], [[], [], ['0:', '1:<a!b>\n']]],
  ['an empty chunk keeps its place', ['a', '', 'b\n'], [[], [], ['0:a', '1:', '2:b\n'], []]],
])('StreamProjector: %s', (_title, chunks, released) => check(chunks, released));

const cut = fc.array(fc.stringMatching(/^[ab!\n]{0,6}$/), { maxLength: 12 });

test('StreamProjector gives every chunk unchanged and in order where no line changes', () => {
  fc.assert(fc.property(cut, (chunks) => void expect(run(same, chunks).all).toEqual(chunks.map((chunk, i) => `${i}:${chunk}`))));
});

test('StreamProjector releases every chunk once, in order, with the projected text, however the text is cut', () => {
  fc.assert(
    fc.property(cut, (chunks) => {
      const { all } = run(loud, chunks);
      expect(all.map((item) => Number(item.split(':')[0]))).toEqual(chunks.map((_, i) => i));
      const text = chunks.join('');
      const lines = text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
      const wanted = lines.map((line) => loud(Buffer.from(line)).toString()).join('');
      expect(all.map((item) => item.slice(item.indexOf(':') + 1)).join('')).toBe(wanted);
    }),
  );
});
