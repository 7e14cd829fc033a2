/** Turns get fresh ids in a replay: the nth new turn of a session stands for its nth recorded one (replay-runtime 4.6). */

import type { Json, JsonObject } from '../../core/json/exact.ts';
import type { SessionState } from '../engine/state.ts';

/** Recorded turns of each session in order: those it had before, and those that the recording added. */
export type RecordedTurns = { [agentSessionId: string]: { initial: string[]; recorded: string[] } };

export type LiveTurns = Pick<SessionState, 'graph'> | null;

/** The id of a recorded turn in this run; the recorded one while it has none, which then fits nothing. */
export function liveTurnId(turns: RecordedTurns, options: { agentSessionId: string | null; recordedId: string; live: LiveTurns }): string {
  const { agentSessionId, recordedId, live } = options;
  const index = turns[agentSessionId ?? '']?.recorded.indexOf(recordedId) ?? -1;
  return newTurns(turns, agentSessionId, live)[index] ?? recordedId;
}

/** A payload with its turn in the ids of this run. */
export function rebaseTurns(payload: JsonObject, rename: (recordedId: string) => string): JsonObject {
  const turnId: Json | undefined = payload['turnId'];
  return typeof turnId === 'string' ? { ...payload, turnId: rename(turnId) } : payload;
}

/** The first turn that the recording does not have, with its number among the new ones; null where there is none. */
export function surplusTurn(turns: RecordedTurns, live: SessionState): { turnId: string; index: number; recordedCount: number } | null {
  const plan = turns[live.agentSessionId];
  const turnId = plan && newTurns(turns, live.agentSessionId, live)[plan.recorded.length];
  return turnId === undefined ? null : { turnId, index: plan?.recorded.length ?? 0, recordedCount: plan?.recorded.length ?? 0 };
}

function newTurns(turns: RecordedTurns, agentSessionId: string | null, live: LiveTurns): string[] {
  const initial = turns[agentSessionId ?? '']?.initial ?? [];
  return live?.graph?.turns.map(({ turnId }) => turnId).filter((turnId) => !initial.includes(turnId)) ?? [];
}
