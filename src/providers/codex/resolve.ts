/** A recorded inbound message as the live product must see it (replay-runtime 2.6, step 4). */

import { isObject, member, setMember, writeJson, type Json, type JsonObject } from '../../core/json/exact.ts';
import { resolveMessage } from '../../core/projection/project.ts';
import { isNamed, type Root } from '../../core/projection/rules.ts';
import type { MatchState } from '../../core/provider/adapter.ts';
import { codexRules } from './rules.ts';

export function resolveCodex(options: { message: Json; roots: readonly Root[]; state: MatchState }): Json {
  const placed = resolveMessage(options.message, codexRules, options.roots);
  const named = options.state.identities.size > 0 ? mapIdentities(placed, options.state.identities) : placed;
  return mapResponseId(named, options.state.requestIds);
}

/** Cheap test on the stored line: a token, a response (which may hold a member "method" too), or a generated identity. */
export function mayChangeCodex(line: string): boolean {
  return line.includes('${') || line.includes('"result"') || line.includes('"error"') || !line.includes('"method"') || line.includes('clientUserMessageId') || line.includes('"clientId":"');
}

function mapResponseId(message: Json, requestIds: ReadonlyMap<string, Json>): Json {
  const id = member(message, 'id');
  if (!isObject(message) || id === undefined || member(message, 'method') !== undefined) return message;
  const live = requestIds.get(writeJson(id));
  return live === undefined ? message : { ...message, id: live };
}

function mapIdentities(value: Json, identities: ReadonlyMap<string, string>): Json {
  if (Array.isArray(value)) return value.map((item) => mapIdentities(item, identities));
  if (!isObject(value)) return value;
  const copy: JsonObject = {};
  for (const key of Object.keys(value)) {
    const item = value[key] as Json;
    const isIdentity = isNamed(codexRules.generatedIdentityFields, key) || key === 'clientId';
    setMember(copy, key, isIdentity && typeof item === 'string' ? (identities.get(item) ?? item) : mapIdentities(item, identities));
  }
  return copy;
}
