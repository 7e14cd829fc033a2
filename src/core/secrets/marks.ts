/** From a place in sifted text back to the input, and whether a line ended there. */

import { hard, soft, type Marks } from './sieve.ts';

export function rawPlace(marks: Marks, out: number): number {
  const i = lastMark(marks, out);
  return i < 0 ? out : (marks.raw[i] as number) + out - (marks.out[i] as number);
}

export function isLineEnd(marks: Marks, out: number): boolean {
  const i = lastMark(marks, out);
  return i >= 0 && marks.out[i] === out && marks.lineEnd[i] !== 0;
}

/** The line ends inside a stretch, without those at its two ends. */
export function lineEndsWithin(marks: Marks, from: number, to: number, kinds: number = hard | soft): number[] {
  const found: number[] = [];
  for (let i = lastMark(marks, from) + 1; i < marks.count && (marks.out[i] as number) < to; i++) if (((marks.lineEnd[i] as number) & kinds) !== 0) found.push(marks.out[i] as number);
  return found;
}

/** Whether a line that ends here was so wide that a terminal may have wrapped it. */
export function isWide(marks: Marks, end: number, columnsMin: number): boolean {
  return end >= columnsMin && lineEndsWithin(marks, end - columnsMin, end, hard).length === 0;
}

function lastMark(marks: Marks, out: number): number {
  let low = 0;
  let high = marks.count;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((marks.out[middle] as number) <= out) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
