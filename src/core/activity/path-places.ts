/** The four places of an activity payload that hold project paths (cassette-contract 3.10). Text elsewhere is never read as one. */

import { isObject, setMember, type Json, type JsonObject } from '../json/exact.ts';
import { trim } from '../json/read.ts';
import { trimEnd } from '../trim-end.ts';


/** Whether events of this type carry project paths. */
export function hasProjectPaths(type: string | null): boolean {
  return type !== null && pathTypes.has(trim(type));
}

/** Visits the path at each of the four places; what the visitor gives back stands in a copy of the payload. */
export function mapProjectPaths(payload: JsonObject, visit: (path: string, place: string) => string): JsonObject {
  const copy: JsonObject = {};
  for (const key of Object.keys(payload)) setMember(copy, key, mapMember(key, payload[key] as Json, visit));
  return copy;
}

/** What is left of `path` below `folder`, with `/` before each part; empty for the folder itself, null outside. */
export function restBelow(path: string, folder: string): string | null {
  const root = trimEnd(folder, '/\\');
  if (!path.startsWith(root)) return null;
  const rest = trimEnd(path.slice(root.length), '/\\');
  if (rest === '') return '';
  const isWindows = /^[A-Za-z]:|^\\\\/.test(folder);
  if (rest[0] !== '/' && !(isWindows && rest[0] === '\\')) return null;
  // Only there is a backslash no part of a name.
  return isWindows ? rest.replaceAll('\\', '/') : rest;
}

function mapMember(key: string, value: Json, visit: (path: string, place: string) => string): Json {
  if (key === 'cwd') return mapText(value, (text) => visit(text, '$.payload.cwd'));
  if (key === 'railSectionKey') return mapText(value, (text) => mapSectionKey(text, (path) => visit(path, '$.payload.railSectionKey')));
  if (key !== 'railPlacement' || !isObject(value)) return value;
  const rail: JsonObject = {};
  for (const name of Object.keys(value)) {
    const place = `$.payload.railPlacement.${name}`;
    const item = value[name] as Json;
    const mapped = name === 'projectPath' ? mapText(item, (text) => visit(text, place)) : name === 'sectionKey' ? mapText(item, (text) => mapSectionKey(text, (path) => visit(path, place))) : item;
    setMember(rail, name, mapped);
  }
  return rail;
}

function mapText(value: Json, map: (text: string) => string): Json {
  return typeof value === 'string' ? map(value) : value;
}

/** Only `project:<path>` names a folder; `conversations` and others stay. */
function mapSectionKey(key: string, map: (path: string) => string): string {
  const bare = trim(key);
  if (!bare.startsWith(sectionPrefix)) return key;
  const path = bare.slice(sectionPrefix.length);
  const mapped = map(path);
  return mapped === path ? key : sectionPrefix + mapped;
}

const pathTypes = new Set(['activation/requested', 'session.create', 'session/activate']);
const sectionPrefix = 'project:';
