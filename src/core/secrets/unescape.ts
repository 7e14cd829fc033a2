/** One escape at one place: JSON, URL, HTML, quoted-printable or terminal code, whatever its depth of backslashes. */

import { kinds } from './kinds.ts';

/** What an escape stands for; `code` is a code point, a byte where `isByte`, or one of the three below. */
export type Escape = { size: number; code: number; isByte: boolean };

/** Seen by nobody: a colour, a cursor movement, a backspace. */
export const invisible = -1;
/** A line ends here; a terminal may have put it into the middle of a word. */
export const lineBreak = -2;
/** The writer says that the line goes on: a backslash or `=` at its end. */
export const softBreak = -3;

/** Reads the escape that starts at `at`; `false` where that byte stands for itself. */
export function readEscape(bytes: Uint8Array, at: number, end: number, into: Escape): boolean {
  into.isByte = false;
  if (!readCoded(bytes, at, end, into)) return false;
  if (into.code === escape) {
    const size = controlSize(bytes, at + into.size, end);
    if (size > 0) set(into, into.size + size, invisible);
  }
  if (into.code === lineFeed || into.code === carriageReturn) into.code = lineBreak;
  else if (into.code === backspace) into.code = invisible;
  return true;
}

function readCoded(bytes: Uint8Array, at: number, end: number, into: Escape): boolean {
  switch (bytes[at]) {
    case lineFeed:
    case carriageReturn:
      return set(into, 1, lineBreak);
    case backspace:
      return set(into, 1, invisible);
    case escape: {
      const size = controlSize(bytes, at + 1, end);
      return size > 0 && set(into, 1 + size, invisible);
    }
    case backslash:
      return readBackslash(bytes, at, end, into);
    case percent:
      return readPercent(bytes, at, end, into);
    case ampersand:
      return readEntity(bytes, at, end, into);
    case equals:
      return readQuotedPrintable(bytes, at, end, into);
    default:
      return false;
  }
}

/** JSON inside JSON doubles backslashes; every depth reads alike, so that no depth hides anything. */
function readBackslash(bytes: Uint8Array, at: number, end: number, into: Escape): boolean {
  let next = at + 1;
  while (next < end && bytes[next] === backslash) next++;
  const size = next + 1 - at;
  switch (bytes[next]) {
    case 0x6e: // n
    case 0x72: // r
    case 0x66: // f
      // A backslash at the end of a line, in JSON: three of them, or twice as many in each JSON around it.
      return set(into, size, (size - 1) % 3 === 0 ? softBreak : lineBreak);
    case lineFeed:
    case carriageReturn:
      return set(into, size, softBreak);
    case 0x74: // t
      return set(into, size, 9);
    case 0x62: // b
      return set(into, size, invisible);
    case 0x75: // u
      return readUnicode(bytes, at, next, end, into);
    case 0x78: // x
      return readHex(bytes, next + 1, 2, end, at, into) || set(into, size - 1, backslash);
    case 0x22:
    case 0x27:
    case 0x2f:
      return set(into, size, bytes[next] as number);
    default:
      return set(into, size - 1, backslash);
  }
}

function readUnicode(bytes: Uint8Array, at: number, next: number, end: number, into: Escape): boolean {
  if (readHex(bytes, next + 1, 4, end, at, into)) return true;
  if (bytes[next + 1] === 0x7b)
    for (let digits = 1; digits <= 6; digits++)
      if (bytes[next + 2 + digits] === 0x7d) return readHex(bytes, next + 2, digits, end, at, into) && set(into, into.size + 1, into.code);
  return set(into, next - at, backslash);
}

function readPercent(bytes: Uint8Array, at: number, end: number, into: Escape): boolean {
  if (bytes[at + 1] === 0x75 && readHex(bytes, at + 2, 4, end, at, into)) return true;
  return readByte(bytes, at, end, into);
}

