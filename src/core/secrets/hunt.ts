/** Finds secrets in one stretch of bytes: sieved, looked at closely near the hits, and again inside what was encoded in it. */

import type { Anchors } from './anchors.ts';
import { kinds } from './kinds.ts';
import { isLineEnd, lineEndsWithin, rawPlace } from './marks.ts';
import { matchAt, type Found } from './match.ts';
import { createSieve, hard, type Sifted } from './sieve.ts';
import { readEscape, type Escape } from './unescape.ts';

/** Gives what starts before `until`, in places of the input; what starts later may not be complete. */
export type Hunt = (bytes: Uint8Array, until: number) => Found[];

export function createHunt(anchors: Anchors): Hunt {
  // A sieve owns its buffers, and a deeper look happens while the outer text is still needed.
  const sieves = Array.from({ length: depthMax }, createSieve);
  return (bytes, until) => huntAt(0, bytes, until);

  function huntAt(depth: number, bytes: Uint8Array, until: number): Found[] {
    const sieve = sieves[depth];
    if (!sieve) return [];
    const sifted = sieve(bytes, anchors.trigrams);
    const { hits, runs, nested, slashed } = sifted;
    if (hits.length + runs.length + nested.length + slashed.length === 0) return [];
    const found = findPlain(sifted, anchors, until);
    const deeper = (part: Uint8Array, partUntil: number, placeOf: (place: number) => number) => {
      for (const { start, end, ...rest } of huntAt(depth + 1, part, partUntil)) {
        const [from, to] = [placeOf(start), placeOf(end)];
        if (from < until) found.push({ ...rest, start: from, end: Math.max(to, from + 1) });
      }
    };
    lookIntoBase64(sifted, deeper);
    lookIntoNested(sifted, deeper);
    for (const { from, to } of joinedWindows(slashed, bytes.length)) deeper(withSlashes(bytes.subarray(from, to)), to - from, (place) => from + place);
    return strongest(found);
  }
}

type Deeper = (part: Uint8Array, until: number, placeOf: (place: number) => number) => void;

function findPlain(sifted: Sifted, { byHash }: Anchors, until: number): Found[] {
  const found: Found[] = [];
  const { out, hits, length } = sifted;
  for (const hit of hits) {
    const hash = ((((out[hit - 2] as number) << 10) ^ ((out[hit - 1] as number) << 5) ^ (out[hit] as number)) & 0x7fff) >>> 0;
    for (const anchor of byHash.get(hash) ?? []) {
      const at = hit - 2 - anchor.offset;
      if (at < 0 || at + anchor.bytes.length > length || !isAt(out, at, anchor.bytes)) continue;
      const match = matchAt(sifted, at, anchor);
      if (match && match.start < until) found.push(match);
    }
  }
  return found;
}

/** A run is read in the way that showed readable bytes, as a whole and between the line ends in it. */
function lookIntoBase64({ out, length, runs, marks }: Sifted, deeper: Deeper): void {
  for (const run of runs) {
    let from = run;
    while (from > 0 && (kinds[out[from - 1] as number] as number) < 64) from--;
    // The last character of a quad is at `run`, so that is how the run is cut into quads.
    from += (run + 1 - from) % 4;
    let to = run + 1;
    while (to < length && (kinds[out[to] as number] as number) < 64) to++;
    const decode = (start: number, end: number) => {
      const bytes = Buffer.from(out.toString('latin1', start, end), 'base64');
      // Where the input ends inside a run, the last bytes may belong to something that goes on.
      deeper(bytes, bytes.length, (place) => rawPlace(marks, Math.min(end, start + Math.floor((place * 4) / 3))));
    };
    decode(from, to);
    const ends = lineEndsWithin(marks, from, to);
    if (ends.length > 0) for (const [start, end] of pieces(from, to, ends)) if (end - start >= 16) decode(start + ((from - start) & 3), end);
  }
}

function pieces(from: number, to: number, ends: readonly number[]): [number, number][] {
  return [from, ...ends].map((start, i) => [start, ends[i] ?? to]);
}

/** An escape of an escape: the sifted text around it is sieved again, with its line ends and without. */
function lookIntoNested({ out, length, nested, marks }: Sifted, deeper: Deeper): void {
  const real = nested.filter((place) => readEscape(out, place, length, escape) && (escape.size > 1 || isLineEnd(marks, place + 1)));
  for (const { from, to } of joinedWindows(real, length)) {
    deeper(Buffer.from(out.subarray(from, to)), to - from, (place) => rawPlace(marks, from + place));
    const ends = lineEndsWithin(marks, from, to, hard);
    if (ends.length === 0) continue;
    const lines = pieces(from, to, ends).map(([start, end]) => Buffer.concat([out.subarray(start, end), lineFeed]));
    // Each line end before a place has moved it by one; the first of them that lies behind it has not.
    const moved = (place: number) => ends.findIndex((end, i) => end - from + i >= place);
    deeper(Buffer.concat(lines), to - from + ends.length, (place) => rawPlace(marks, from + place - (moved(place) < 0 ? ends.length : moved(place))));
  }
}

function joinedWindows(places: readonly number[], length: number): { from: number; to: number }[] {
  const windows: { from: number; to: number }[] = [];
  for (const place of places) {
    const last = windows.at(-1);
    if (last && place - windowBytes <= last.to) last.to = Math.min(length, place + windowBytes);
    else windows.push({ from: Math.max(0, place - windowBytes), to: Math.min(length, place + windowBytes) });
  }
  return windows;
}

function withSlashes(bytes: Uint8Array): Uint8Array {
  return bytes.map((byte) => (byte === 0x5c ? 0x2f : byte));
}

/** One place is one finding: a known value before a rule, a rule before a general one. */
function strongest(found: Found[]): Found[] {
  const kept: Found[] = [];
  for (const one of found.sort((a, b) => a.start - b.start || a.rank - b.rank)) {
    const last = kept.at(-1);
    if (!last || one.start >= last.end) kept.push(one);
    else if (one.rank < last.rank) kept[kept.length - 1] = one;
  }
  return kept;
}

function isAt(out: Uint8Array, at: number, bytes: Uint8Array): boolean {
  for (let i = 0; i < bytes.length; i++) if (out[at + i] !== bytes[i]) return false;
  return true;
}

const depthMax = 5;
/** How far around an escape of an escape is looked again. */
const windowBytes = 1_024;
const lineFeed = Buffer.from('\n');
const escape: Escape = { size: 0, code: 0, isByte: false };
