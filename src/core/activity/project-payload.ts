/** Activity payloads are made portable before they are stored, and local again before they are played (cassette-contract 3.10). */

import type { JsonObject } from '../json/exact.ts';
import { isBlank, textAt, trim } from '../json/read.ts';
import type { ActivityEvent } from './event.ts';
import { cwdToken } from '../portable-path.ts';
import { hasProjectPaths, mapProjectPaths, restBelow } from './path-places.ts';

/** A path with its symlinks resolved; where there is no such path, the path itself. */
export type ResolvePath = (path: string) => string;

type PayloadOf = Pick<ActivityEvent, 'type' | 'payload'>;

/**
 * The payload with its project paths as tokens. Without a working directory nothing is projected: there is nothing to be
 * under (15.13). Text that a person wrote is never touched.
 */
export function projectPayload({ type, payload }: PayloadOf, resolvePath: ResolvePath): JsonObject {
  const cwd = textAt(payload, 'cwd');
  if (!hasProjectPaths(type) || cwd === undefined || isBlank(cwd)) return payload;
  const root = isPortablePath(cwd) ? null : resolvePath(trim(cwd));
  return mapProjectPaths(payload, (path, place) => {
    if (place === '$.payload.cwd') return cwdToken;
    const rest = root === null || isPortablePath(path) ? null : restBelow(resolvePath(trim(path)), root);
    return rest === null ? path : cwdToken + rest;
  });
}

/** The inverse for a replay: tokens become the live project folder. */
export function localizePayload({ type, payload }: PayloadOf, projectFolder: string): JsonObject {
  if (!hasProjectPaths(type)) return payload;
  return mapProjectPaths(payload, (path) => (isPortablePath(path) ? projectFolder + trim(path).slice(cwdToken.length) : path));
}

/** Whether a path is the token, or lies under it; `..` behind it is the product's own affair (3.10). */
function isPortablePath(path: string): boolean {
  const bare = trim(path);
  return bare === cwdToken || bare.startsWith(`${cwdToken}/`);
}
