/** The recorded activity lane, as the daemon gives it to a replaying window (replay-runtime 4.5). */

import type { ActivityEvent } from '../../core/activity/event.ts';
import type { LanePlaceView } from '../../core/control/lanes.ts';
import { isObject, type Json, type JsonObject } from '../../core/json/exact.ts';
import { integerAt, listAt, objectAt, textAt } from '../../core/json/read.ts';
import type { Request } from '../client/http.ts';
import type { RecordedTurns } from './turn-identity.ts';

export type LaneEvent = ActivityEvent & { seen: LanePlaceView[] };
export type ActivityLane = { cassetteId: string; projectFolder: string; events: readonly LaneEvent[]; turns: RecordedTurns };

/** Rejects where the daemon does not give it: without the lane there is nothing to replay. */
export async function loadLane(request: Request): Promise<ActivityLane> {
  const reply = await request({ method: 'GET', path: '/v1/replay/lane' });
  if (!reply.isOk) throw new Error(`Cannot load the activity lane: ${reply.message} (${reply.code}), the recorded events were needed`);
  const { body } = reply;
  return {
    cassetteId: textAt(body, 'cassetteId') ?? '',
    projectFolder: textAt(body, 'projectFolder') ?? '',
    events: (listAt(body, 'events') ?? []).filter(isObject).map(eventOf),
    turns: turnsOf(objectAt(body, 'turns') ?? {}),
  };
}

function eventOf(event: JsonObject): LaneEvent {
  const kind = textAt(event, 'kind');
  return {
    sequence: numberAt(event, 'sequence'),
    kind: kind === 'effect' || kind === 'direct-stimulus' ? kind : 'intent',
    type: textAt(event, 'type') ?? '',
    eventId: textAt(event, 'eventId') ?? '',
    correlationId: textAt(event, 'correlationId') ?? null,
    causedByEventId: textAt(event, 'causedByEventId') ?? null,
    agentSessionId: textAt(event, 'agentSessionId') ?? null,
    payload: objectAt(event, 'payload') ?? {},
    occurredAtUnixMs: numberAt(event, 'occurredAtUnixMs'),
    seen: (listAt(objectAt(event, 'lanes'), 'seen') ?? []).map((place) => ({ connectionId: textAt(place, 'connectionId') ?? '', chunkSeq: numberAt(place, 'chunkSeq'), unitIndex: numberAt(place, 'unitIndex') })),
  };
}

function turnsOf(turns: JsonObject): RecordedTurns {
  return Object.fromEntries(Object.entries(turns).map(([sessionId, plan]) => [sessionId, { initial: textsAt(plan, 'initial'), recorded: textsAt(plan, 'recorded') }]));
}

function textsAt(value: Json, key: string): string[] {
  return (listAt(value, key) ?? []).filter((text) => typeof text === 'string');
}

function numberAt(value: Json, key: string): number {
  return Number(integerAt(value, key) ?? 0);
}
