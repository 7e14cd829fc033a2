/**
 * One pass over bytes that is cheap for text without secrets: it writes the text without escapes and line ends,
 * and notes where three bytes could begin something and where base64 could hold a text.
 */

import { kinds, special } from './kinds.ts';
import { noteRuns } from './runs.ts';
import { lineBreak, readEscape, softBreak, type Escape } from './unescape.ts';

/** `knownTrigram` at the hash of a trigram of every anchor, else 0. */
export type Trigrams = Uint8Array;

export type Sifted = {
  out: Buffer;
  /** The same bytes, four at once. */
  words: Int32Array;
  length: number;
  /** Places in `out` of the last byte of a known trigram. */
  hits: number[];
  /** Places in `out` where a base64 run has shown twelve readable bytes. */
  runs: number[];
  /** Places in `out` where an escape has uncovered the beginning of another. */
  nested: number[];
  /** Places in the input where a backslash could stand before a name: `\npm_…` is a path or the end of a line. */
  slashed: number[];
  /** Where the distance between `out` and input changes, and whether a line ended there: 1 a hard end, 2 a soft one. */
  marks: Marks;
};

export type Marks = { count: number; out: Int32Array; raw: Int32Array; lineEnd: Uint8Array };

/** Owns its buffers: what it returns stands until the next call. */
export function createSieve(): (bytes: Uint8Array, trigrams: Trigrams) => Sifted {
  let sifted = createSifted(0);
  return (bytes, trigrams) => {
    // A code point takes at most as many bytes as its shortest escape.
    if (sifted.out.length < bytes.length + 4) sifted = createSifted(Math.max(2 * sifted.out.length, bytes.length + 4));
    sift(bytes, trigrams, sifted);
    return sifted;
  };
}

/** Three bytes in 15 bits; the next byte shifts the oldest out. */
export function hashOf(first: number, second: number, third: number): number {
  return ((first << 10) ^ (second << 5) ^ third) & 0x7fff;
}

export const trigramCount = 0x8000;
export const knownTrigram = 0x80;

function sift(bytes: Uint8Array, trigrams: Trigrams, into: Sifted): void {
  into.hits.length = into.runs.length = into.nested.length = into.slashed.length = 0;
  into.marks.count = into.length = 0;
  const end = bytes.length;
  for (let at = copyPlain(bytes, 0, trigrams, into); at < end; at = copyPlain(bytes, at, trigrams, into)) at = readSpecial(bytes, at, trigrams, into);
  noteRuns(into.out, into.length, into);
}

/** The loop that decides how fast a scan is: copies up to the next byte that could begin an escape. */
function copyPlain(bytes: Uint8Array, from: number, trigrams: Trigrams, into: Sifted): number {
  const { out } = into;
  const end = bytes.length;
  let length = into.length;
  let hash = length > 1 ? hashOf(0, out[length - 2] as number, out[length - 1] as number) : 0;
  let at = from;
  for (; at < end; at++) {
    const byte = bytes[at] as number;
    const kind = kindOf[byte] as number;
    hash = ((hash << 5) ^ byte) & 0x7fff;
    // One branch for both: a known trigram is larger than every kind.
    if (((trigrams[hash] as number) | kind) >= special) {
      if (kind === special) break;
      into.hits.push(length);
    }
    out[length++] = byte;
  }
  into.length = length;
  return at;
}

/** Gives the place after it. */
function readSpecial(bytes: Uint8Array, at: number, trigrams: Trigrams, into: Sifted): number {
  const byte = bytes[at] as number;
  if (!readEscape(bytes, at, bytes.length, escape)) {
    if (isBroken(bytes, at)) into.nested.push(into.length);
    write(byte, trigrams, into);
    return at + 1;
  }
  const { code, size, isByte } = escape;
  if (byte === backslash && (code < 0 || code === tab)) noteSlashed(bytes, at, size, trigrams, into);
  if (code >= 0) {
    if (code < 0x80 && kindOf[code] === special) into.nested.push(into.length);
    if (code < 0x80 || isByte) write(code, trigrams, into);
    else for (const part of Buffer.from(String.fromCodePoint(code))) write(part, trigrams, into);
  }
  // A byte that stands for itself moves nothing.
  if (size > 1 || code < 0) mark(into.marks, into.length, at + size, code === lineBreak ? hard : code === softBreak ? soft : 0);
  return at + size;
}

/** Whether something may stand inside the escape that begins here: a line end, or an escape of its own. */
function isBroken(bytes: Uint8Array, at: number): boolean {
  const end = Math.min(bytes.length, at + escapeBytesMax);
  for (let next = at + 1; next < end; next++) if (kindOf[bytes[next] as number] === special) return true;
  return false;
}

function write(byte: number, trigrams: Trigrams, into: Sifted): void {
  const { out, length } = into;
  if (length > 1 && trigrams[hashOf(out[length - 2] as number, out[length - 1] as number, byte)] !== 0) into.hits.push(length);
  out[length] = byte;
  into.length = length + 1;
}

/** A letter that an escape has taken may have been the first of a name after a backslash. */
function noteSlashed(bytes: Uint8Array, at: number, size: number, trigrams: Trigrams, into: Sifted): void {
  const letter = at + size - 1;
  if (trigrams[hashOf(bytes[letter] as number, bytes[letter + 1] ?? 0, bytes[letter + 2] ?? 0)] !== 0) into.slashed.push(at);
}

function mark(marks: Marks, out: number, raw: number, lineEnd: number): void {
  const last = marks.count - 1;
  if (last >= 0 && marks.out[last] === out) {
    marks.raw[last] = raw;
    marks.lineEnd[last] = (marks.lineEnd[last] as number) | lineEnd;
    return;
  }
  marks.out[marks.count] = out;
  marks.raw[marks.count] = raw;
  marks.lineEnd[marks.count++] = lineEnd;
}

function createSifted(bytes: number): Sifted {
  const words = new Int32Array((bytes >> 2) + 1);
  return {
    out: Buffer.from(words.buffer),
    words,
    length: 0,
    hits: [],
    runs: [],
    nested: [],
    slashed: [],
    marks: { count: 0, out: new Int32Array(bytes + 1), raw: new Int32Array(bytes + 1), lineEnd: new Uint8Array(bytes + 1) },
  };
}

const escapeBytesMax = 9;
const [tab, backslash] = [0x09, 0x5c] as const;
export const [hard, soft] = [1, 2] as const;
const escape: Escape = { size: 0, code: 0, isByte: false };
// Note: V8 reads an imported constant anew in every round of a loop.
const kindOf = kinds;
