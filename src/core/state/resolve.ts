/** The tokens of a state become folders of this machine, before it is restored or compared live (cassette-contract 7.5). */

import { assert } from '../assert.ts';
import type { Report } from '../issue.ts';
import type { Json } from '../json/exact.ts';
import { trimEnd } from '../trim-end.ts';
import { isAbsolutePath } from '../portable-path.ts';
import { belowCwdToken, cleanSegments } from './path.ts';
import { mapPaths, mapProjectKey, mapSessions } from './places.ts';
import type { StateFile } from './walk.ts';

/** A copy with `${REPLAY_CWD}` resolved. A token path that leaves the folder is reported and stays as it is. */
export function resolveState(state: Json, options: { replayCwd: string; file: StateFile }, report: Report): Json {
  assert(isAbsolutePath(options.replayCwd), 'the folder of a replay is absolute');
  const resolve = (path: string, place: string) => {
    const below = belowCwdToken(path);
    if (below === null) return path;
    const segments = cleanSegments(below);
    if (segments) return joined(options.replayCwd, segments);
    report({ code: 'state_path_escapes', file: options.file, path: place, is: 'the path leaves the project folder', needed: 'a path inside `${REPLAY_CWD}` was needed' });
    return path;
  };
  return mapSessions(state, (session, place) => mapProjectKey(mapPaths(session, place, resolve), (path) => resolve(path, `${place}.railSectionKey`)));
}

function joined(folder: string, segments: readonly string[]): string {
  const separator = folder.includes('/') ? '/' : '\\';
  const base = trimEnd(folder, '/\\');
  return segments.length === 0 ? base || folder : [base, ...segments].join(separator);
}
