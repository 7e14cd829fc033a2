/** A settled graph as `tutti.agent-session-replay-state.v1`, with this machine's paths and no time (agent-host 1.10, cassette-contract 7.1, 7.2). */

import type { Json, JsonObject } from '../../core/json/exact.ts';
import type { InteractionView, MessageView, SessionRef, TurnView } from '../../core/agent/views.ts';
import type { Connection } from './connection.ts';
import { listInteractions } from './interactions.ts';
import { listMessages } from './messages.ts';
import { jsonOf } from './rows.ts';
import { bySession, listTree, type StoredSession } from './sessions.ts';
import { listTurns } from './turns.ts';

/** The root is there and nothing of its tree is active; the caller has looked. */
export function captureGraph(sql: Connection, root: SessionRef): Json {
  return stateOf(root.agentSessionId, listTree(sql, root).map((session) => sessionOf(sql, session)));
}

export function stateOf(rootSessionId: string, sessions: JsonObject[]): JsonObject {
  return { schemaVersion: 1, agent: { rootSessionId, sessions }, tuttiMode: { activations: [], turnSnapshots: [] }, workflows: [], issues: [] };
}

function sessionOf(sql: Connection, session: StoredSession): JsonObject {
  const refs = capabilityRefs(sql, session.ref);
  return {
    id: session.agentSessionId,
    kind: session.kind,
    ...filled({ rootSessionId: session.rootSessionId, rootTurnId: session.rootTurnId, parentSessionId: session.parentSessionId, parentTurnId: session.parentTurnId, parentToolCallId: session.parentToolCallId, origin: session.origin }),
    agentTargetId: session.agentTargetId,
    provider: session.provider,
    providerSessionId: session.providerSessionId,
    ...filled({ model: session.model }),
    settings: session.settings,
    ...filled({ providerResumeCheckpoint: session.resumeCheckpoint }),
    ...filled({ cwd: session.cwd, railSectionKind: session.railSectionKind, railProjectPath: session.railProjectPath, railSectionKey: session.railSectionKey, title: session.title, activeTurnId: session.activeTurnId }),
    pinned: session.isPinned,
    turns: listTurns(sql, session.ref).map((turn) => turnOf(turn, refs.get(turn.turnId) ?? [])),
    messages: listMessages(sql, session.ref).map(messageOf),
    interactions: listInteractions(sql, session.ref).map(interactionOf),
  };
}

function turnOf(turn: TurnView, capabilities: Json): JsonObject {
  const { error, fileChanges, completedCommand } = turn;
  return { id: turn.turnId, capabilityRefs: capabilities, phase: turn.phase, ...filled({ outcome: turn.outcome, error, fileChanges, completedCommand }), origin: turn.origin, ...filled({ rootProviderTurnId: turn.rootProviderTurnId }) };
}

function messageOf({ messageId, turnId, role, kind, status, semantics, payload }: MessageView): JsonObject {
  return { id: messageId, ...filled({ turnId }), role, ...filled({ kind, status, semantics }), payload };
}

function interactionOf({ requestId, turnId, kind, status, toolName, input, output, metadata }: InteractionView): JsonObject {
  return { requestId, turnId, kind, status, ...filled({ toolName }), input, output: output ?? {}, metadata };
}

function capabilityRefs(sql: Connection, ref: SessionRef): Map<string, Json> {
  return new Map(sql.all(`select turn_id, capability_refs_json from workspace_agent_turns where ${bySession}`, ref).map((row) => [row['turn_id'] as string, jsonOf(row['capability_refs_json'])]));
}

function filled(members: { [name: string]: Json }): JsonObject {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null && value !== ''));
}
