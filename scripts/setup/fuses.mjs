/** The fuses of an Electron program: switches that its build left in the file, one character each behind a fixed text. */

import { createFault } from './fault.mjs';

/**
 * Flips fuses in place. `before` is the whole wire as it must stand; `changes` are `[index, character]`.
 * Another wire is refused: then it is another program, and what the indexes mean is not known.
 */
export function flipFuses(program, { before, changes }) {
  const at = findWire(program);
  const [version, length] = [program[at], program[at + 1]];
  if (version !== WIRE_VERSION || length !== before.length) throw unexpected(`its fuse wire has version ${version} and ${length} fuses`, `version ${WIRE_VERSION} and ${before.length}`);
  const wire = program.toString('latin1', at + 2, at + 2 + length);
  if (wire !== before) throw unexpected(`its fuses are ${wire}`, before);
  for (const [index, character] of changes) program.write(character, at + 2 + index, 'latin1');
}

function findWire(program) {
  const first = program.indexOf(SENTINEL);
  if (first < 0) throw unexpected('it has no fuse wire', 'one');
  if (program.indexOf(SENTINEL, first + 1) >= 0) throw unexpected('it has more than one fuse wire', 'one');
  return first + SENTINEL.length;
}

const unexpected = (is, needed) => createFault({ code: 'program_unexpected', message: `Cannot set the fuses of Electron: ${is}, ${needed} was needed`, next: 'compare the version in tools/electron with scripts/setup/electron.mjs' });

// Note: the text every Electron carries, from its own source: https://www.electronjs.org/docs/latest/tutorial/fuses
const SENTINEL = 'dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX';
const WIRE_VERSION = 1;
