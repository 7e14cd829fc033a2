/** Puts a settled graph into the store (agent-host 1.10): all of it or nothing, and again with an equal one changes nothing. */

import { writeJson, type Json, type JsonObject } from '../../core/json/exact.ts';
import { listAt, objectAt, textAt } from '../../core/json/read.ts';
import { typedState } from '../../core/state/typed.ts';
import type { InteractionView, TurnView } from '../../core/agent/views.ts';
import { captureGraph, stateOf } from './capture.ts';
import { insertInteraction } from './interactions.ts';
import { insertMessage } from './messages.ts';
import { findSession, insertSession } from './sessions.ts';
import type { Tx } from './transaction.ts';

export type Owner = { workspaceId: string; userId: string };
export type Restored = 'inserted' | 'same' | 'partial' | 'different' | 'foreign';

/** The state was checked: one root, settled, nothing dangling. */
export function restoreGraph(tx: Tx, { workspaceId, userId }: Owner, state: Json): Restored {
  const graph = normalise(state);
  const sessions = rows(objectAt(graph, 'agent'), 'sessions');
  const there = sessions.map((session) => findSession(tx.sql, { workspaceId, agentSessionId: text(session, 'id') }));
  const found = there.filter((session) => session !== null);
  if (found.length === 0) {
    for (const session of parentsFirst(sessions)) insertOne(tx, { workspaceId, userId }, session);
    return 'inserted';
  }
  if (found.length < sessions.length) return 'partial';
  if (found.some((session) => session.userId !== userId)) return 'foreign';
  const root = { workspaceId, agentSessionId: text(objectAt(graph, 'agent'), 'rootSessionId') };
  return writeJson(normalise(captureGraph(tx.sql, root))) === writeJson(graph) ? 'same' : 'different';
}

/** What a capture would give for a state: the codec's form, root first, and values that the store fills in. */
export function normalise(state: Json): JsonObject {
  const agent = objectAt(typedState(state), 'agent');
  const root = text(agent, 'rootSessionId');
  const sessions = rows(agent, 'sessions').map(normaliseSession);
  const isBefore = (a: JsonObject, b: JsonObject) => (text(a, 'id') === root ? -1 : text(b, 'id') === root ? 1 : text(a, 'id') < text(b, 'id') ? -1 : 1);
  return stateOf(root, sessions.sort(isBefore));
}

function normaliseSession(session: JsonObject): JsonObject {
  const path = text(session, 'railProjectPath');
  const isProject = text(session, 'railSectionKind') === 'project' && path !== '';
  const { railSectionKind: _kind, railProjectPath: _path, railSectionKey: _key, ...rest } = session;
  return sorted({
    ...rest,
    railSectionKind: isProject ? 'project' : 'conversations',
    ...(isProject && { railProjectPath: path }),
    // Of this machine, whatever the key says.
    railSectionKey: isProject ? `project:${path}` : 'conversations',
    settings: session['settings'] ?? {},
    turns: rows(session, 'turns').map((turn) => sorted({ ...turn, capabilityRefs: turn['capabilityRefs'] ?? [] })),
    messages: rows(session, 'messages').map((message) => sorted({ ...message, kind: text(message, 'kind') || 'text', payload: message['payload'] ?? {} })),
    interactions: inOrder(session).map((row) => sorted({ ...row, input: row['input'] ?? {}, output: row['output'] ?? {}, metadata: row['metadata'] ?? {} })),
  });
}

