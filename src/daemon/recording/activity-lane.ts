/** The activity lane of a recording: what a window did, checked, numbered and written in the order of its arrival (cassette-contract 3, 9.8). */

import { Buffer } from 'node:buffer';
import { checkCause, reportIncompleteIntents } from '../../core/activity/check-cause.ts';
import { checkEvent } from '../../core/activity/check-event.ts';
import { checkLanes } from '../../core/activity/check-lanes.ts';
import { ActivityCheck } from '../../core/activity/check.ts';
import type { ActivityEvent, ActivityFacts } from '../../core/activity/event.ts';
import { projectPayload } from '../../core/activity/project-payload.ts';
import { refuseAt } from '../../core/activity/refuse.ts';
import { writeActivityLine } from '../../core/activity/write-line.ts';
import { raise, reaches, type LanePlaceView } from '../../core/control/lanes.ts';
import { createIssue, Findings, type Finding } from '../../core/issue.ts';
import { firstDifference } from '../../core/json/compare.ts';
import { setMember, type Json, type JsonObject } from '../../core/json/exact.ts';
import type { AppendFile } from '../../core/ports.ts';
import { Refusal } from '../mode.ts';
import type { SubmittedEvent } from './parse-events.ts';
import { projectResult } from './project-result.ts';

type CauseLanes = { seen: LanePlaceView[]; accepted: LanePlaceView[] };
type Lanes = CauseLanes | { started: LanePlaceView[] };
type Accepted = { submitted: SubmittedEvent; event: ActivityEvent; lanes: Lanes };

export type ActivityLaneOptions = {
  file: AppendFile;
  nowUnixMs: () => number;
  /** A path with its symlinks resolved. */
  resolvePath: (path: string) => string;
  projectDir: string;
};

export class ActivityLane {
  readonly #options: ActivityLaneOptions;
  readonly #accepted: Accepted[] = [];
  readonly #byId = new Map<string, Accepted>();
  /** Lanes handled when a command began, and the commands whose effect is still to come. */
  readonly #started = new Map<string, LanePlaceView[]>();
  readonly #open = new Map<string, string>();
  #isClosed = false;

  constructor(options: ActivityLaneOptions) {
    this.#options = options;
  }

  get count(): number {
    return this.#accepted.length;
  }

  get events(): readonly ActivityEvent[] {
    return this.#accepted.map(({ event }) => event);
  }

  /** An accepted intent, with the lanes that had been received then. */
  intent(eventId: string | null): { event: ActivityEvent; accepted: LanePlaceView[] } | null {
    const known = this.#byId.get(eventId ?? '');
    return known && known.event.kind === 'intent' && 'accepted' in known.lanes ? { event: known.event, accepted: known.lanes.accepted } : null;
  }

  hasBegun(commandId: string): boolean {
    return this.#started.has(commandId);
  }

  /** A command begins now: its effect will say so (desktop-order b2). */
  begin(commandId: string, causedByEventId: string, handled: LanePlaceView[]): void {
    this.#started.set(commandId, handled);
    this.#open.set(commandId, causedByEventId);
  }

