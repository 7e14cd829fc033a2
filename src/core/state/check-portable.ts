/** Nothing in a state names its workspace or a folder of the recording machine (cassette-contract 0.4, 7.4). */

import { childPath } from '../json/compare.ts';
import { isObject, type Json, type JsonObject } from '../json/exact.ts';
import type { StateReport } from './report.ts';
import { isMachinePath } from '../portable-path.ts';
import { isPathName } from './path.ts';
import { stateMembers, type Member, type Members } from './shape.ts';

/** Reports `workspaceId` at any depth, and machine paths in what the codec decodes. */
export function checkPortable(state: JsonObject, report: StateReport): void {
  checkRow(state, { path: '$', members: stateMembers }, report);
}

function checkRow(row: JsonObject, { path, members }: { path: string; members: Members }, report: StateReport): void {
  for (const name of Object.keys(row)) {
    const place = { path: childPath(path, name), name };
    const value = row[name] as Json;
    const shape = Object.hasOwn(members, name) ? members[name] : undefined;
    if (name === 'workspaceId') reportScope(place.path, report);
    if (shape) checkMember(value, { ...place, shape }, report);
    // Note: the reference drops unknown members unseen; here they are kept, so a scope must not ride along in them.
    else checkFree(value, { ...place, withPaths: false }, report);
  }
}

function checkMember(value: Json, { shape, path, name }: { shape: Member; path: string; name: string }, report: StateReport): void {
  if (shape.kind === 'row' && isObject(value)) checkRow(value, { path, members: shape.members }, report);
  else if (shape.kind === 'rows' && Array.isArray(value)) {
    for (const [index, row] of value.entries()) if (isObject(row)) checkRow(row, { path: `${path}[${index}]`, members: shape.members }, report);
  } else if (shape.kind === 'free' || typeof value === 'string') checkFree(value, { path, name, withPaths: true }, report);
}

function checkFree(value: Json, { path, name, withPaths }: { path: string; name: string; withPaths: boolean }, report: StateReport): void {
  if (Array.isArray(value)) for (const [index, item] of value.entries()) checkFree(item, { path: `${path}[${index}]`, name, withPaths }, report);
  else if (isObject(value)) {
    for (const key of Object.keys(value)) {
      if (key === 'workspaceId') reportScope(childPath(path, key), report);
      checkFree(value[key] as Json, { path: childPath(path, key), name: key, withPaths }, report);
    }
  } else if (withPaths && typeof value === 'string' && isPathName(name) && isMachinePath(value))
    report({ code: 'state_path_absolute', path, is: 'it is a path of one machine', needed: 'a path without a machine in it was needed' });
}

function reportScope(path: string, report: StateReport): void {
  report({ code: 'state_scope_present', path, is: 'the workspace is named', needed: 'a state without it was needed' });
}
