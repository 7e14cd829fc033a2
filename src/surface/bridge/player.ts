/** Dispatches recorded intents into this window's engine, and judges every command that follows (replay-runtime 5.4, desktop-order b10). */

import { CommandBindings, commandBinding } from '../../core/activity/command-id.ts';
import { CommandLedger } from '../../core/activity/command-ledger.ts';
import { outcomeMismatch } from '../../core/activity/match-command.ts';
import type { DispatchReply, VerifyReply } from '../../core/control/surface.ts';
import type { JsonObject } from '../../core/json/exact.ts';
import type { DivergenceFacts } from '../../core/verdict/divergence.ts';
import type { HttpFailure, HttpReply, Request } from '../client/http.ts';
import type { CommandHeaders } from '../client/client.ts';
import type { CommandOutcome, EngineCommand } from '../engine/command.ts';
import type { Engine } from '../engine/engine.ts';
import { isRecordedType, type Intent } from '../engine/intent.ts';
import { brokenDivergence, commandDivergence, overtakingDivergence, resultDivergence, surplusDivergence, unknownIntent } from './divergences.ts';
import { outcomePayload, refused, type Gate } from './gate.ts';
import { awaitedBy, localIntent, localPayload } from './intent-ready.ts';
import { judgeCommand, type ExpectedEffect } from './judge.ts';
import type { ActivityLane, LaneEvent } from './lane.ts';
import { surplusTurn } from './turn-identity.ts';
import { createWaits, type Waits } from './when.ts';

export type PlayerOptions = { lane: ActivityLane; engine: Engine; request: Request; now: () => number };

/** How far the command of a recorded effect is. */
type EffectState = 'awaited' | 'begun' | 'compared' | 'diverged';

export class Player {
  readonly waits: Waits = createWaits();
  readonly #options: PlayerOptions;
  readonly #ledger = new CommandLedger();
  readonly #bindings = new CommandBindings();
  readonly #effects = new Map<number, EffectState>();
  /** Answers of the daemon to dispatched intents, by event id: their commands wait for it. */
  readonly #accepted = new Map<string, Promise<HttpFailure | null>>();
  readonly #dispatched = new Map<number, Promise<DispatchReply>>();
  readonly #open = new Map<string, string>();
  #last: LaneEvent | null = null;
  #hasDiverged = false;

  constructor(options: PlayerOptions) {
    this.#options = options;
    for (const event of options.lane.events) if (event.kind === 'effect') this.#effects.set(event.sequence, 'awaited');
    options.engine.subscribe(() => {
      this.#checkTurns();
      this.waits.look();
    });
  }

