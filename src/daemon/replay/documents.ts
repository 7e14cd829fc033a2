/** The documents of a cassette that was judged before, as a replay uses them. */

import type { Buffer } from 'node:buffer';
import { checkLanes, type LanePlace } from '../../core/activity/check-lanes.ts';
import { activityFile, activityKinds, type ActivityEvent } from '../../core/activity/event.ts';
import { parsePlan } from '../../core/checkpoint/check-plan.ts';
import { planFile, type CheckpointPlan } from '../../core/checkpoint/plan.ts';
import { Fault } from '../../core/fault.ts';
import { isObject, parseJson, type Json, type JsonObject } from '../../core/json/exact.ts';
import { integerAt, objectAt, textAt } from '../../core/json/read.ts';
import type { UnitPosition } from '../../core/ports.ts';

/** An event with the places at which lanes stood; `null` where the cassette does not say. */
export type LaneEvent = ActivityEvent & { json: JsonObject; accepted: readonly UnitPosition[] | null; started: readonly UnitPosition[] | null };

export type ReplayDocuments = {
  cassetteId: string;
  rootAgentSessionId: string;
  stateFormat: string;
  events: readonly LaneEvent[];
  plan: CheckpointPlan;
  expected: Json;
  /** Of a cassette that continues a session. */
  initial: Json | null;
};

/** `read` gives a file of the cassette, or `null` where there is none. */
export function readDocuments(read: (path: string) => Buffer | null): ReplayDocuments {
  const manifest = document(read, 'cassette.json');
  const plan = parsePlan(document(read, planFile));
  if (!plan) throw unreadable(planFile, 'it is no checkpoint plan');
  const isContinued = textAt(manifest, 'mode') === 'continue-session';
  return {
    cassetteId: textAt(manifest, 'id') ?? '',
    rootAgentSessionId: textAt(manifest, 'rootAgentSessionId') ?? '',
    stateFormat: textAt(manifest, 'stateFormat') ?? '',
    events: readEvents(bytesOf(read, activityFile).toString('utf8')),
    plan,
    expected: document(read, 'expected-state.json'),
    initial: isContinued ? document(read, 'initial-state.json') : null,
  };
}

/** The lines of `activity-events.jsonl` (cassette-contract 3.1). */
export function readEvents(text: string): LaneEvent[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return lines.map((line, i) => {
    const json = parseJson(line);
    if (!isObject(json)) throw unreadable(`${activityFile}:${i + 1}`, 'it is no event');
    return readEvent(json, i + 1);
  });
}

function readEvent(json: JsonObject, line: number): LaneEvent {
  const kind = activityKinds.find((known) => known === textAt(json, 'kind'));
  if (!kind) throw unreadable(`${activityFile}:${line}`, 'its kind is unknown');
  const lanes = checkLanes(json, kind, () => {});
  const places = (name: string): readonly UnitPosition[] | null => lanes?.get(name)?.map(unitPosition) ?? null;
  return {
    sequence: Number(integerAt(json, 'sequence') ?? line),
    kind,
    type: textAt(json, 'type') ?? '',
    eventId: textAt(json, 'eventId') ?? '',
    correlationId: textAt(json, 'correlationId') ?? null,
    causedByEventId: textAt(json, 'causedByEventId') ?? null,
    agentSessionId: textAt(json, 'agentSessionId') ?? null,
    payload: objectAt(json, 'payload') ?? {},
    occurredAtUnixMs: Number(integerAt(json, 'occurredAtUnixMs') ?? 0),
    json,
    accepted: places('accepted'),
    started: places('started'),
  };
}

/** A place of the contract as the lanes count. */
export function unitPosition({ connectionId, chunkSeq, unitIndex }: LanePlace): UnitPosition {
  return { connectionId, chunkSeq: Number(chunkSeq), unitIndex: Number(unitIndex) };
}

function document(read: (path: string) => Buffer | null, path: string): Json {
  const value = parseJson(bytesOf(read, path).toString('utf8'));
  if (value === undefined) throw unreadable(path, 'it is no JSON');
  return value;
}

function bytesOf(read: (path: string) => Buffer | null, path: string): Buffer {
  const bytes = read(path);
  if (!bytes) throw unreadable(path, 'it is not there');
  return bytes;
}

function unreadable(file: string, is: string): Fault {
  return new Fault({ code: 'cassette_not_valid', message: `Cannot replay cassette: ${file} cannot be used, ${is}; a valid cassette was needed`, at: file });
}
