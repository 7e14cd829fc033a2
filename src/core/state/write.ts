/** A state as text: two spaces, Go's escapes, a line feed at the end (cassette-contract 7). */

import type { Json } from '../json/exact.ts';
import { writeGoDocument } from '../json/go-text.ts';

/** The file content of a state. Members keep their order and nobody's members are lost. */
export function writeState(state: Json): string {
  return writeGoDocument(state);
}
