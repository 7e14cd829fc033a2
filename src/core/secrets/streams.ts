/** All streams of a scan. A tape may have any number of them: what they hold together is bounded, whatever their keys. */

import type { Hunt } from './hunt.ts';
import type { Found } from './match.ts';
import type { Place } from './place.ts';
import { aheadBytes, createStream, type Budget, type HeldStream } from './stream.ts';

/** Stays usable after its end, as a new stream. */
export type SecretStream = Pick<HeldStream, 'push' | 'end'>;

export type SecretStreams = { of: (key: string) => SecretStream; end: () => void };

type Open = { held: HeldStream; handle: SecretStream; lastUse: number };

/**
 * Above the budget, streams give up first what they have looked through, then long escaped secrets that may be cut at their
 * end, then themselves, the least recently used first. So what is missed is a secret that is split exactly where its stream
 * was given up: none, while there are no more than 3,072 streams of pieces of some hundred bytes.
 */
export function createStreams(options: { hunt: Hunt; report: (found: Found, place: Place) => void }): SecretStreams {
  const { hunt, report } = options;
  const open = new Map<string, Open>();
  const budget: Budget = { bytes: 0 };
  let useCount = 0;
  return { of: (key) => (open.get(key) ?? opened(key)).handle, end: () => [...open.keys()].forEach(end) };

  function opened(key: string): Open {
    if (open.size >= streamCountMax) for (const [oldest] of byAge().slice(0, streamCountMax >> 2)) end(oldest);
    const handle: SecretStream = {
      push(bytes, place) {
        const stream = open.get(key) ?? opened(key);
        stream.lastUse = useCount++;
        stream.held.push(bytes, place);
        if (budget.bytes > heldBytesMax) relieve();
      },
      end: () => end(key),
    };
    const stream: Open = { held: createStream({ hunt, report, budget }), handle, lastUse: useCount++ };
    open.set(key, stream);
    budget.bytes += costOf(key);
    return stream;
  }

  function end(key: string): void {
    const stream = open.get(key);
    if (!stream) return;
    stream.held.end();
    open.delete(key);
    budget.bytes -= costOf(key);
  }

  // Down to half of it, so that the next time is far away.
  function relieve(): void {
    const streams = byAge();
    const inTurn = (lighten: (key: string, stream: Open) => void) => {
      for (const [key, stream] of streams) if (budget.bytes > heldBytesMax >> 1) lighten(key, stream);
    };
    inTurn((_, { held }) => held.flush(aheadBytes));
    inTurn((_, { held }) => held.flush(aheadBytesLeast));
    inTurn(end);
  }

  function byAge(): [string, Open][] {
    return [...open].sort(([, a], [, b]) => a.lastUse - b.lastUse);
  }
}

function costOf(key: string): number {
  return streamBytes + 2 * key.length;
}

const heldBytesMax = 33_554_432;
const streamCountMax = 4_096;
/** A secret without escapes, or in JSON, is shorter. */
const aheadBytesLeast = 1_024;
/** What an open stream costs before it holds anything, measured. */
const streamBytes = 2_048;
