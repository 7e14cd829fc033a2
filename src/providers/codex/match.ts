/** Structural match of one outbound message (replay-runtime 2.5): what was sent live against what was recorded. */

import { firstDifference, type Difference } from '../../core/json/compare.ts';
import { isObject, member, writeJson, type Json, type JsonObject } from '../../core/json/exact.ts';
import { projectMessage } from '../../core/projection/project.ts';
import { isNamed, type Root } from '../../core/projection/rules.ts';
import type { MatchResult, MatchState } from '../../core/provider/adapter.ts';
import { codexRules } from './rules.ts';

export function matchCodex(options: { recorded: Json; live: Json; roots: readonly Root[]; state: MatchState }): MatchResult {
  const recorded = freeClientInfo(projectMessage(options.recorded, codexRules, []));
  const live = freeClientInfo(projectMessage(options.live, codexRules, options.roots));
  const requestIds = new Map(options.state.requestIds);
  const identities = new Map(options.state.identities);
  const idDifference = alignRequestIds(recorded, live, requestIds);
  if (idDifference) return { matches: false, difference: idDifference };
  const aligned = alignIdentities(recorded, live, identities);
  const isRequest = member(recorded, 'method') !== undefined && member(live, 'method') !== undefined;
  const difference = firstDifference(isRequest ? withoutId(recorded) : recorded, isRequest ? withoutId(aligned) : aligned);
  return difference ? { matches: false, difference } : { matches: true, state: { requestIds, identities } };
}

// Version and title of the client drift with every release of the product; its name and capabilities stay strict.
function freeClientInfo(message: Json): Json {
  const params = member(message, 'params');
  const info = member(params, 'clientInfo');
  if (member(message, 'method') !== 'initialize' || !isObject(message) || !isObject(params) || !isObject(info)) return message;
  const { version: _version, title: _title, ...strict } = info;
  return { ...message, params: { ...params, clientInfo: strict } };
}

function alignRequestIds(recorded: Json, live: Json, requestIds: Map<string, Json>): Difference | null {
  if (member(recorded, 'method') === undefined || member(live, 'method') === undefined) return null;
  const recordedId = member(recorded, 'id');
  const liveId = member(live, 'id');
  if ((recordedId === undefined) !== (liveId === undefined)) return { path: '$.id', recorded: recordedId, live: liveId };
  if (recordedId !== undefined && liveId !== undefined) requestIds.set(writeJson(recordedId), liveId);
  return null;
}

// Gives the live value with generated identities replaced by the recorded ones they stand for; a conflict stays as it is
// and fails the comparison at its own path.
function alignIdentities(recorded: Json, live: Json, identities: Map<string, string>): Json {
  if (Array.isArray(recorded) && Array.isArray(live)) return live.map((item, i) => (recorded[i] === undefined ? item : alignIdentities(recorded[i], item, identities)));
  if (!isObject(recorded) || !isObject(live)) return live;
  const copy: JsonObject = { ...live };
  for (const key of Object.keys(live)) {
    const was = recorded[key];
    const is = live[key] as Json;
    if (was === undefined) continue;
    if (isNamed(codexRules.generatedIdentityFields, key) && typeof was === 'string' && typeof is === 'string' && was !== '' && is !== '') {
      const known = identities.get(was);
      if (known === undefined) identities.set(was, is);
      if (known === undefined || known === is) copy[key] = was;
    } else copy[key] = alignIdentities(was, is, identities);
  }
  return copy;
}

function withoutId(message: Json): Json {
  if (!isObject(message)) return message;
  const { id: _id, ...rest } = message;
  return rest;
}
