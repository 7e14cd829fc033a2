/** Running recorded agent targets as others (cassette-contract 7.11). Never stored. */

import { isObject, setMember, type Json, type JsonObject } from '../json/exact.ts';
import { isBlank, trim } from '../json/read.ts';

/** The rewrites by recorded target, all names trimmed; `null` where one of them is blank. */
export function parseTargetRewrites(entries: readonly { recorded: string; runtime: string }[]): ReadonlyMap<string, string> | null {
  if (entries.some(({ recorded, runtime }) => isBlank(recorded) || isBlank(runtime))) return null;
  return new Map(entries.map(({ recorded, runtime }) => [trim(recorded), trim(runtime)]));
}

/** A copy of the state with every `agentTargetId`, at any depth, rewritten. */
export function rewriteTargets(state: Json, rewrites: ReadonlyMap<string, string>): Json {
  if (Array.isArray(state)) return state.map((item) => rewriteTargets(item, rewrites));
  if (!isObject(state)) return state;
  const copy: JsonObject = {};
  for (const key of Object.keys(state)) {
    const value = state[key] as Json;
    const target = key === 'agentTargetId' && typeof value === 'string' ? rewrites.get(trim(value)) : undefined;
    setMember(copy, key, target ?? rewriteTargets(value, rewrites));
  }
  return copy;
}