function insertOne(tx: Tx, { workspaceId, userId }: Owner, session: JsonObject): void {
  const ref = { workspaceId, agentSessionId: text(session, 'id') };
  const value = (name: string) => text(session, name);
  insertSession(tx, {
    ref, userId, origin: value('origin'), agentTargetId: value('agentTargetId'), provider: value('provider'), providerSessionId: value('providerSessionId'), model: value('model'),
    settings: objectAt(session, 'settings') ?? {}, metadata: { visible: true, imported: true }, resumeCheckpoint: objectAt(session, 'providerResumeCheckpoint') ?? null, cwd: value('cwd'),
    rail: { kind: value('railSectionKind'), projectPath: value('railProjectPath'), key: value('railSectionKey') }, title: value('title'), isPinned: session['pinned'] === true,
    kind: value('kind') === 'child' ? 'child' : 'root',
    relation: { rootSessionId: value('rootSessionId'), rootTurnId: value('rootTurnId'), parentSessionId: value('parentSessionId'), parentTurnId: value('parentTurnId'), parentToolCallId: value('parentToolCallId') },
  });
  for (const [index, turn] of rows(session, 'turns').entries()) insertSettled(tx, { ...ref, turnId: text(turn, 'id') }, { turn, sequence: index + 1 });
  for (const message of rows(session, 'messages')) {
    const [messageId, role, kind, status] = ['id', 'role', 'kind', 'status'].map((name) => text(message, name)) as [string, string, string, string];
    insertMessage(tx, ref, { messageId, turnId: text(message, 'turnId') || null, role, kind, status, payload: objectAt(message, 'payload') ?? {}, semantics: objectAt(message, 'semantics') ?? null });
  }
  for (const row of rows(session, 'interactions')) insertInteraction(tx, ref, interactionOf(row));
}

function insertSettled(tx: Tx, key: { workspaceId: string; agentSessionId: string; turnId: string }, { turn, sequence }: { turn: JsonObject; sequence: number }): void {
  const json = (name: string) => (turn[name] === undefined ? null : writeJson(turn[name]));
  tx.touched.turn(key);
  tx.sql.run(
    `insert into workspace_agent_turns (workspace_id, agent_session_id, turn_id, turn_sequence, phase, outcome, error_json, file_changes_json, completed_command_json, capability_refs_json, turn_origin, root_provider_turn_id, started_at_unix_ms, settled_at_unix_ms)
     values ($workspaceId, $agentSessionId, $turnId, $sequence, $phase, $outcome, $error, $fileChanges, $completedCommand, $capabilityRefs, $origin, $providerTurnId, $now, $now)`,
    {
      ...key, sequence, phase: text(turn, 'phase'), outcome: text(turn, 'outcome') as TurnView['outcome'], error: json('error'), fileChanges: json('fileChanges'), completedCommand: json('completedCommand'),
      capabilityRefs: json('capabilityRefs'), origin: text(turn, 'origin') || 'legacy_unknown', providerTurnId: text(turn, 'rootProviderTurnId'), now: tx.nowUnixMs,
    },
  );
}

function interactionOf(row: JsonObject): Omit<InteractionView, 'agentSessionId'> {
  const output = objectAt(row, 'output') ?? {};
  return {
    requestId: text(row, 'requestId'), turnId: text(row, 'turnId'), kind: text(row, 'kind') as InteractionView['kind'], status: text(row, 'status') as InteractionView['status'], toolName: text(row, 'toolName'),
    input: objectAt(row, 'input') ?? {}, output: Object.keys(output).length > 0 ? output : null, metadata: objectAt(row, 'metadata') ?? {},
  };
}

// By turn, then by request, as a capture lists them.
function inOrder(session: JsonObject): JsonObject[] {
  const place = new Map(rows(session, 'turns').map((turn, index) => [text(turn, 'id'), index]));
  const placeOf = (row: JsonObject) => place.get(text(row, 'turnId')) ?? -1;
  return rows(session, 'interactions').sort((a, b) => placeOf(a) - placeOf(b) || (text(a, 'requestId') < text(b, 'requestId') ? -1 : 1));
}

function parentsFirst(sessions: JsonObject[]): JsonObject[] {
  const depth = (session: JsonObject, seen = 0): number => {
    const parent = sessions.find((other) => text(other, 'id') === text(session, 'parentSessionId'));
    return parent === undefined || seen > sessions.length ? seen : depth(parent, seen + 1);
  };
  return sessions.toSorted((a, b) => depth(a) - depth(b));
}

function sorted(row: JsonObject): JsonObject {
  return Object.fromEntries(Object.keys(row).sort().map((name) => [name, canonical(row[name] as Json)]));
}

// The order of members says nothing.
function canonical(value: Json): Json {
  if (Array.isArray(value)) return value.map(canonical);
  return typeof value === 'object' && value !== null && !('rawJSON' in value) ? sorted(value) : value;
}

function rows(value: Json | undefined, name: string): JsonObject[] {
  return (listAt(value, name) ?? []) as JsonObject[];
}

function text(value: Json | undefined, name: string): string {
  return textAt(value, name) ?? '';
}
