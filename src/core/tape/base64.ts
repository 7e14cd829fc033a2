/** Padded base64 as the contract's reader takes it: line breaks anywhere, nothing else that is foreign (cassette-contract 5.4). */

import type { Buffer } from 'node:buffer';

/** Most bytes that a text of this length may stand for. */
export function decodedBytesMax(length: number): number {
  return Math.ceil(length / 4) * 3;
}

/** Writes what the text stands for to the beginning of `into`; gives the number of bytes, or -1 where it is no padded base64. */
export function decodeBase64(text: string, into: Buffer): number {
  // Note: Node's decoder takes a character beyond one byte for the letter that its lower half is.
  if (/[^\0-\x7f]/.test(text)) return -1;
  return decodeBase64Bytes(/[\r\n]/.test(text) ? text.replace(/[\r\n]/g, '') : text, into);
}

/** The same for text that was read byte by byte and holds no line breaks. */
export function decodeBase64Bytes(text: string, into: Buffer): number {
  if (text.length % 4 !== 0 || text.includes('-') || text.includes('_')) return -1;
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
  const bytes = into.write(text, 0, 'base64');
  // It passes over what it does not know, which shows in the length.
  return bytes === (text.length / 4) * 3 - padding ? bytes : -1;
}
