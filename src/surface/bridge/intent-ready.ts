/** What a recorded intent waits for, and how it is dispatched in this run (replay-runtime 4.5, 4.6, 5.4). */

import { materializePayload } from '../../core/activity/command-id.ts';
import { intentRule } from '../../core/activity/contract.ts';
import { waitsForIdle } from '../../core/activity/idle-wait.ts';
import { localizePayload } from '../../core/activity/project-payload.ts';
import { isIntentReady, type SessionView } from '../../core/activity/readiness.ts';
import { rebaseTimestamps } from '../../core/activity/rebase-timestamps.ts';
import { reaches, type LanePlaceView } from '../../core/control/lanes.ts';
import type { JsonObject } from '../../core/json/exact.ts';
import { textAt } from '../../core/json/read.ts';
import type { Intent } from '../engine/intent.ts';
import { queuesSubmit } from '../engine/queue.ts';
import type { EngineState } from '../engine/state.ts';
import type { ActivityLane, LaneEvent } from './lane.ts';
import { liveTurnId, rebaseTurns } from './turn-identity.ts';

/** The payload of a recorded event in the ids and paths of this run. */
export function localPayload(lane: ActivityLane, event: LaneEvent, state: EngineState): JsonObject {
  const { agentSessionId } = event;
  const live = state.sessions[agentSessionId ?? ''] ?? null;
  return rebaseTurns(localizePayload(event, lane.projectFolder), (recordedId) => liveTurnId(lane.turns, { agentSessionId, recordedId, live }));
}

/** What the intent waits for, in words; null when it can be dispatched now. */
export function awaitedBy(lane: ActivityLane, event: LaneEvent, state: EngineState): string | null {
  const behind = event.seen.find((place) => !reaches(state.lanes, [place]));
  if (behind) return `${placeText(behind)} to be applied (it stands at ${placeText(state.lanes.find(({ connectionId }) => connectionId === behind.connectionId))})`;
  const payload = localPayload(lane, event, state);
  const view = sessionView(state, event, payload);
  if (!isIntentReady({ type: event.type, payload }, view)) return readinessTexts[intentRule(event.type)?.readiness ?? 'always'](payload);
  const later = lane.events.filter(({ sequence }) => sequence > event.sequence);
  return waitsForIdle(event, later) && (view?.queuesSubmit ?? true) ? 'its session to be idle' : null;
}

/** The intent as the engine takes it now. */
export function localIntent(options: { lane: ActivityLane; event: LaneEvent; state: EngineState; nowUnixMs: number }): Intent {
  const { lane, event, state, nowUnixMs } = options;
  const payload = materializePayload(lane.cassetteId, { ...event, payload: localPayload(lane, event, state) });
  const timed = rebaseTimestamps({ type: event.type, occurredAtUnixMs: event.occurredAtUnixMs, payload }, nowUnixMs);
  return { ...timed, type: event.type, agentSessionId: event.agentSessionId ?? '' } as unknown as Intent;
}

/** A session that the daemon does not know yet is there for a prompt alone: that would wait in its queue. */
function sessionView(state: EngineState, { type, agentSessionId }: LaneEvent, payload: JsonObject): SessionView | null {
  const session = state.sessions[agentSessionId ?? ''];
  if (!session || (!session.graph && type !== 'submit/requested')) return null;
  const turns = session.graph?.turns ?? [];
  const activeTurn = turns.find(({ turnId }) => turnId === session.graph?.session.activeTurnId) ?? null;
  return { runtimeStatus: null, goalControlStatus: null, activeTurn, turns, interactions: session.graph?.interactions ?? [], queuesSubmit: queuesSubmit(session, textAt(payload, 'replaces')) };
}

function placeText(place: LanePlaceView | undefined): string {
  return place ? `${place.connectionId} ${place.chunkSeq}.${place.unitIndex}` : 'its begin';
}

type Readiness = NonNullable<ReturnType<typeof intentRule>>['readiness'];

const readinessTexts: { [Rule in Readiness]: (payload: JsonObject) => string } = {
  always: () => 'its turn',
  session: () => 'its session to be there',
  sessionIfExisting: () => 'its session to be there',
  controllableGoal: () => 'the goal of its session to be free',
  pendingInteraction: (payload) => `interaction "${textAt(payload, 'requestId') ?? ''}" to be pending`,
  completedTurn: (payload) => `turn "${textAt(payload, 'turnId') ?? ''}" to be completed`,
  activeTurn: (payload) => `turn "${textAt(payload, 'turnId') ?? ''}" to be active`,
  queuedSubmit: (payload) => ((payload['submitDiagnostics'] as JsonObject | undefined)?.['queued'] === true ? 'its session to be busy, so that the prompt is queued' : 'its session to be idle, so that the prompt goes out at once'),
};
