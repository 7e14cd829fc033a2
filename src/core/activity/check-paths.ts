/** Residual paths of the recording machine in an activity payload (cassette-contract 3.10, validator). */

import type { JsonObject } from '../json/exact.ts';
import { trim } from '../json/read.ts';
import type { Refuse } from './refuse.ts';
import { hasProjectPaths, mapProjectPaths } from './path-places.ts';

/** Refuses an absolute path or a file address at any of the four places; the value itself is not shown, it may name a person. */
export function checkPayloadPaths(type: string | null, payload: JsonObject, refuse: Refuse): void {
  if (!hasProjectPaths(type)) return;
  mapProjectPaths(payload, (path, place) => {
    if (isAbsolutePath(path)) refuse('activity_path_absolute', place, 'it is an absolute recording path', 'a path under ${REPLAY_CWD} was needed');
    return path;
  });
}

/**
 * Whether a text is absolute on any system. Note: the reference asks the host it runs on (0.5); a cassette that is refused on
 * one system only would not be portable, so both notions count here.
 */
export function isAbsolutePath(path: string): boolean {
  return absolute.test(trim(path));
}

const absolute = /^(?:\/|file:\/\/|[A-Za-z]:[/\\]|\\\\)/;
