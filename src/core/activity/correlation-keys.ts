/** By which ids an intent is known to the commands that it causes (cassette-contract 3.5). */

import { member, type Json, type JsonObject } from '../json/exact.ts';
import { isBlank, textAt } from '../json/read.ts';
import { intentRule } from './contract.ts';
import type { IdSource } from './parse-contract.ts';

/** The correlation id of an intent: its first declared key that is not blank (3.5). */
export function primaryCorrelation(type: string, intent: JsonObject): string | null {
  return keyTexts(type, intent)[0] ?? null;
}

/** Every id by which a command may refer to an intent, in the contract's order (3.5). */
export function correlationCandidates(type: string, intent: JsonObject): string[] {
  const extra = (intentRule(type)?.extraCandidates ?? []).map((source) => readIdSource(source, intent));
  return [...keyTexts(type, intent), ...extra.filter((id) => id !== null)];
}

/** The id that a source names in a payload, or null where it is blank or the routing is another one. */
export function readIdSource(source: IdSource, payload: JsonObject): string | null {
  if (source.ifRouting !== null && textAt(payload, 'routing') !== source.ifRouting) return null;
  const found = source.member.split('.').reduce<Json | undefined>((value, key) => member(value, key), payload);
  return typeof found === 'string' && !isBlank(found) ? source.prefix + found : null;
}

function keyTexts(type: string, intent: JsonObject): string[] {
  return (intentRule(type)?.correlationKeys ?? []).map((key) => textAt(intent, key)).filter((text) => text !== undefined && !isBlank(text)) as string[];
}
