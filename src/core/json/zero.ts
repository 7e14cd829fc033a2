/**
 * Members as the reference reads them: absent is the zero value (cassette-contract 0.1 J4). `null` means a wrong type, about
 * which the shape check has spoken, so that no rule here speaks again.
 */

import { isObject, type Json, type JsonObject } from './exact.ts';
import { naturalOf } from './natural.ts';
import { i64Max, i64Min, integerOf, present } from './read.ts';

export function zeroText(value: Json | undefined, key: string): string | null {
  const found = present(value, key) ?? '';
  return typeof found === 'string' ? found : null;
}

/** A u64. Below zero and beyond 2^64-1 count as a wrong type. */
export function zeroNatural(value: Json | undefined, key: string): bigint | null {
  const found = present(value, key);
  return found === undefined ? 0n : (naturalOf(found) ?? null);
}

/** An i64; beyond it counts as a wrong type. */
export function zeroInteger(value: Json | undefined, key: string): bigint | null {
  const integer = integerOf(present(value, key) ?? 0);
  return integer !== undefined && integer >= i64Min && integer <= i64Max ? integer : null;
}

/** An absent object reads as one without members. */
export function zeroObject(value: Json | undefined, key: string): JsonObject | null {
  const found = present(value, key) ?? {};
  return isObject(found) ? found : null;
}

export function zeroList(value: Json | undefined, key: string): Json[] | null {
  const found = present(value, key) ?? [];
  return Array.isArray(found) ? found : null;
}
