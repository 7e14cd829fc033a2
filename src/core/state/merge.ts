/** The initial states of a batch as one: shared objects once, a conflict refuses the whole batch (cassette-contract 7.10). */

import { writeJson, type Json, type JsonObject } from '../json/exact.ts';
import { compareBytes } from '../json/go-text.ts';
import { objectAt, textAt } from '../json/read.ts';
import { firstMismatch, type Mismatch } from './differences.ts';
import { semanticProfiles, stateForProfile, type SemanticProfile } from './profile.ts';
import { activationMembers, issueMembers, sessionMembers, snapshotMembers, workflowMembers, type Members } from './shape.ts';
import { typedRow } from './typed.ts';
import { rowsAt } from './walk.ts';

/** Agent graphs by root id, product objects by their key; members that nobody knows are kept. */
export type MergedState = { agents: JsonObject[]; tuttiMode: { activations: JsonObject[]; turnSnapshots: JsonObject[] }; workflows: JsonObject[]; issues: JsonObject[] };
export type MergeOutcome<Merged> = { merged: Merged; conflicts: [] } | { merged: null; conflicts: Mismatch[] };
export type MergeOptions = { profile?: SemanticProfile };

/** Merges states that were checked before. Ids compare raw; the order of the states never matters. */
export function mergeStates(states: readonly Json[], options: MergeOptions = {}): MergeOutcome<MergedState> {
  const own = states.map((state) => stateForProfile(state, options.profile ?? semanticProfiles.tutti));
  const conflicts: Mismatch[] = [];
  const merge = (rows: JsonObject[], kind: Kind) => mergeRows(rows, kind, conflicts);
  const modes = own.map((state) => objectAt(state, 'tuttiMode'));
  const agents = own.map((state) => objectAt(state, 'agent')).filter((agent) => agent !== undefined);
  merge(all(agents, 'sessions'), kinds.session);
  const merged = {
    agents: mergeAgents(agents),
    tuttiMode: { activations: merge(all(modes, 'activations'), kinds.activation), turnSnapshots: merge(all(modes, 'turnSnapshots'), kinds.snapshot) },
    workflows: merge(all(own, 'workflows'), kinds.workflow),
    issues: merge(all(own, 'issues'), kinds.issue),
  };
  return conflicts.length === 0 ? { merged, conflicts: [] } : { merged: null, conflicts: conflicts.sort((a, b) => compareBytes(a.path, b.path)) };
}

/** `nameOf` is how a path shows a row, where its key is no text for reading. */
type Kind = { path: string; members: Members; keyOf: (row: Json) => string; nameOf?: (row: Json) => string };

const byId = (row: Json) => textAt(row, 'id') ?? '';
const turnOf = (row: Json): [string, string] => [textAt(row, 'sessionId') ?? '', textAt(row, 'turnId') ?? ''];
const kinds = {
  session: { path: '$.agent.sessions', members: sessionMembers, keyOf: byId },
  activation: { path: '$.tuttiMode.activations', members: activationMembers, keyOf: byId },
  snapshot: { path: '$.tuttiMode.turnSnapshots', members: snapshotMembers, keyOf: (row: Json) => writeJson(turnOf(row)), nameOf: (row: Json) => turnOf(row).join('/') },
  workflow: { path: '$.workflows', members: workflowMembers, keyOf: byId },
  issue: { path: '$.issues', members: issueMembers, keyOf: byId },
} as const satisfies { [name: string]: Kind };

function mergeRows(rows: readonly JsonObject[], kind: Kind, conflicts: Mismatch[]): JsonObject[] {
  const groups = groupByKey(rows, kind.keyOf);
  const merged = [...groups].map(([key, group]) => ({ key, group, first: group[0] as JsonObject, name: kind.nameOf?.(group[0] as JsonObject) ?? key }));
  merged.sort((a, b) => compareBytes(a.name, b.name) || compareBytes(a.key, b.key));
  for (const { name, group } of merged) {
    const found = new Map<string, Mismatch>();
    for (const conflict of groupConflicts({ name, kind, group })) if (!found.has(conflict.path)) found.set(conflict.path, conflict);
    for (const conflict of found.values()) conflicts.push(conflict);
  }
  return merged.map(({ first }) => first);
}

/** Settings hold each in the other: asked one way only, as the reference does, the answer would depend on the order of the batch. */
function* groupConflicts({ name, kind, group: [first, ...others] }: { name: string; kind: Kind; group: readonly JsonObject[] }): Generator<Mismatch> {
  if (first === undefined || others.length === 0) return;
  const expected = typedRow(first, kind.members);
  for (const other of others) {
    const mismatch = firstMismatch({ expected, actual: typedRow(other, kind.members), path: `${kind.path}[${name}]` }, 'both');
    if (mismatch) yield mismatch;
  }
}

/** A graph that comes twice, the very same sessions under one root, stays once. */
function mergeAgents(agents: readonly JsonObject[]): JsonObject[] {
  const rootOf = (agent: JsonObject) => textAt(agent, 'rootSessionId') ?? '';
  const groups = groupByKey(agents, (agent) => writeJson([rootOf(agent), ...all([agent], 'sessions').map(byId).sort(compareBytes)]));
  return [...groups.values()].map((group) => group[0] as JsonObject).sort((a, b) => compareBytes(rootOf(a), rootOf(b)) || compareBytes(writeJson(a), writeJson(b)));
}

/** Rows of one key in the order of their text, so that of rows that count as equal always the same one comes first. */
function groupByKey(rows: readonly JsonObject[], keyOf: (row: JsonObject) => string): Map<string, JsonObject[]> {
  const groups = new Map<string, JsonObject[]>();
  for (const row of rows) {
    const key = keyOf(row);
    const group = groups.get(key);
    if (group) group.push(row);
    else groups.set(key, [row]);
  }
  for (const [key, group] of groups) if (group.length > 1) groups.set(key, sortByText(group));
  return groups;
}

function sortByText(rows: readonly JsonObject[]): JsonObject[] {
  const written = rows.map((row) => ({ row, text: writeJson(row) }));
  return written.sort((a, b) => compareBytes(a.text, b.text)).map(({ row }) => row);
}

function all(values: readonly (Json | undefined)[], key: string): JsonObject[] {
  return values.flatMap((value) => rowsAt(value, key).map(({ row }) => row));
}
