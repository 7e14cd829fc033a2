/** Another name for a cassette, and not one byte else (cassette-contract 1.7; unknown members stay, unlike in the reference). */

import { Buffer } from 'node:buffer';
import { writeGoJson } from '../json/go-text.ts';
import { parseJson } from '../json/exact.ts';

/** Replaces the value of the top-level `name` in the text of a manifest; `null` where it has none. */
export function replaceManifestName(manifest: Buffer, name: string): Buffer | null {
  // One character for each byte: places in the text are places in the file, whatever the encoding of the strings is.
  const text = manifest.toString('latin1');
  const values = nameValues(text);
  if (values.length === 0) return null;
  const written = Buffer.from(writeGoJson(name));
  const pieces: Buffer[] = [];
  let from = 0;
  for (const { start, end } of values) {
    pieces.push(manifest.subarray(from, start), written);
    from = end;
  }
  return Buffer.concat([...pieces, manifest.subarray(from)]);
}

// Where the member stands twice the last one counts; both are replaced, so that every reader finds the same name.
function nameValues(text: string): { start: number; end: number }[] {
  const found: { start: number; end: number }[] = [];
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (character === '{' || character === '[') depth++;
    else if (character === '}' || character === ']') depth--;
    if (character !== '"') continue;
    const end = stringEnd(text, at);
    const start = depth === 1 ? valueStart(text, end) : -1;
    const isName = start >= 0 && text[start] === '"' && parseJson(text.slice(at, end)) === 'name';
    if (isName) found.push({ start, end: stringEnd(text, start) });
    at = (isName ? stringEnd(text, start) : end) - 1;
  }
  return found;
}

// Behind the closing quote.
function stringEnd(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === '"') return at + 1;
  }
  return text.length;
}

function valueStart(text: string, from: number): number {
  const colon = /\s*:\s*/y;
  colon.lastIndex = from;
  return colon.test(text) ? colon.lastIndex : -1;
}
