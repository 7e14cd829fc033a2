/** Comparing JSON values: equality, the first difference with its path, and partial matching. */

import { isObject, isRawNumber, member, type Json, type JsonObject } from './exact.ts';

export type Difference = { path: string; recorded: Json | undefined; live: Json | undefined };

/** The first place where two values differ, in the recorded value's member order; `null` where they are equal. */
export function firstDifference(recorded: Json | undefined, live: Json | undefined, path = '$'): Difference | null {
  if (isObject(recorded) && isObject(live)) return firstMemberDifference(recorded, live, path);
  if (Array.isArray(recorded) && Array.isArray(live)) {
    for (let i = 0; i < Math.max(recorded.length, live.length); i++) {
      const found = firstDifference(recorded[i], live[i], `${path}[${i}]`);
      if (found) return found;
    }
    return null;
  }
  return isSameScalar(recorded, live) ? null : { path, recorded, live };
}

/** Every path at which two values differ, at most `pathCountMax`. */
export function differingPaths(recorded: Json | undefined, live: Json | undefined, pathCountMax = 20, path = '$'): string[] {
  const found: string[] = [];
  for (const differing of walkDifferences(recorded, live, path)) {
    if (found.length >= pathCountMax) break;
    found.push(differing);
  }
  return found;
}

/** Whether every member of `partial` stands in `value` as it is; arrays must have equal length. */
export function includesJson(value: Json | undefined, partial: Json | undefined): boolean {
  if (isObject(partial)) return isObject(value) && Object.keys(partial).every((key) => includesJson(member(value, key), partial[key]));
  if (Array.isArray(partial))
    return Array.isArray(value) && value.length === partial.length && partial.every((item, i) => includesJson(value[i], item));
  return isSameScalar(value, partial);
}

/** `$.a.b`, and `$["odd key"]` where the name is no plain word. */
export function childPath(path: string, key: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(key) ? `${path}.${key}` : `${path}[${JSON.stringify(key)}]`;
}

function* walkDifferences(recorded: Json | undefined, live: Json | undefined, path: string): Generator<string> {
  if (isObject(recorded) && isObject(live)) {
    for (const key of new Set([...Object.keys(recorded), ...Object.keys(live)])) yield* walkDifferences(member(recorded, key), member(live, key), childPath(path, key));
  } else if (Array.isArray(recorded) && Array.isArray(live)) {
    for (let i = 0; i < Math.max(recorded.length, live.length); i++) yield* walkDifferences(recorded[i], live[i], `${path}[${i}]`);
  } else if (!isSameScalar(recorded, live)) yield path;
}

function firstMemberDifference(recorded: JsonObject, live: JsonObject, path: string): Difference | null {
  for (const key of Object.keys(recorded)) {
    const found = firstDifference(recorded[key], Object.hasOwn(live, key) ? live[key] : undefined, childPath(path, key));
    if (found) return found;
  }
  const extra = Object.keys(live).find((key) => !Object.hasOwn(recorded, key));
  return extra === undefined ? null : { path: childPath(path, extra), recorded: undefined, live: live[extra] };
}

function isSameScalar(a: Json | undefined, b: Json | undefined): boolean {
  if (isRawNumber(a) && isRawNumber(b)) return a.rawJSON === b.rawJSON;
  return a === b;
}
