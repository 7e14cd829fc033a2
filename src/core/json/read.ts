/**
 * Reading members of parsed JSON as the contract means them (cassette-contract 0.1): `null` is absent, integers are exact,
 * white space is Unicode's. A member of a wrong type reads as absent; the shape check has reported it.
 */

import { isObject, isRawNumber, member, type Json, type JsonObject } from './exact.ts';

/** A member, or `undefined` where it is absent or null. */
export function present(value: Json | undefined, key: string): Json | undefined {
  return member(value, key) ?? undefined;
}

export function textAt(value: Json | undefined, key: string): string | undefined {
  const found = present(value, key);
  return typeof found === 'string' ? found : undefined;
}

export function objectAt(value: Json | undefined, key: string): JsonObject | undefined {
  const found = present(value, key);
  return isObject(found) ? found : undefined;
}

export function listAt(value: Json | undefined, key: string): Json[] | undefined {
  const found = present(value, key);
  return Array.isArray(found) ? found : undefined;
}

export function integerAt(value: Json | undefined, key: string): bigint | undefined {
  return integerOf(present(value, key));
}

/** The integer that was written, whatever its size; `undefined` for fractions, exponents (even `1.0`) and everything else. */
export function integerOf(value: Json | undefined): bigint | undefined {
  if (typeof value === 'number' && Number.isSafeInteger(value)) return BigInt(value);
  // By its spelling: beyond 2^53 a float stands for many integers, and BigInt gives another one of them than was written.
  const written = typeof value === 'number' ? String(value) : isRawNumber(value) ? value.rawJSON : '';
  // Longer ones are in no type, and BigInt takes its time with millions of digits.
  return written.length <= integerLengthMax && /^-?\d+$/.test(written) ? BigInt(written) : undefined;
}

/** How a value is shown in an issue: short, and `absent` where there is none. Not for values that may be secret. */
export function shown(value: Json | undefined): string {
  if (value === undefined || value === null) return 'absent';
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (isObject(value)) return 'an object';
  const text = JSON.stringify(value);
  return text.length > shownCharactersMax ? `${text.slice(0, shownCharactersMax)}…` : text;
}

/** Without Unicode white space at both ends. Note: String.prototype.trim also removes U+FEFF and keeps U+0085. */
export function trim(text: string): string {
  // By index: an expression for the end alone takes time with the square of the spaces in the middle.
  let start = 0;
  let end = text.length;
  while (start < end && isSpace(text.charCodeAt(start))) start++;
  while (end > start && isSpace(text.charCodeAt(end - 1))) end--;
  return text.slice(start, end);
}

export function isBlank(text: string | undefined): boolean {
  return text === undefined || trim(text) === '';
}

const integerLengthMax = 40;

export const u64Max = 2n ** 64n - 1n;
export const i64Max = 2n ** 63n - 1n;
export const i64Min = -(2n ** 63n);

function isSpace(c: number): boolean {
  return c <= 32 ? c === 32 || (c >= 9 && c <= 13) : c >= 0x85 && wideSpaces.has(c);
}

const wideSpaces = new Set([0x85, 0xa0, 0x1680, 0x2028, 0x2029, 0x202f, 0x205f, 0x3000, ...Array.from({ length: 11 }, (_, i) => 0x2000 + i)]);
const shownCharactersMax = 80;
