/** A state as its codec sees it: unknown members gone, absent ones zero, empty optional ones left out (cassette-contract 7.4, 7.6 e). */

import { isObject, isRawNumber, member, setMember, type Json, type JsonObject } from '../json/exact.ts';
import { stateMembers, type Member, type Members } from './shape.ts';

/** The typed state, as a copy. A member of a wrong type stays as it is: the shape check refuses it, and a comparison must see it. */
export function typedState(value: Json): JsonObject {
  return typedRow(isObject(value) ? value : {}, stateMembers);
}

/** One row of a state, as a copy. */
export function typedRow(value: Json, members: Members): JsonObject {
  const row: JsonObject = {};
  for (const [name, shape] of Object.entries(members)) {
    const typed = typedMember(member(value, name) ?? null, shape);
    if (!shape.isOptional || !isZero(typed, shape)) row[name] = typed;
  }
  return row;
}

function typedMember(value: Json, shape: Member): Json {
  switch (shape.kind) {
    case 'text':
      return value ?? '';
    case 'integer':
      return value ?? 0;
    case 'boolean':
      return value ?? false;
    case 'free':
      return freeValue(value);
    case 'texts':
      return Array.isArray(value) ? value.map((item) => item ?? '') : value;
    case 'row':
      return isObject(value) || (value === null && !shape.isOptional) ? typedRow(value, shape.members) : value;
    case 'rows':
      return Array.isArray(value) ? value.map((item) => (isObject(item) || item === null ? typedRow(item, shape.members) : item)) : value;
  }
}

function isZero(value: Json, shape: Member): boolean {
  // A row is behind a pointer in the reference: an empty one is not nothing.
  if (shape.kind === 'free') return value === null || (isObject(value) && Object.keys(value).length === 0);
  return value === null || value === '' || value === 0 || value === false;
}

/** A copy of free-form JSON whose numbers are values, not spellings: `1.0` and `1` are one number there (J7). */
function freeValue(value: Json): Json {
  if (isRawNumber(value)) return plainNumber(value.rawJSON) ?? value;
  if (Array.isArray(value)) return value.map(freeValue);
  if (!isObject(value)) return value;
  const copy: JsonObject = {};
  for (const key of Object.keys(value)) setMember(copy, key, freeValue(value[key] as Json));
  return copy;
}

// An integer beyond 2^53 stays as written: rounding it would hide a difference.
function plainNumber(source: string): number | null {
  const number = Number(source);
  return Number.isFinite(number) && !(/^-?\d+$/.test(source) && !Number.isSafeInteger(number)) ? number : null;
}
