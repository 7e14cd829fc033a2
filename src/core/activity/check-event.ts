/** The rules of one activity event that need no other event (cassette-contract 0.4, 3.1, 3.2, 3.5). */

import { member, type JsonObject } from '../json/exact.ts';
import { i64Max, i64Min, integerAt, isBlank, objectAt, present, shown, textAt, trim } from '../json/read.ts';
import { checkPayloadPaths } from './check-paths.ts';
import { intentRule } from './contract.ts';
import { activityKinds, type ActivityKind } from './event.ts';
import type { Refuse } from './refuse.ts';

/** Checks the members of one event, each for itself (3.1, 3.2). */
export function checkEvent(event: JsonObject, refuse: Refuse): void {
  checkEnvelope(event, refuse);
  checkCauseMember(event, refuse);
  checkPadding(event, refuse);
  checkPayload(event, refuse);
}

/** The kind of an event, or null where it has none of the three. */
export function kindOf(event: JsonObject): ActivityKind | null {
  const kind = textAt(event, 'kind');
  return activityKinds.find((known) => known === kind) ?? null;
}

function checkEnvelope(event: JsonObject, refuse: Refuse): void {
  const schema = present(event, 'schemaVersion');
  if (schema !== 7 && (schema === undefined || (typedAt(event, 'schemaVersion') ?? 7n) !== 7n)) refuse('activity_schema_unsupported', '$.schemaVersion', `its schema version is ${shown(schema)}`, '7 was needed');
  for (const key of ['scopeId', 'workspaceId'])
    if (Object.hasOwn(event, key)) refuse('scope_field_present', `$.${key}`, `it has the member "${key}"`, 'no trace of the recorded workspace was allowed');
  const kind = present(event, 'kind');
  if (kind === undefined || (typeof kind === 'string' && kindOf(event) === null)) refuse('activity_kind_unknown', '$.kind', `its kind is ${shown(kind)}`, `one of ${activityKinds.join(', ')} was needed`);
  if (isBlankText(event, 'type')) refuse('activity_type_blank', '$.type', `its type is ${shown(present(event, 'type'))}`, 'a name was needed');
  if (isBlankText(event, 'eventId')) refuse('activity_id_blank', '$.eventId', `its id is ${shown(present(event, 'eventId'))}`, 'an id was needed');
  checkTime(event, refuse);
}

function checkTime(event: JsonObject, refuse: Refuse): void {
  const path = '$.occurredAtUnixMs';
  const written = present(event, 'occurredAtUnixMs');
  if (typeof written === 'number' && written > 0 && Number.isSafeInteger(written)) return;
  const time = typedAt(event, 'occurredAtUnixMs');
  if (written === undefined || (time !== undefined && time <= 0n)) refuse('activity_time_invalid', path, `its time is ${time ?? 'absent'}`, 'milliseconds above zero were needed');
  else if (time !== undefined && time > safeMax) refuse('activity_integer_unsafe', path, `its time is ${time}`, `at most ${safeMax} was needed`);
}

function checkCauseMember(event: JsonObject, refuse: Refuse): void {
  const kind = kindOf(event);
  const cause = member(event, 'causedByEventId');
  if (kind === null || (cause !== undefined && cause !== null && typeof cause !== 'string')) return;
  const path = '$.causedByEventId';
  const isGiven = typeof cause === 'string' && !isBlank(cause);
  if (kind === 'effect' && !isGiven) refuse('cause_missing', path, `its cause is ${shown(cause)}`, 'the id of an intent was needed');
  if (kind !== 'effect' && isGiven) refuse('cause_forbidden', path, `it is of kind "${kind}" and its cause is ${shown(cause)}`, 'only an effect has a cause');
  // The reference's runner wants the member left out, not only empty (14).
  if (kind !== 'effect' && !isGiven && cause !== undefined) refuse('cause_blank', path, `its cause is ${cause === null ? 'null' : 'blank'}`, 'the member had to be left out');
}

function checkPadding(event: JsonObject, refuse: Refuse): void {
  for (const key of ['type', 'causedByEventId', 'correlationId']) {
    const text = textAt(event, key);
    if (text !== undefined && !isBlank(text) && trim(text) !== text) refuse('activity_padding', `$.${key}`, `it is ${shown(text)}`, 'no white space around it was expected');
  }
}

function checkPayload(event: JsonObject, refuse: Refuse): void {
  const kind = kindOf(event);
  const type = textAt(event, 'type') ?? null;
  const payload = objectAt(event, 'payload');
  if (member(event, 'payload') === null) refuse('payload_null', '$.payload', 'it is null', 'an object, or no such member, was needed');
  if (kind === 'effect' && (payload ?? member(event, 'payload')) === undefined) refuseOutcome(undefined, refuse);
  if (kind === 'intent' && type !== null && !isBlank(type) && !intentRule(type)) refuse('intent_unknown', '$.type', `the activity contract has no intent ${shown(type)}`, 'a declared intent was needed');
  if (!payload) return;
  if (kind === 'effect' && !outcomes.some((outcome) => outcome === member(payload, 'outcome'))) refuseOutcome(payload, refuse);
  if (kind === 'intent')
    for (const key of reservedMembers)
      if (Object.hasOwn(payload, key)) refuse('payload_member_reserved', `$.payload.${key}`, `the payload has the member "${key}"`, 'the window sets it itself');
  checkPayloadPaths(type, payload, refuse);
}

function refuseOutcome(payload: JsonObject | undefined, refuse: Refuse): void {
  refuse('effect_outcome_invalid', '$.payload.outcome', `its outcome is ${shown(present(payload, 'outcome'))}`, `one of ${outcomes.join(', ')} was needed`);
}

/** An integer inside its type; beyond it the shape check speaks. */
function typedAt(event: JsonObject, key: string): bigint | undefined {
  const value = integerAt(event, key);
  return value !== undefined && value >= i64Min && value <= i64Max ? value : undefined;
}

/** Absent counts as blank; a wrong type is the shape check's. */
function isBlankText(event: JsonObject, key: string): boolean {
  const value = present(event, key);
  return value === undefined || (typeof value === 'string' && isBlank(value));
}

export const outcomes = ['succeeded', 'failed', 'timedOut'] as const;
const reservedMembers = ['agentSessionId', 'type', 'workspaceId'];
const safeMax = BigInt(Number.MAX_SAFE_INTEGER);
