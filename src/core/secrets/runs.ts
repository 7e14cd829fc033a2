/** Runs of base64 that may hold a text, found without decoding them. */

import { kinds } from './kinds.ts';

/**
 * Four ways to cut a run of base64 into quads; a text of twenty bytes shows six readable quads in a row in one of them.
 * So every fourth quad of each way is looked at, and its neighbours only if it is readable. The first place of each way is enough.
 */
export function noteRuns(out: Uint8Array, length: number, { words, runs }: { words: Int32Array; runs: number[] }): void {
  const known = [0, 0, 0, 0];
  for (let at = 0; at + 7 < length; at += 16) {
    if (((belowBase64(words[at >> 2] as number) | belowBase64(words[(at >> 2) + 1] as number)) & 0x8080_8080) !== 0) continue;
    const quad = (sextetAt(out, at) << 18) | (sextetAt(out, at + 1) << 12) | (sextetAt(out, at + 2) << 6) | sextetAt(out, at + 3);
    const next = (quad << 6) | sextetAt(out, at + 4);
    const third = (next << 6) | sextetAt(out, at + 5);
    const last = (third << 6) | sextetAt(out, at + 6);
    if ((highBits(quad) & highBits(next) & highBits(third) & highBits(last)) !== 0) continue;
    for (let end = at + 3; end <= at + 6; end++) {
      if (end < (known[end & 3] as number) || !isReadable(quadAt(out, end)) || !hasNeighbours(out, end, length)) continue;
      runs.push(end);
      known[end & 3] = runEnd(out, end, length);
    }
  }
}

/** Has the high bit of a byte set where that byte is below `+`, as blanks and quotes are. */
function belowBase64(word: number): number {
  return (word - 0x2b2b_2b2b) & ~word;
}

/** Not 0 where a byte of a quad has its high bit set. */
function highBits(quad: number): number {
  const bits = quad & 0x80_8080;
  return (bits | (bits >> 8) | (bits >> 16)) & 0x80;
}

function runEnd(out: Uint8Array, from: number, length: number): number {
  let end = from;
  while (end < length && sextetAt(out, end) < 64) end++;
  return end;
}

/** Whether the quad that ends at `last` is one of four readable ones in a row. */
function hasNeighbours(out: Uint8Array, last: number, length: number): boolean {
  let count = 1;
  for (let at = last - 4; at >= 3 && isReadable(quadAt(out, at)); at -= 4) count++;
  for (let at = last + 4; count < 4 && at < length && isReadable(quadAt(out, at)); at += 4) count++;
  return count >= 4;
}

/** The three bytes of a quad, or -1 where a character of it is not base64. */
function quadAt(out: Uint8Array, last: number): number {
  const a = sextetAt(out, last - 3);
  const b = sextetAt(out, last - 2);
  const c = sextetAt(out, last - 1);
  const d = sextetAt(out, last);
  return ((a | b | c | d) & 64) !== 0 ? -1 : (a << 18) | (b << 12) | (c << 6) | d;
}

function sextetAt(out: Uint8Array, at: number): number {
  return kindOf[out[at] as number] as number;
}

/** Three bytes at once: the high bit clear and one of the two below set, which is 0x20 to 0x7f. */
function isReadable(quad: number): boolean {
  return ((((quad & 0x60_6060) + 0x60_6060) & ~quad) & 0x80_8080) === 0x80_8080;
}

// Note: V8 reads an imported constant anew in every round of a loop.
const kindOf = kinds;
