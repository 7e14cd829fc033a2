/** Residual paths of the recording machine in an activity payload (cassette-contract 3.10, validator). */

import type { JsonObject } from '../json/exact.ts';
import { trim } from '../json/read.ts';
import { isMachinePath } from '../portable-path.ts';
import type { Refuse } from './refuse.ts';
import { hasProjectPaths, mapProjectPaths } from './path-places.ts';

/** Refuses an absolute path or a file address at any of the four places; the value itself is not shown, it may name a person. */
export function checkPayloadPaths(type: string | null, payload: JsonObject, refuse: Refuse): void {
  if (!hasProjectPaths(type)) return;
  mapProjectPaths(payload, (path, place) => {
    if (isMachinePath(trim(path))) refuse('activity_path_absolute', place, 'it is an absolute recording path', 'a path under ${REPLAY_CWD} was needed');
    return path;
  });
}
