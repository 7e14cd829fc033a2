/** One JSON text as the contract reads it (cassette-contract 0.1): bytes in, a value or the findings that stand against it. */

import type { Buffer } from 'node:buffer';
import type { Report } from '../issue.ts';
import { limits } from '../limits.ts';
import { isObject, parseJson, setMember, type Json, type JsonObject } from './exact.ts';

export type JsonPlace = { file: string; line?: number };

/**
 * Decodes and parses one whole document or line. Bytes that are no UTF-8 and lone surrogates become U+FFFD; of a repeated
 * member the last counts, and a warning says so. `undefined` after a finding.
 */
export function readJson(bytes: Buffer, place: JsonPlace, report: Report): Json | undefined {
  const text = bytes.toString('utf8');
  if (text.startsWith('\ufeff')) {
    report({ code: 'byte_order_mark', ...place, is: 'it begins with a byte order mark', needed: 'JSON alone was needed' });
    return undefined;
  }
  const scanned = scanJson(text);
  if (scanned.depth > limits.nestingMax) {
    report({ code: 'json_too_deep', ...place, is: `it is nested ${scanned.depth} deep`, needed: `at most ${limits.nestingMax} were expected` });
    return undefined;
  }
  if (scanned.valueCount > limits.documentValueCountMax) {
    report({ code: 'json_too_large', ...place, is: `it holds more than ${limits.documentValueCountMax} values`, needed: 'a document that a recording leaves was needed' });
    return undefined;
  }
  const value = parseJson(text);
  if (value === undefined) {
    report({ code: 'json_invalid', ...place, is: describe(bytes), needed: 'one JSON value was needed' });
    return undefined;
  }
  for (const path of scanned.repeated) report({ code: 'json_member_repeated', ...place, path, is: 'the member stands twice', needed: 'each member once was expected; the last one counts' });
  return loneSurrogate.test(text) ? wellFormed(value) : value;
}

function describe(bytes: Buffer): string {
  if (bytes.length === 0) return 'it is empty';
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) return 'it is compressed';
  if (bytes.includes(0)) return 'it holds a NUL byte';
  return 'it is no JSON';
}

/** Nesting depth, about how many values there are, and the paths of members that an object has twice. Harmless for what is no JSON. */
export function scanJson(text: string): { depth: number; valueCount: number; repeated: string[] } {
  const open: { keys: Set<string> | null; path: string; index: number; key: string }[] = [];
  const repeated: string[] = [];
  let depth = 0;
  let valueCount = 1;
  for (let at = 0; at < text.length; at++) {
    const c = text.charCodeAt(at);
    if (c === quote) {
      const end = stringEnd(text, at);
      const top = open.at(-1);
      if (top?.keys && isColonNext(text, end + 1)) {
        const key = keyOf(text, at, end);
        top.key = key;
        if (!top.keys.has(key)) top.keys.add(key);
        else if (repeated.length < repeatedCountMax) repeated.push(pathOf(open));
      }
      at = end;
    } else if (c === openBrace || c === openBracket) {
      valueCount++;
      // Below the limit nothing is read, so nothing need be remembered either.
      if (open.length <= limits.nestingMax) open.push({ keys: c === openBrace ? new Set() : null, path: '', index: 0, key: '' });
      depth = Math.max(depth, open.length);
    } else if (c === closeBrace || c === closeBracket) open.pop();
    else if (c === comma) {
      valueCount++;
      const top = open.at(-1);
      if (top && !top.keys) top.index++;
    }
  }
  return { depth, valueCount, repeated };
}

function stringEnd(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let slashes = 0;
    while (text.charCodeAt(at - 1 - slashes) === backslash) slashes++;
    if (slashes % 2 === 0) return at;
  }
  return text.length;
}

function isColonNext(text: string, from: number): boolean {
  let at = from;
  while (at < text.length && text.charCodeAt(at) <= 32) at++;
  return text.charCodeAt(at) === colon;
}

function keyOf(text: string, start: number, end: number): string {
  const raw = text.slice(start + 1, end);
  if (!raw.includes('\\')) return raw;
  const parsed = parseJson(`"${raw}"`);
  return typeof parsed === 'string' ? parsed : raw;
}

function pathOf(open: readonly { keys: Set<string> | null; key: string; index: number }[]): string {
  return open.reduce((path, { keys, key, index }) => (keys ? (key.length > 80 ? `${path}["${key.slice(0, 80)}…"]` : plainName.test(key) ? `${path}.${key}` : `${path}[${JSON.stringify(key)}]`) : `${path}[${index}]`), '$');
}

function wellFormed(value: Json): Json {
  if (typeof value === 'string') return value.toWellFormed();
  if (Array.isArray(value)) return value.map(wellFormed);
  if (!isObject(value)) return value;
  const copy: JsonObject = {};
  for (const key of Object.keys(value)) setMember(copy, key.toWellFormed(), wellFormed(value[key] as Json));
  return copy;
}

const loneSurrogate = /\\u[dD][89a-fA-F]/;
const plainName = /^[A-Za-z_$][\w$]*$/;
const repeatedCountMax = 20;
const quote = 34;
const comma = 44;
const colon = 58;
const backslash = 92;
const openBracket = 91;
const closeBracket = 93;
const openBrace = 123;
const closeBrace = 125;
