/** Folders and files that must not last. They begin with a dot, so that no list takes one for a cassette, whatever killed its maker. */

import { readdirSync, lstatSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { assert } from '../../core/assert.ts';
import { isSafeSegment } from '../../core/blobs/facts.ts';

/** Stands beside the cassettes and on their disk: a rename from here is one step. */
export function stagingPath(root: string, id: string): string {
  assert(isSafeSegment(id), `the staging id "${id}" is the name of one file`);
  return join(root, `${prefix}${id}`);
}

/** Removes a folder in one visible step; what is left of it after a kill in between is swept later. */
export function removeFolder(path: string, staging: string): void {
  renameSync(path, staging);
  rmSync(staging, { recursive: true, force: true });
}

/** Removes what makers left that were killed. A younger one may still be at work. */
export function sweepStaging(root: string, nowUnixMs: number): void {
  for (const name of readdirSync(root)) {
    if (!name.startsWith(prefix)) continue;
    const entry = lstatSync(join(root, name), { throwIfNoEntry: false });
    if (entry && nowUnixMs - entry.mtimeMs > ageMaxMs) rmSync(join(root, name), { recursive: true, force: true });
  }
}

const prefix = '.playhead-staging-';
const ageMaxMs = 24 * 60 * 60 * 1000;