  get open(): { type: string; commandId: string }[] {
    return [...this.#open].map(([commandId, type]) => ({ commandId, type }));
  }

  /** Exactly once: a second call gives the first one's reply. */
  dispatch(sequence: number): Promise<DispatchReply> {
    const known = this.#dispatched.get(sequence);
    if (known) return known;
    const reply = this.#dispatch(this.#event(sequence, 'intent'));
    this.#dispatched.set(sequence, reply);
    return reply;
  }

  async verify(sequence: number): Promise<VerifyReply> {
    const event = this.#event(sequence, 'effect');
    const what = () => (this.#effects.get(sequence) === 'begun' ? `the result of command "${event.type}"` : `command "${event.type}" of event ${this.#sequenceOf(event.causedByEventId) ?? 'nobody'}`);
    const end = await this.waits.until({ sequence, what }, () => {
      const state = this.#effects.get(sequence);
      if (state === 'compared') return 'verified';
      // After a divergence nothing more is to be had.
      return state === 'diverged' || this.#hasDiverged ? 'diverged' : null;
    });
    return { state: end };
  }

  /** A command that was not recorded so never leaves; the register has answered before anything else happens. */
  readonly gate: Gate = (command, send) => {
    const cause = this.#ledger.begin(command);
    const judgement = judgeCommand({ command, causedBy: cause?.eventId ?? null, effects: this.#awaitedEffects() });
    if (judgement.kind !== 'same') {
      if (judgement.kind === 'changed') this.#effects.set(judgement.effect.event.sequence, 'diverged');
      return this.#refuse(commandDivergence(judgement, command, this.#last));
    }
    const running = this.#overtaken(command, judgement.effect.event);
    if (running !== null) {
      this.#effects.set(judgement.effect.event.sequence, 'diverged');
      return this.#refuse(overtakingDivergence(judgement.effect.event, running));
    }
    this.#open.set(command.commandId, command.type);
    this.#effects.set(judgement.effect.event.sequence, 'begun');
    return this.#carryOut(command, judgement.effect.event, send);
  };

  /** The window reads no more: what it shows is old, whatever comes. */
  readonly broken = (error: unknown): void => void this.#report(brokenDivergence(error, this.#last));

  async #dispatch(event: LaneEvent): Promise<DispatchReply> {
    if (!isRecordedType(event.type)) {
      await this.#report(unknownIntent(event));
      return { state: 'dispatched' };
    }
    const { sequence } = event;
    const { lane, engine } = this.#options;
    const what = () => awaitedBy(lane, event, engine.getSnapshot()) ?? 'its turn';
    // Dispatched inside the change that made it ready: the next one may make it unready again.
    const handed = await this.waits.until({ sequence, what }, () => (awaitedBy(lane, event, engine.getSnapshot()) === null ? { answer: this.#hand(event) } : null));
    const answered = { done: false };
    void handed.answer.then(() => {
      answered.done = true;
      this.waits.look();
    });
    await this.waits.until({ sequence, what: () => 'the daemon to accept it' }, () => answered.done || null);
    return { state: 'dispatched' };
  }

  /** Asks the daemon and gives the intent to the engine in the same breath, as in a recording: so the engine decides on what the person saw. */
  #hand(event: LaneEvent): Promise<HttpFailure | null> {
    const { lane, engine, request, now } = this.#options;
    const intent = localIntent({ lane, event, state: engine.getSnapshot(), nowUnixMs: now() });
    this.#bind(event);
    this.#ledger.addIntent({ eventId: event.eventId, type: event.type, correlationId: event.correlationId }, intent as unknown as JsonObject);
    this.#last = event;
    // Asked in the same breath: the request leaves before any command can.
    const accepted = request({ method: 'POST', path: `/v1/replay/events/${event.sequence}/accept` }).then((reply) => (reply.isOk ? null : reply));
    this.#accepted.set(event.eventId, accepted);
    engine.dispatch(intent as Intent);
    return accepted;
  }

  // The daemon lets a command that comes early wait for its place: a prompt that did not wait for a turn is seen here alone.
  #overtaken({ type, agentSessionId }: EngineCommand, { payload }: LaneEvent): string | null {
    if (type !== 'queue/sendPrompt' || payload['outcome'] !== 'succeeded') return null;
    return this.#options.engine.getSnapshot().sessions[agentSessionId]?.graph?.session.activeTurnId ?? null;
  }

  #bind(event: LaneEvent): void {
    const binding = commandBinding(this.#options.lane.cassetteId, event);
    const code = binding && this.#bindings.bind(binding);
    if (code) throw new Error(`Cannot dispatch event ${event.sequence} ("${event.type}"): ${code === 'command_correlation_missing' ? 'it has no correlation id' : `its correlation id "${event.correlationId}" has a command already`}, one of its own was needed`);
  }

  async #carryOut(command: EngineCommand, event: LaneEvent, send: (stamp: CommandHeaders) => Promise<CommandOutcome>): Promise<CommandOutcome> {
    const refusal = await this.#accepted.get(event.causedByEventId ?? '');
    const outcome = refusal ? refused(refusal) : await send({ id: event.eventId, cause: event.causedByEventId });
    const member = outcomeMismatch(event.payload, outcomePayload(outcome));
    if (member) await this.#report(resultDivergence(event, outcome, member));
    this.#effects.set(event.sequence, member ? 'diverged' : 'compared');
    this.#open.delete(command.commandId);
    this.waits.look();
    return outcome;
  }

  async #refuse(facts: DivergenceFacts): Promise<CommandOutcome> {
    await this.#report(facts);
    return { outcome: 'failed', errorCode: 'replay_diverged', errorMessage: facts.message };
  }

  /** The register keeps the first; what it answers changes nothing here. */
  async #report(facts: DivergenceFacts): Promise<void> {
    const { layer, code, message } = facts;
    const reply = await this.#tell({ ...facts });
    // A report that is refused for a member must not be lost with it.
    if (!reply.isOk) await this.#tell({ layer, code, message });
    this.#hasDiverged = true;
    this.waits.look();
  }

  #tell(facts: object): Promise<HttpReply> {
    return this.#options.request({ method: 'POST', path: '/v1/replay/divergence', body: facts as JsonObject });
  }

  #checkTurns(): void {
    if (this.#hasDiverged) return;
    for (const session of Object.values(this.#options.engine.getSnapshot().sessions)) {
      const surplus = surplusTurn(this.#options.lane.turns, session);
      if (!surplus) continue;
      this.#hasDiverged = true;
      void this.#report(surplusDivergence(surplus, session.agentSessionId));
    }
  }

  #awaitedEffects(): ExpectedEffect[] {
    const { lane, engine } = this.#options;
    const awaited = lane.events.filter(({ sequence }) => this.#effects.get(sequence) === 'awaited');
    return awaited.map((event) => ({ event: { ...event, payload: localPayload(lane, event, engine.getSnapshot()) }, boundCommandId: this.#bindings.commandOf(event.correlationId) }));
  }

  #event(sequence: number, kind: LaneEvent['kind']): LaneEvent {
    const event = this.#options.lane.events.find((candidate) => candidate.sequence === sequence);
    if (event?.kind !== kind) throw new Error(`Cannot ${kind === 'intent' ? 'dispatch' : 'verify'} event ${sequence}: ${event ? `it is ${event.kind} "${event.type}"` : 'the lane has none'}, an ${kind} was needed`);
    return event;
  }

  #sequenceOf(eventId: string | null): number | undefined {
    return this.#options.lane.events.find((event) => event.eventId === eventId)?.sequence;
  }
}
