/** JSON as the reference writes it (cassette-contract 4.7): hashes are over these exact bytes, and files are written alike. */

import { Buffer } from 'node:buffer';
import type { Json } from './exact.ts';

/** Compact JSON; members stay in insertion order, a kept number in its spelling (cassette-contract 0.3, 4.7). */
export function writeGoJson(value: Json): string {
  return escape(JSON.stringify(value));
}

/** A document as the publisher writes it: two spaces a level and a line feed at the end (cassette-contract 1.4). */
export function writeGoDocument(value: Json): string {
  return `${escape(JSON.stringify(value, null, 2))}\n`;
}

/**
 * A map whose keys come from outside, in byte order. Written from entries because a JS object moves names like `10` to the
 * front, whatever order they were set in (cassette-contract 4.7).
 */
export function writeGoMap(entries: Iterable<readonly [string, Json]>): string {
  const sorted = [...entries].sort(([a], [b]) => compareBytes(a, b));
  return `{${sorted.map(([key, value]) => `${writeGoJson(key)}:${writeGoJson(value)}`).join(',')}}`;
}

/** Byte order of the UTF-8 form. UTF-16 order differs: an astral character would come before U+FFxx (cassette-contract 4.4, 4.7). */
export function compareBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

// What JSON.stringify leaves as it is and the reference does not. The escaped backslash is matched to be passed over, so that
// the text `\ud800` in a string is not taken for a lone surrogate.
function escape(text: string): string {
  return text.replace(differently, (found) => escapes[found] ?? (found === '\\\\' ? found : '\\ufffd'));
}

const differently = /\\\\|\\ud[89a-f][0-9a-f]{2}|[<>&\u2028\u2029]/g;
const escapes: { [character: string]: string } = {
  '<': '\\u003c',
  '>': '\\u003e',
  '&': '\\u0026',
  '\u2028': '\\u2028',
  '\u2029': '\\u2029',
};
