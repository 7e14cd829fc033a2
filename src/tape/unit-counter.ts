/** How many messages end in each chunk of one stream, as whoever reads the tape will count them (cassette-contract 5.10). */

import type { Buffer } from 'node:buffer';
import { ValueStream } from '../core/tape/value-stream.ts';
import type { Json } from '../core/json/exact.ts';

export class UnitCounter {
  #unitCount = 0;
  readonly #values = new ValueStream({ parse, take: () => void this.#unitCount++, fail: () => {}, odd: () => {}, isLenient: false });

  /** Takes the next chunk of the stream. */
  count(bytes: Buffer): number {
    this.#unitCount = 0;
    this.#values.push(bytes);
    return this.#unitCount;
  }
}

function parse(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}
