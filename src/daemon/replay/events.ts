/** Which recorded events were accepted and which commands have begun, and what may come next (desktop-order b1 and b2). */

import { reaches, type LanePlaceView } from '../../core/control/lanes.ts';
import { trim } from '../../core/json/read.ts';
import { createDivergence, type Divergence, type DivergenceRegister } from '../../core/verdict/divergence.ts';
import { Refusal, type CommandStamp } from '../mode.ts';
import type { LaneEvent } from './documents.ts';
import type { LaneGateFacts, ReplayGates } from './ports.ts';
import type { Progress } from '../progress.ts';

/** What holds the lanes from the start: no unit beyond `accepted` before its event, none beyond `started` before its command. */
export function gatesOf(events: readonly LaneEvent[]): LaneGateFacts[] {
  return events.flatMap((event) => {
    const lanes = event.kind === 'effect' ? event.started : event.accepted;
    return lanes ? [{ id: gateId(event), lanes }] : [];
  });
}

export type EventGatesOptions = { events: readonly LaneEvent[]; gates: Pick<ReplayGates, 'hasHandled' | 'lift'>; register: DivergenceRegister; progress: Progress };

/** Commands behind `sequence` that were begun when the lanes stood at `lanes`: after what a checkpoint shows there. */
export type HeldCommands = { sequence: number; lanes: readonly LanePlaceView[] };

export class EventGates {
  readonly #options: EventGatesOptions;
  readonly #bySequence: ReadonlyMap<number, LaneEvent>;
  readonly #byId: ReadonlyMap<string, LaneEvent>;
  readonly #accepted = new Set<number>();
  readonly #begun = new Set<number>();
  #held: HeldCommands | null = null;

  constructor(options: EventGatesOptions) {
    this.#options = options;
    this.#bySequence = new Map(options.events.map((event) => [event.sequence, event]));
    this.#byId = new Map(options.events.map((event) => [trim(event.eventId), event]));
  }

  /** Sequences in the order of the lane. */
  get accepted(): number[] {
    return [...this.#accepted].sort((a, b) => a - b);
  }

  get begun(): number[] {
    return [...this.#begun].sort((a, b) => a - b);
  }

  /** The window has dispatched an event; again changes nothing. */
  accept(sequence: number): LaneEvent {
    this.#throwIfOver();
    const event = this.#bySequence.get(sequence);
    if (!event || event.kind === 'effect') throw new Refusal(404, 'event_not_found', `Cannot accept event ${sequence}: ${event ? 'it is an effect' : 'there is none'}, an intent or a direct stimulus was needed`);
    if (!this.#accepted.has(sequence)) this.#pass(event, this.#accepted);
    return event;
  }

  /** Waits until the command of a recorded effect may begin: every lane has handled what had been handled then. */
  async begin({ id }: CommandStamp): Promise<LaneEvent> {
    this.#throwIfOver();
    const event = id === null ? undefined : this.#byId.get(trim(id));
    if (event?.kind !== 'effect') throw this.#refuseExtra(id);
    if (this.#begun.has(event.sequence)) return event;
    if (!this.#isCauseAccepted(event)) throw new Refusal(409, 'command_not_accepted', `Cannot begin "${event.type}": its intent was not accepted, an accepted one was needed`);
    while (!this.#mayBegin(event)) {
      await this.#options.progress.next();
      this.#throwIfOver();
    }
    if (!this.#begun.has(event.sequence)) this.#pass(event, this.#begun);
    return event;
  }

  /** Holds commands until it is called again; `null` holds none. */
  hold(held: HeldCommands | null): void {
    this.#held = held;
  }

  /** Whether everything up to a sequence has been played. */
  isPlayedTo(sequence: number): boolean {
    return this.#options.events.every((event) => event.sequence > sequence || this.#isPlayed(event));
  }

  /** The first command that the window should have made by now, as what is missing (desktop-order b2). */
  get awaitedCommand(): Divergence | null {
    const event = this.#options.events.find((candidate) => candidate.kind === 'effect' && !this.#isPlayed(candidate) && this.#isCauseAccepted(candidate) && this.#mayBegin(candidate));
    return event ? missingCommand(event) : null;
  }

  /** The first event that was not played, whoever is to blame. */
  get firstUnplayed(): Divergence | null {
    const event = this.#options.events.find((candidate) => !this.#isPlayed(candidate));
    if (!event) return null;
    return event.kind === 'effect' ? missingCommand(event) : undispatched(event);
  }

  #isPlayed({ kind, sequence }: LaneEvent): boolean {
    return (kind === 'effect' ? this.#begun : this.#accepted).has(sequence);
  }

  #isCauseAccepted({ causedByEventId }: LaneEvent): boolean {
    const cause = causedByEventId === null ? undefined : this.#byId.get(trim(causedByEventId));
    return cause !== undefined && this.#accepted.has(cause.sequence);
  }

  #mayBegin({ sequence, started }: LaneEvent): boolean {
    if (started === null) return true;
    const isHeld = this.#held !== null && sequence > this.#held.sequence && reaches(started, this.#held.lanes);
    return !isHeld && started.every((place) => this.#options.gates.hasHandled(place));
  }

  #pass(event: LaneEvent, passed: Set<number>): void {
    passed.add(event.sequence);
    this.#options.gates.lift(gateId(event));
    this.#options.progress.bump();
  }

  #throwIfOver(): void {
    const { register, progress } = this.#options;
    if (register.first) throw new Refusal(409, 'playback_refused', register.first.message, { reason: register.first.code });
    if (progress.isClosed) throw new Refusal(409, 'playback_refused', 'Cannot go on: the replay has ended, a running one was needed');
  }

  // The window asks the register about each command before it leaves; one that comes all the same was never judged.
  #refuseExtra(id: string | null): Refusal {
    const named = id === null ? 'it names no recorded command' : `"${id}" is no recorded command`;
    const { message, code } = this.#options.register.report(createDivergence({ layer: 'effect', code: 'command_extra', message: `Cannot begin command: ${named}, one of the recording was needed` }));
    return new Refusal(409, 'playback_refused', message, { reason: code });
  }
}

function missingCommand(event: LaneEvent): Divergence {
  return createDivergence({
    layer: 'effect',
    code: 'command_missing',
    message: `Cannot continue replay: the window made no command "${event.type}", effect ${event.sequence} recorded one`,
    position: { activitySequence: event.sequence, eventId: event.eventId },
    recorded: event.type,
  });
}

function undispatched(event: LaneEvent): Divergence {
  return createDivergence({
    layer: 'state',
    code: 'intent_not_ready',
    message: `Cannot finish replay: event ${event.sequence} ("${event.type}") was not dispatched, every recorded one was needed`,
    position: { activitySequence: event.sequence, eventId: event.eventId },
    recorded: event.type,
  });
}

const gateId = ({ kind, sequence }: LaneEvent): string => `${kind === 'effect' ? 'begin' : 'accept'} ${sequence}`;
