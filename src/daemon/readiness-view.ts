/** What checkpoints ask of the live state, read from the Host's rows (cassette-contract 4.8, 6.8). */

import type { AgentHost } from '../core/agent/host.ts';
import type { MessageView, SessionGraphView, TurnView } from '../core/agent/views.ts';
import type { EntityAddress } from '../core/checkpoint/entity.ts';
import type { MessageState, ReadinessView } from '../core/checkpoint/readiness.ts';
import { member, type Json, type JsonObject } from '../core/json/exact.ts';
import { objectAt, textAt, trim } from '../core/json/read.ts';
import { attachmentBlocks } from '../core/observation/message.ts';
import type { EntityRef, EntityRegistry } from '../core/observation/registry.ts';
import { isSameBinding } from '../core/state/binding.ts';
import { areSettingsKept } from '../core/state/settings.ts';
import { rowsAt } from '../core/state/walk.ts';

export type LiveState = {
  registry: EntityRegistry;
  /** The graph of a session of this process. */
  graph: (sessionId: string) => SessionGraphView | null;
};

/** What a replay is compared with. */
export type Recorded = {
  /** The expected state with its tokens resolved. */
  expected: Json;
  normalisePath: (path: string) => string;
};

/** The graphs of a Host, where a blank session is the root (cassette-contract 6.6). */
export function liveStateOf(host: Pick<AgentHost, 'graph'>, { workspaceId, registry }: { workspaceId: string; registry: EntityRegistry }): LiveState {
  return { registry, graph: (sessionId) => host.graph({ workspaceId, agentSessionId: trim(sessionId) || registry.rootId }) };
}

/** `recorded` is null while a cassette is made: what is recorded is by definition as recorded. */
export function createReadinessView({ registry, graph }: LiveState, recorded: Recorded | null): ReadinessView {
  const find = <Kind extends EntityRef['kind']>(address: EntityAddress, kind: Kind) => findLive({ registry, graph }, address, kind);
  const session = (address: EntityAddress) => find(address, 'session')?.graph;
  return {
    session: (address) => ifFound(session(address), ({ session: row }) => ({ hasActiveTurn: row.activeTurnId !== null, hasEnded: row.kind === 'child' && row.activeTurnId === null })),
    turn: (address) => ifFound(find(address, 'turn'), ({ ref, graph: live }) => ifFound(turnOf(live, ref), ({ turnId, phase, outcome }) => ({ phase, outcome: outcome ?? '', messages: live.messages.filter((message) => message.turnId === turnId).map(messageState) }))),
    call: (address) => ifFound(find(address, 'tool-call'), ({ ref, graph: live }) => ifFound(callOf(live, ref), messageState)),
    interaction: (address) => ifFound(find(address, 'interaction'), ({ ref, graph: live }) => interactionOf(live, ref)),
    goal: () => undefined,
    attachment: (address) => ifFound(find(address, 'attachment'), ({ ref, graph: live }) => attachmentBlocks(messageOf(live, ref)?.payload)[ref.ordinal - 1]),
    areSettingsRecorded: (address) => !recorded || (ifFound(session(address), (live) => areSettingsKept(member(expectedSession(recorded.expected, live), 'settings'), live.session.settings)) ?? false),
    isProjectRecorded: (address) => !recorded || (ifFound(session(address), (live) => isSameBinding(expectedSession(recorded.expected, live) ?? null, bindingOf(live), recorded.normalisePath)) ?? false),
  };
}

/** The live entity of an address, with the graph of its session. */
export function findLive<Kind extends EntityRef['kind']>({ registry, graph }: LiveState, address: EntityAddress, kind: Kind): { ref: Extract<EntityRef, { kind: Kind }>; graph: SessionGraphView } | undefined {
  const ref = registry.refOf(address);
  const live = ref?.kind === kind ? graph(ref.sessionId) : null;
  return live ? { ref: ref as Extract<EntityRef, { kind: Kind }>, graph: live } : undefined;
}

export function turnOf({ turns }: SessionGraphView, { turnId }: { turnId: string }): TurnView | undefined {
  return turns.find((turn) => turn.turnId === trim(turnId));
}

export function callOf({ messages }: SessionGraphView, { turnId, callId }: { turnId: string; callId: string }): MessageView | undefined {
  return messages.find((message) => message.turnId === trim(turnId) && textAt(message.payload, 'callId') === trim(callId));
}

export function messageOf({ messages }: SessionGraphView, { messageId }: { messageId: string }): MessageView | undefined {
  return messages.find((message) => message.messageId === trim(messageId));
}

export function interactionOf({ interactions }: SessionGraphView, { turnId, requestId }: { turnId: string; requestId: string }) {
  return interactions.find((interaction) => interaction.turnId === trim(turnId) && interaction.requestId === trim(requestId));
}

function messageState({ status, payload }: MessageView): MessageState {
  return { status, payload };
}

function expectedSession(expected: Json, { session }: SessionGraphView): JsonObject | undefined {
  return rowsAt(objectAt(expected, 'agent'), 'sessions').find(({ row }) => textAt(row, 'id') === session.agentSessionId)?.row;
}

function bindingOf({ session }: SessionGraphView): JsonObject {
  const { agentTargetId, provider, cwd, railSectionKind, railProjectPath, railSectionKey } = session;
  return { agentTargetId, provider, cwd, railSectionKind, railProjectPath, railSectionKey };
}

function ifFound<Found, Result>(found: Found | undefined, read: (found: Found) => Result): Result | undefined {
  return found === undefined ? undefined : read(found);
}
