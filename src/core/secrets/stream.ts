/** Bytes in pieces: what is complete is hunted through in blocks, and enough stays to complete what a piece has cut. */

import type { Hunt } from './hunt.ts';
import type { Found } from './match.ts';
import type { Place } from './place.ts';

export type SecretStream = {
  /** The bytes may be reused afterwards. */
  push: (bytes: Uint8Array, place: Place) => void;
  /** Looks through what is held, as far as it is complete, and keeps little. */
  flush: () => void;
  end: () => void;
};

/** What all streams of a scan hold, and when that is too much. */
export type Budget = { bytes: number; bytesMax: number };

/** `budget` counts what all streams hold; `relieve` is asked to flush them when it is spent. */
export function createStream(options: { hunt: Hunt; report: (found: Found, place: Place) => void; budget: Budget; relieve: () => void }): SecretStream {
  const { hunt, report, budget, relieve } = options;
  let held = Buffer.alloc(0);
  let length = 0;
  /** What starts before this place was reported by an earlier look. */
  let done = 0;
  let pieces: { start: number; place: Place }[] = [];

  return {
    push(bytes, place) {
      pieces.push({ start: length, place });
      for (let at = 0; at < bytes.length; ) {
        const taken = bytes.subarray(at, at + Math.max(blockBytes - length, 1));
        add(taken);
        at += taken.length;
        if (length >= blockBytes) look(false);
      }
      if (budget.bytes > budget.bytesMax) relieve();
    },
    flush: () => look(false),
    end() {
      look(true);
      budget.bytes -= held.length;
      held = Buffer.alloc(0);
    },
  };

  function add(bytes: Uint8Array): void {
    if (length + bytes.length > held.length) resize(Math.min(blockBytes, Math.max(2 * held.length, length + bytes.length, firstBytes)));
    held.set(bytes, length);
    length += bytes.length;
  }

  function resize(bytes: number): void {
    const larger = Buffer.allocUnsafeSlow(bytes);
    held.copy(larger, 0, 0, length);
    budget.bytes += bytes - held.length;
    held = larger;
  }

  function look(isLast: boolean): void {
    const until = isLast ? length : length - aheadBytes;
    if (until <= done && !isLast) return;
    for (const found of hunt(held.subarray(0, length), until)) if (found.start >= done) report(found, placeOf(found.start));
    const kept = isLast ? length : Math.max(0, until - behindBytes);
    pieces = pieces.filter(({ start }, i) => start >= kept || (pieces[i + 1]?.start ?? length) > kept).map(({ start, place }) => ({ start: start - kept, place }));
    held.copyWithin(0, kept, length);
    length -= kept;
    done = until - kept;
    if (!isLast && held.length > 2 * (length + firstBytes)) resize(length + firstBytes);
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

/** A secret with all its escapes is shorter than what stays. */
const aheadBytes = 8_192;
const behindBytes = 256;
const blockBytes = 262_144;
const firstBytes = 2_048;
