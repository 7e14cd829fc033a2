/** Bytes in pieces: what is complete is hunted through in blocks, and enough stays to complete what a piece has cut. */

import type { Hunt } from './hunt.ts';
import type { Found } from './match.ts';
import type { Place } from './place.ts';

export type HeldStream = {
  /** The bytes may be reused afterwards. */
  push: (bytes: Uint8Array, place: Place) => void;
  /** Looks through what is held, except for so many bytes at its end, and keeps little more than those. */
  flush: (aheadBytes: number) => void;
  /** Looks through the rest and holds nothing more. */
  end: () => void;
};

/** What all streams of a scan hold, notes of places included. */
export type Budget = { bytes: number };

/** Holds no more than its pieces need, so that a stream of one short piece costs little. */
export function createStream(options: { hunt: Hunt; report: (found: Found, place: Place) => void; budget: Budget }): HeldStream {
  const { hunt, report, budget } = options;
  let held = Buffer.alloc(0);
  let length = 0;
  /** What starts before this place was reported by an earlier look. */
  let done = 0;
  let pieces: { start: number; place: Place }[] = [];

  return {
    push(bytes, place) {
      if (bytes.length === 0) return;
      pieces.push({ start: length, place });
      budget.bytes += costOf(place);
      for (let at = 0; at < bytes.length; ) {
        const taken = bytes.subarray(at, at + Math.max(blockBytes - length, 1));
        add(taken);
        at += taken.length;
        if (length >= blockBytes) look(aheadBytes);
      }
    },
    flush(ahead) {
      look(ahead);
      if (held.length > 2 * length) resize(length);
    },
    end() {
      look(0);
      forget(length);
      resize(0);
    },
  };

  function add(bytes: Uint8Array): void {
    if (length + bytes.length > held.length) resize(Math.min(blockBytes, Math.max(2 * held.length, length + bytes.length)));
    held.set(bytes, length);
    length += bytes.length;
  }

  function resize(bytes: number): void {
    const other = Buffer.allocUnsafeSlow(bytes);
    held.copy(other, 0, 0, length);
    budget.bytes += bytes - held.length;
    held = other;
  }

  function look(ahead: number): void {
    const until = length - ahead;
    if (until <= done) return;
    for (const found of hunt(held.subarray(0, length), until)) if (found.start >= done) report(found, placeOf(found.start));
    done = until;
    forget(Math.max(0, until - behindBytes));
  }

  function forget(count: number): void {
    const kept = pieces.filter((_, i) => (pieces[i + 1]?.start ?? length) > count);
    for (const { place } of pieces.slice(0, pieces.length - kept.length)) budget.bytes -= costOf(place);
    for (const piece of kept) piece.start -= count;
    pieces = kept;
    held.copyWithin(0, count, length);
    length -= count;
    done = Math.max(0, done - count);
  }

  function placeOf(at: number): Place {
    let low = 0;
    for (let high = pieces.length; high - low > 1; ) {
      const middle = (low + high) >> 1;
      if ((pieces[middle] as { start: number }).start <= at) low = middle;
      else high = middle;
    }
    return (pieces[low] as { place: Place }).place;
  }
}

function costOf({ path }: Place): number {
  return pieceBytes + 2 * (path?.length ?? 0);
}

/** A secret with all its escapes is shorter than what stays. */
export const aheadBytes = 8_192;
const behindBytes = 256;
const blockBytes = 262_144;
/** A place and the note of where it begins, as V8 keeps them. */
const pieceBytes = 128;
