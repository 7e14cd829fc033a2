/** The body of `POST /v1/recording/activity-events`, read member by member (cassette-contract 9.8). */

import type { LanePlaceView } from '../../core/control/lanes.ts';
import { activityKinds, type ActivityKind } from '../../core/activity/event.ts';
import { isObject, type Json, type JsonObject } from '../../core/json/exact.ts';
import { integerAt, isBlank, listAt, objectAt, present, shown, textAt, trim } from '../../core/json/read.ts';
import { limits } from '../../core/limits.ts';
import { Refusal } from '../mode.ts';

/** An event as a window sends it; texts are trimmed, absent ones null. */
export type SubmittedEvent = {
  eventId: string;
  kind: ActivityKind;
  type: string;
  occurredAtUnixMs: number;
  correlationId: string | null;
  causedByEventId: string | null;
  agentSessionId: string | null;
  payload: JsonObject;
  /** Which command an effect is the result of. */
  commandId: string | null;
  /** The lane behind the last event that the window had applied. */
  seen: LanePlaceView[];
};

/** Gives the events, or throws the refusal of the whole request. */
export function parseEvents(body: Json | undefined): SubmittedEvent[] {
  const events = listAt(body, 'events');
  if (!events || events.length === 0 || events.length > limits.activityBatchCountMax)
    throw refuse('$.events', events ? `it has ${events.length} entries` : `it is ${shown(present(body, 'events'))}`, `1 to ${limits.activityBatchCountMax} events were needed`);
  return events.map((event, i) => parseEvent(event, `$.events[${i}]`));
}

function parseEvent(event: Json, path: string): SubmittedEvent {
  if (!isObject(event)) throw refuse(path, `it is ${shown(event)}`, 'an object was needed');
  const kind = activityKinds.find((known) => known === event['kind']);
  if (!kind) throw refuse(`${path}.kind`, `it is ${shown(event['kind'])}`, `one of ${activityKinds.join(', ')} was needed`);
  const optional = (key: string) => textOrNull(event, key, path);
  const needed = (key: string) => optional(key) ?? fail(refuse(`${path}.${key}`, `it is ${shown(event[key])}`, 'a text was needed'));
  return {
    eventId: needed('eventId'),
    kind,
    type: needed('type'),
    occurredAtUnixMs: parseTime(event, path),
    correlationId: optional('correlationId'),
    causedByEventId: optional('causedByEventId'),
    agentSessionId: optional('agentSessionId'),
    payload: parsePayload(event, path),
    commandId: optional('commandId'),
    seen: parsePlaces(event, path),
  };
}

function textOrNull(event: JsonObject, key: string, path: string): string | null {
  const value = present(event, key);
  if (value !== undefined && typeof value !== 'string') throw refuse(`${path}.${key}`, `it is ${shown(value)}`, 'a text was needed');
  return value === undefined || isBlank(value) ? null : trim(value);
}

function parsePayload(event: JsonObject, path: string): JsonObject {
  const payload = objectAt(event, 'payload');
  if (!payload && present(event, 'payload') !== undefined) throw refuse(`${path}.payload`, `it is ${shown(event['payload'])}`, 'an object was needed');
  return payload ?? {};
}

/** Absent or 0 means now. */
function parseTime(event: JsonObject, path: string): number {
  const time = integerAt(event, 'occurredAtUnixMs') ?? (present(event, 'occurredAtUnixMs') === undefined ? 0n : -1n);
  if (time < 0n || time > BigInt(Number.MAX_SAFE_INTEGER)) throw refuse(`${path}.occurredAtUnixMs`, `it is ${shown(event['occurredAtUnixMs'])}`, 'milliseconds from 0 were needed');
  return Number(time);
}

function parsePlaces(event: JsonObject, path: string): LanePlaceView[] {
  const places = listAt(event, 'seen') ?? [];
  return places.map((place, i) => {
    const [chunkSeq, unitIndex] = [integerAt(place, 'chunkSeq'), integerAt(place, 'unitIndex')];
    const connectionId = textAt(place, 'connectionId') ?? '';
    if (isBlank(connectionId) || chunkSeq === undefined || unitIndex === undefined || chunkSeq < 0n || unitIndex < 0n) throw refuse(`${path}.seen[${i}]`, `it is ${shown(place)}`, 'the place of a connection was needed');
    return { connectionId, chunkSeq: Number(chunkSeq), unitIndex: Number(unitIndex) };
  });
}

function refuse(path: string, is: string, needed: string): Refusal {
  return new Refusal(400, 'invalid_argument', `Cannot take activity events at ${path}: ${is}, ${needed}`);
}

function fail(refusal: Refusal): never {
  throw refusal;
}