function readEntity(bytes: Uint8Array, at: number, end: number, into: Escape): boolean {
  let last = at + 1;
  while (last < end && last < at + entityBytesMax && ((kinds[bytes[last] as number] as number) < 62 || bytes[last] === numberSign)) last++;
  if (last >= end || bytes[last] !== semicolon) return false;
  const name = String.fromCharCode(...bytes.subarray(at + 1, last));
  const number = /^#(?:(\d{1,7})|[xX]([0-9a-fA-F]{1,6}))$/.exec(name);
  const code = number ? Number.parseInt(number[1] ?? (number[2] as string), number[1] ? 10 : 16) : entities.get(name);
  return code !== undefined && code <= 0x10_ffff && set(into, last + 1 - at, code);
}

/** `x=42` is no escape: only a soft line break, `=3D` and two in a row count. */
function readQuotedPrintable(bytes: Uint8Array, at: number, end: number, into: Escape): boolean {
  if (at + 1 >= end) return false;
  const next = bytes[at + 1] as number;
  if (next === lineFeed) return set(into, 2, softBreak);
  if (next === carriageReturn) return set(into, bytes[at + 2] === lineFeed ? 3 : 2, softBreak);
  if (next === backslash && readBackslash(bytes, at + 1, end, into) && into.code === lineBreak) return set(into, into.size + 1, softBreak);
  into.isByte = false;
  if (!isUpperHex(bytes, at + 1) || !readByte(bytes, at, end, into)) return false;
  const follows = (bytes[at + 3] === equals && isUpperHex(bytes, at + 4)) || (bytes[at - 3] === equals && isUpperHex(bytes, at - 2));
  return follows || into.code === equals;
}

function readByte(bytes: Uint8Array, at: number, end: number, into: Escape): boolean {
  if (!readHex(bytes, at + 1, 2, end, at, into)) return false;
  into.isByte = true;
  return true;
}

function readHex(bytes: Uint8Array, from: number, digits: number, end: number, at: number, into: Escape): boolean {
  if (from + digits > end) return false;
  let code = 0;
  for (let i = from; i < from + digits; i++) {
    const value = hexValue[bytes[i] as number] as number;
    if (value > 15) return false;
    code = code * 16 + value;
  }
  return set(into, from + digits - at, code);
}

/** The bytes of a terminal code after its ESC; what an OSC says stays readable, a link may hold a token. */
function controlSize(bytes: Uint8Array, at: number, end: number): number {
  if (at >= end) return 0;
  const first = bytes[at] as number;
  if (first === 0x28 || first === 0x29) return 2;
  // A backslash here rather begins the next escape than ends a title.
  if (first !== 0x5b) return first >= 0x30 && first < 0x70 && first !== backslash ? 1 : 0;
  for (let i = at + 1; i < end && i < at + controlBytesMax; i++) {
    const byte = bytes[i] as number;
    if (byte >= 0x40 && byte < 0x7f) return i + 1 - at;
    if (byte < 0x20 || byte > 0x3f) return 0;
  }
  return 0;
}

function set(into: Escape, size: number, code: number): true {
  into.size = size;
  into.code = code;
  return true;
}

function isUpperHex(bytes: Uint8Array, at: number): boolean {
  return at >= 0 && at + 1 < bytes.length && upperHex[bytes[at] as number] === 1 && upperHex[bytes[at + 1] as number] === 1;
}

const [backspace, lineFeed, carriageReturn, escape, percent, ampersand, numberSign, semicolon, equals, backslash] = [8, 10, 13, 0x1b, 0x25, 0x26, 0x23, 0x3b, 0x3d, 0x5c] as const;
const controlBytesMax = 64;
const entityBytesMax = 10;
const hexValue = Uint8Array.from({ length: 256 }, (_, byte) => {
  const value = Number.parseInt(String.fromCharCode(byte), 16);
  return Number.isNaN(value) ? 255 : value;
});
const upperHex = Uint8Array.from({ length: 256 }, (_, byte) => (/[0-9A-F]/.test(String.fromCharCode(byte)) ? 1 : 0));
const entities = new Map(
  Object.entries({ amp: '&', quot: '"', apos: "'", lt: '<', gt: '>', nbsp: ' ', lowbar: '_', hyphen: '-', sol: '/', colon: ':', commat: '@', period: '.', equals: '=', plus: '+', num: '#', percnt: '%', bsol: '\\' }).map(([name, text]) => [name, text.charCodeAt(0)]),
);
