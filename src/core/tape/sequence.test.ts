import { expect, test } from 'vitest';
import { Sequence } from './sequence.ts';

/** The places, from 0, at which something was found. */
const check = (values: number[], found: number[]) => {
  const sequence = new Sequence();
  expect(values.flatMap((value, i) => (sequence.take(value) === 0 ? [] : [i]))).toEqual(found);
};

test.each<[string, number[], number[]]>([
  ['nothing', [], []],
  ['one after another', [1, 2, 3, 4], []],
  ['a first one missing', [2, 3, 4], [0]],
  ['one missing', [1, 3, 4, 5], [1]],
  ['many missing', [1, 9, 10, 11], [1]],
  ['one wrong', [1, 9, 3, 4], [1]],
  ['one zero', [1, 0, 3, 4], [1]],
  ['one twice', [1, 2, 2, 3, 4], [2]],
  ['two swapped', [1, 3, 2, 4, 5], [1]],
  ['two wrong ones', [1, 9, 3, 8, 5], [1, 3]],
  ['two wrong neighbours', [1, 9, 7, 4, 5], [1, 2]],
  ['the last one wrong', [1, 2, 9], [2]],
  ['one that was found wrong already', [1, Number.NaN, 3], []],
  ['all zero', [0, 0, 0], [0, 1, 2]],
])('Sequence with %s', (_title, values, found) => check(values, found));

test('Sequence explains as many missing numbers as are sure, once', () => {
  const sequence = new Sequence();
  for (const value of [1, 4]) sequence.take(value);
  expect([sequence.explains(1), sequence.explains(2), sequence.explains(1), sequence.explains(1)]).toEqual([true, false, true, false]);
  sequence.take(5);
  sequence.skip();
  expect([sequence.explains(1), sequence.explains(1), sequence.explains(0), sequence.explains(-1)]).toEqual([true, false, false, false]);
});

test('Sequence takes back what a single wrong number seemed to explain', () => {
  const sequence = new Sequence();
  for (const value of [1, 9, 3]) sequence.take(value);
  expect(sequence.explains(1)).toBe(false);
});