  /** Begun commands without a result. */
  get openCommands(): string[] {
    return [...this.#open.keys()];
  }

  /** Whether the same event was accepted before; throws where another one was (9.8). */
  isRepeated(submitted: SubmittedEvent): boolean {
    const known = this.#byId.get(submitted.eventId);
    if (!known) return false;
    const difference = firstDifference(contentOf(known.submitted, submitted), contentOf(submitted, known.submitted));
    if (difference) throw new Refusal(409, 'activity_event_conflict', `Cannot accept activity event "${submitted.eventId}": it was accepted before with another value at ${difference.path}, the same event or another id was needed`);
    return true;
  }

  /** Accepts an event; `received` is how far the provider lanes have come. Throws a refusal, and nothing was accepted. */
  take(submitted: SubmittedEvent, received: LanePlaceView[]): ActivityEvent {
    const lanes = submitted.kind === 'effect' ? { started: this.#startOf(submitted) } : { seen: raise([], submitted.seen), accepted: received };
    const event = this.#eventOf(submitted);
    const record = recordOf(event, lanes);
    this.#check(event, record);
    this.#options.file.append(Buffer.from(writeActivityLine(record)));
    const accepted = { submitted, event, lanes };
    this.#accepted.push(accepted);
    this.#byId.set(event.eventId, accepted);
    if (submitted.kind === 'effect' && submitted.commandId !== null) this.#open.delete(submitted.commandId);
    return event;
  }

  /** Everything that stands against the whole lane: an intent without its effect, and a command that overtook its intent (b1). */
  findings(): Finding[] {
    const findings = new Findings();
    const check = new ActivityCheck(findings.report);
    this.#accepted.forEach(({ event, lanes }, i) => check.take(recordOf(event, lanes), i + 1));
    reportIncompleteIntents(check.finish(), findings.report);
    return findings.all;
  }

  /** The first effect whose command began before its intent was accepted (desktop-order b1). */
  firstOvertaken(): ActivityEvent | null {
    const overtaken = this.#accepted.find(({ event, lanes }) => {
      const cause = this.intent(event.causedByEventId);
      return 'started' in lanes && cause !== null && !reaches(lanes.started, cause.accepted);
    });
    return overtaken?.event ?? null;
  }

  /** Puts what was written on the disk. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#options.file.sync();
    this.#options.file.close();
  }

  #startOf({ eventId, commandId }: SubmittedEvent): LanePlaceView[] {
    const started = this.#started.get(commandId ?? '');
    if (!started) throw new Refusal(409, 'command_not_begun', `Cannot accept effect "${eventId}": command ${commandId === null ? 'without an id' : `"${commandId}"`} never began in this daemon, one that did was needed`);
    return started;
  }

  #eventOf(submitted: SubmittedEvent): ActivityEvent {
    const { kind, type, eventId, correlationId, causedByEventId, agentSessionId, payload, occurredAtUnixMs } = submitted;
    const { nowUnixMs, resolvePath, projectDir } = this.#options;
    const projected = projectPayload({ type, payload }, resolvePath);
    return {
      sequence: this.#accepted.length + 1,
      kind,
      type,
      eventId,
      correlationId,
      causedByEventId,
      agentSessionId,
      payload: kind === 'effect' ? projectResult(projected, projectDir) : projected,
      // A wall clock may be set back; the order of the lane may not.
      occurredAtUnixMs: Math.max(occurredAtUnixMs || nowUnixMs(), this.#accepted.at(-1)?.event.occurredAtUnixMs ?? 0),
    };
  }

  #check(event: ActivityEvent, record: JsonObject): void {
    const findings = new Findings();
    const refuse = refuseAt(event.sequence, findings.report);
    checkEvent(record, refuse);
    checkLanes(record, event.kind, refuse);
    const cause = this.#byId.get(event.causedByEventId ?? '')?.event;
    if (event.kind === 'effect') checkCause(factsOf(event), { cause: cause && factsOf(cause), isWhole: true }, refuse);
    const [finding] = findings.all;
    if (finding) throw new Refusal(400, finding.code, createIssue(finding).message);
  }
}

/** Without what a request adds; a time of 0 stands for any (9.8). */
function contentOf({ commandId: _command, seen: _seen, occurredAtUnixMs, ...content }: SubmittedEvent, other: SubmittedEvent): Json {
  return { ...content, occurredAtUnixMs: other.occurredAtUnixMs === 0 ? 0 : occurredAtUnixMs };
}

function recordOf(event: ActivityEvent, lanes: Lanes): JsonObject {
  const record: JsonObject = { schemaVersion: 7 };
  for (const [key, value] of Object.entries(event)) if (value !== null) setMember(record, key, value as Json);
  return { ...record, lanes: lanes as JsonObject };
}

function factsOf({ sequence, kind, type, eventId, causedByEventId, correlationId }: ActivityEvent): ActivityFacts {
  return { line: sequence, sequence, kind, type, eventId, causedByEventId, correlationId };
}

