/** Small steps through a state that several rules share. */

import { childPath } from '../json/compare.ts';
import { isObject, setMember, type Json, type JsonObject } from '../json/exact.ts';
import { listAt } from '../json/read.ts';

export type StateFile = 'initial-state.json' | 'expected-state.json';

/** The objects of a list, each with its place; what is no object is left out. */
export function rowsAt(value: Json | undefined, key: string): { row: JsonObject; index: number }[] {
  return (listAt(value, key) ?? []).flatMap((row, index) => (isObject(row) ? [{ row, index }] : []));
}

/** Where a string stands; `key` is the name that owns it, also through arrays (7.4). */
export type TextPlace = { key: string; path: string };

/** A copy with every string replaced by what `change` gives for it. */
export function mapTexts(value: Json, place: TextPlace, change: (text: string, place: TextPlace) => string): Json {
  if (typeof value === 'string') return change(value, place);
  if (Array.isArray(value)) return value.map((item, index) => mapTexts(item, { key: place.key, path: `${place.path}[${index}]` }, change));
  if (!isObject(value)) return value;
  const copy: JsonObject = {};
  for (const key of Object.keys(value)) setMember(copy, key, mapTexts(value[key] as Json, { key, path: childPath(place.path, key) }, change));
  return copy;
}
