/** The activity lane as it is read, event by event (cassette-contract 3.1 to 3.3): what was seen is kept as small facts. */

import type { Report } from '../issue.ts';
import { isObject, type Json, type JsonObject } from '../json/exact.ts';
import { naturalOf } from '../json/natural.ts';
import { isBlank, objectAt, present, shown, textAt, trim } from '../json/read.ts';
import { checkEvent, kindOf } from './check-event.ts';
import { checkLanes, type Lanes } from './check-lanes.ts';
import { checkCause, OpenIntents } from './check-cause.ts';
import { CommandBindings, commandBinding } from './command-id.ts';
import { declaredName } from './contract.ts';
import { activityFile, type ActivityFacts, type ActivityTimeline } from './event.ts';
import { boundedReport, refuseAt, type Refuse } from './refuse.ts';

/** Takes the records of `activity-events.jsonl` in order and reports every rule they break; `finish()` gives the timeline. */
export class ActivityCheck {
  readonly #report: Report;
  readonly #events: ActivityFacts[] = [];
  readonly #byId = new Map<string, ActivityFacts>();
  readonly #openIntents = new OpenIntents();
  readonly #intentCorrelations = new Set<string>();
  readonly #sends: ActivityFacts[] = [];
  readonly #commands = new CommandBindings();
  readonly #laneConnections = new Map<string, { line: number; path: string }>();
  readonly #laneEnds = new Map<string, { line: number; path: string; chunkSeq: bigint }>();
  #recordCount = 0;
  #laneCount = 0;
  #sequence: number | bigint = 0;
  #time: number | null = null;
  #isWhole = true;

  constructor(report: Report) {
    this.#report = boundedReport(report);
  }

