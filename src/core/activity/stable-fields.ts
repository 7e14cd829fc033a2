/** What of a command must be the same in record and replay (cassette-contract 3.5). */

import { firstDifference, type Difference } from '../json/compare.ts';
import { isObject, isRawNumber, setMember, type Json, type JsonObject, type RawNumber } from '../json/exact.ts';
import { effectRule } from './contract.ts';

/** The stable members that a payload really has, in the contract's order (3.5). */
export function pickStable(effectType: string, payload: JsonObject): JsonObject {
  const picked: JsonObject = {};
  for (const key of effectRule(effectType)?.stableFields ?? []) if (Object.hasOwn(payload, key)) setMember(picked, key, payload[key] as Json);
  return picked;
}

/** The first stable member that differs; null where command and recording agree. Member order is free, that of lists is not (3.5). */
export function stableDifference(effectType: string, recorded: JsonObject, live: JsonObject): Difference | null {
  return firstDifference(plainNumbers(pickStable(effectType, recorded)), plainNumbers(pickStable(effectType, live)));
}

/** A payload is free-form: `1.0` is the number 1 there (0.1 J7). What a float would change stays as it is written. */
function plainNumbers(value: Json): Json {
  if (isRawNumber(value)) return plainNumber(value);
  if (Array.isArray(value)) return value.map(plainNumbers);
  if (!isObject(value)) return value;
  const copy: JsonObject = {};
  for (const key of Object.keys(value)) setMember(copy, key, plainNumbers(value[key] as Json));
  return copy;
}

function plainNumber(raw: RawNumber): Json {
  const number = Number(raw.rawJSON);
  const isExact = Number.isFinite(number) && (!/^-?\d+$/.test(raw.rawJSON) || BigInt(raw.rawJSON) === BigInt(number));
  return isExact ? number : raw;
}
