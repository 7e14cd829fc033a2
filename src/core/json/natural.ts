/** Counts as the contract reads them: unsigned integers of 64 bits (cassette-contract 0.1 J6). */

import { isRawNumber, type Json } from './exact.ts';
import { integerOf, u64Max } from './read.ts';

/** The u64 that was written; `undefined` for everything else, a negative zero too: no reader of unsigned integers takes the sign. */
export function naturalOf(value: Json | undefined): bigint | undefined {
  if (isRawNumber(value) && value.rawJSON.startsWith('-')) return undefined;
  const integer = integerOf(value);
  return integer !== undefined && integer >= 0n && integer <= u64Max ? integer : undefined;
}