  /** Checks the record of one line. Anything but an object is the shape check's; null is an event without members. */
  take(value: Json, line: number): void {
    if (value === null) this.#report({ code: 'activity_event_invalid', file: activityFile, line, path: '$', is: 'it is null', needed: 'an event was needed' });
    if (!isObject(value)) return this.unreadable();
    this.#recordCount++;
    const refuse = refuseAt(line, this.#report);
    checkEvent(value, refuse);
    const facts = this.#remember(value, line, this.#checkSequence(value, line, refuse), refuse);
    this.#checkTime(value, refuse);
    this.#keepLanes(checkLanes(value, facts.kind, refuse), line, present(value, 'lanes') !== undefined);
    const cause = this.#causeOf(facts.causedByEventId);
    this.#openIntents.take(facts, cause);
    if (facts.kind === 'effect') checkCause(facts, { cause, isWhole: this.#isWhole }, refuse);
    if (facts.kind === 'intent') this.#bindCommand(value, facts, refuse);
    if (facts.kind === 'intent' && !isBlank(facts.correlationId ?? undefined)) this.#intentCorrelations.add(trim(facts.correlationId as string));
    if (facts.kind === 'direct-stimulus' && facts.type !== null && trim(facts.type) === 'session.send') this.#sends.push(facts);
  }

  /** Says that there was a record that could not be read, and was reported by who tried. */
  unreadable(): void {
    this.#recordCount++;
    this.#isWhole = false;
  }

  /** Reports what only the whole file shows, and gives the timeline for the checks of the plan. */
  finish(): ActivityTimeline {
    if (this.#recordCount === 0) this.#report({ code: 'activity_empty', file: activityFile, is: 'it holds no event', needed: 'at least one was needed' });
    for (const { line, correlationId } of this.#sends)
      if (correlationId !== null && this.#intentCorrelations.has(trim(correlationId)))
        refuseAt(line, this.#report)('stimulus_repeats_intent', '$.correlationId', `an intent has the correlation ${shown(correlationId)} too`, 'a send that no intent makes was needed');
    const last = this.#events.reduce((greatest, { sequence }) => Math.max(greatest, sequence), 0);
    return {
      count: Math.max(this.#recordCount, last),
      events: this.#events,
      isWhole: this.#isWhole,
      incomplete: this.#isWhole ? this.#openIntents.left() : [],
      hasLanes: this.#laneCount > 0 && this.#laneCount === this.#recordCount,
      laneConnections: this.#laneConnections,
      laneEnds: this.#laneEnds,
    };
  }

  #causeOf(causedByEventId: string | null): ActivityFacts | undefined {
    return causedByEventId === null ? undefined : this.#byId.get(trim(causedByEventId));
  }

  #remember(event: JsonObject, line: number, sequence: number, refuse: Refuse): ActivityFacts {
    const text = (key: string) => textAt(event, key) ?? null;
    const cause = this.#causeOf(text('causedByEventId'));
    const facts: ActivityFacts = {
      line,
      sequence,
      kind: kindOf(event),
      type: declaredName(text('type')),
      eventId: text('eventId'),
      // What the cause holds already is held once: a file may have millions of events.
      causedByEventId: same(text('causedByEventId'), cause?.eventId),
      correlationId: same(text('correlationId'), cause?.correlationId),
    };
    this.#events.push(facts);
    const id = facts.eventId === null ? '' : trim(facts.eventId);
    // An event without an id may be the cause that a later effect names.
    if (id === '') this.#isWhole = false;
    else if (this.#byId.has(id)) refuse('activity_id_repeated', '$.eventId', `line ${this.#byId.get(id)?.line} has the id ${shown(facts.eventId)} too`, 'an id of its own was needed');
    else this.#byId.set(id, facts);
    return facts;
  }

  /** A record that follows its predecessor counts as right even where both are displaced: one gap is one finding. */
  #checkSequence(event: JsonObject, line: number, refuse: Refuse): number {
    const written = present(event, 'sequence');
    // Nearly always: a BigInt for each of millions of lines takes its time.
    if (written === line) return (this.#sequence = line);
    const sequence = naturalOf(written);
    const isRight = sequence !== undefined && sequence === BigInt(this.#sequence) + 1n;
    if (written === undefined || (sequence !== undefined && !isRight)) refuse('activity_sequence_invalid', '$.sequence', `its sequence is ${sequence ?? 'absent'}`, `${line} was needed`);
    this.#sequence = sequence ?? line;
    return isRight && sequence <= safeMax ? Number(sequence) : line;
  }

  #checkTime(event: JsonObject, refuse: Refuse): void {
    const time = present(event, 'occurredAtUnixMs');
    // A time that no clock shows would make the next, right one go back.
    if (typeof time !== 'number' || !Number.isSafeInteger(time) || time <= 0) return;
    if (this.#time !== null && time < this.#time) refuse('activity_time_backward', '$.occurredAtUnixMs', `its time is ${time}, the event before has ${this.#time}`, 'no earlier time was expected');
    this.#time = time;
  }

  #keepLanes(lanes: Lanes | null, line: number, isGiven: boolean): void {
    if (isGiven) this.#laneCount++;
    for (const [name, places] of lanes ?? [])
      places.forEach(({ connectionId, chunkSeq }, i) => {
        if (chunkSeq > (this.#laneEnds.get(connectionId)?.chunkSeq ?? -1n)) this.#laneEnds.set(connectionId, { line, path: `$.lanes.${name}[${i}]`, chunkSeq });
        if (!this.#laneConnections.has(connectionId)) this.#laneConnections.set(connectionId, { line, path: `$.lanes.${name}[${i}].connectionId` });
      });
  }

  #bindCommand(event: JsonObject, { type, eventId, correlationId }: ActivityFacts, refuse: Refuse): void {
    // A correlation of a wrong type is not missing.
    if (type === null || eventId === null || (correlationId === null && present(event, 'correlationId') !== undefined)) return;
    const binding = commandBinding('', { type, eventId, correlationId: correlationId === null ? null : trim(correlationId), payload: objectAt(event, 'payload') ?? {} });
    const code = binding && this.#commands.bind(binding);
    if (code === 'command_correlation_missing') refuse(code, '$.correlationId', `its correlation is ${shown(correlationId)}`, 'the command that a replay makes is found by its correlation');
    if (code === 'command_correlation_repeated') refuse(code, '$.correlationId', `the correlation ${shown(correlationId)} belongs to another command`, 'a correlation of its own was needed');
  }
}

function same(text: string | null, held: string | null | undefined): string | null {
  return held === text ? held : text;
}

const safeMax = BigInt(Number.MAX_SAFE_INTEGER);
