/** Members of a tape manifest or frame with their types: these two documents go through no other shape check (cassette-contract 5.2 to 5.4). */

import type { Finding, Report } from '../issue.ts';
import { isObject, isRawNumber, type Json, type JsonObject } from '../json/exact.ts';
import { i64Max, i64Min, integerOf, present, shown, u64Max } from '../json/read.ts';

export type Place = { code: 'manifest_invalid' | 'frame_invalid'; file: string; line?: number; report: Report };

/** Each reads one member; a wrong type is reported and reads as absent, and `isWrong` tells the two apart. */
export type Members = {
  text: (key: string) => string | undefined;
  /** A u64 without `isSigned`, an i64 with it. */
  integer: (key: string, isSigned?: boolean) => bigint | undefined;
  list: (key: string) => Json[] | undefined;
  object: (key: string) => JsonObject | undefined;
  isWrong: (key: string) => boolean;
  refuse: (finding: Omit<Finding, 'file' | 'line' | 'path'> & { key: string }) => void;
};

export function membersOf(value: Json | undefined, path: string, place: Place): Members {
  const { code, report, ...where } = place;
  const wrong = new Set<string>();
  const refuse: Members['refuse'] = ({ key, ...finding }) => report({ ...finding, ...where, path: `${path}.${key}` });
  const typed = <T extends Json>(key: string, needed: string, isIt: (found: Json) => found is T): T | undefined => {
    const found = present(value, key);
    if (found === undefined || isIt(found)) return found;
    wrong.add(key);
    refuse({ code, key, is: `it is ${shown(found)}`, needed: `${needed} was needed` });
    return undefined;
  };
  return {
    text: (key) => typed(key, 'a string', (found) => typeof found === 'string'),
    list: (key) => typed(key, 'a list', (found) => Array.isArray(found)),
    object: (key) => typed(key, 'an object', isObject),
    integer(key, isSigned = false) {
      const found = typed(key, 'an integer', isNumber);
      const [low, high] = isSigned ? [i64Min, i64Max] : [0n, u64Max];
      const integer = integerOf(found);
      if (found === undefined || (integer !== undefined && integer >= low && integer <= high && (isSigned || !isNegative(found)))) return integer;
      wrong.add(key);
      refuse({ code: 'integer_invalid', key, is: `it is ${isRawNumber(found) ? found.rawJSON.slice(0, 40) : String(found)}`, needed: `an integer from ${low} to ${high} was needed` });
      return undefined;
    },
    isWrong: (key) => wrong.has(key),
    refuse,
  };
}

function isNumber(value: Json): value is Exclude<Json, null | boolean | string | Json[] | JsonObject> {
  return typeof value === 'number' || isRawNumber(value);
}

// The reference refuses `-0` where no sign is allowed.
function isNegative(value: Json): boolean {
  return isRawNumber(value) && value.rawJSON.startsWith('-');
}
