/** Text of models, tools and people as it may be shown: it cannot steer a terminal, hide, or change the order of what is read. */

import { shownCharactersMax } from './limits.ts';

/** Text without control sequences; what cannot be seen but changes what is read is named (design ruling 19). */
export function displayText(text: string): string {
  const lines = text.replaceAll(terminalString, '').replaceAll(terminalCode, '').replaceAll(/\r+\n|\r|[\u2028\u2029]/g, '\n');
  return nameHidden(cutMiddle(lines).replaceAll(control, ''));
}

/**
 * Text that somebody is asked to allow: nothing is taken out, what would steer or hide is named. What is approved is what is
 * seen. Names, not pictures of control characters: few fonts have those.
 */
export function displayExact(text: string): string {
  return nameHidden(text.replaceAll('\r\n', '\n').replaceAll(/[\0-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029]/g, name));
}

/** One line: for titles, which are names of elements too. */
export function displayLine(text: string): string {
  return displayText(text).replaceAll(/\s+/g, ' ').trim();
}

function nameHidden(text: string): string {
  return text.replaceAll(hidden, name);
}

/** Never parts a surrogate pair, so that both halves stay readable. */
function cutMiddle(text: string): string {
  if (text.length <= shownCharactersMax) return text;
  const half = shownCharactersMax / 2;
  const head = text.slice(0, half).replace(/[\ud800-\udbff]$/, '');
  const tail = text.slice(-half).replace(/^[\udc00-\udfff]/, '');
  return `${head}\n[${text.length - head.length - tail.length} characters are not shown]\n${tail}`;
}

const name = (character: string): string => `[U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}]`;

// OSC, DCS, SOS, PM and APC up to their terminator; one that has no end yet is held back up to the end of its line.
const terminalString = /(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])[^\x07\x1b\x9c\n]*(?:\x07|\x1b\\|\x9c|(?=[\n\x1b])|$)/g;
// CSI sequences, then the short escapes; a sequence that is cut off at the end goes too.
const terminalCode = /(?:\x1b\[|\x9b)[0-?]*[ -/]*(?:[@-~]|$)|\x1b[ -/]*(?:[0-~]|$)/g;
const control = /[\0-\x08\x0b-\x1f\x7f-\x9f]/g;
// Bidi marks, embeddings, overrides and isolates; zero-width characters that join nothing; the tag characters.
const hidden = /[\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e007f}]/gu;
