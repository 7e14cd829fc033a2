/** Plays the activity lane: dispatches recorded intents in their order, holds at checkpoints, and sees that each is reached (replay-runtime 3.2, 4.5). */

import { reaches } from '../../core/control/lanes.ts';
import type { CheckpointReply, FinishReply, ReplayDaemon, ShownEntity } from '../../core/control/daemon.ts';
import type { BridgeSnapshot, SurfaceDriver } from '../../core/control/surface.ts';
import { Fault, isFault } from '../../core/fault.ts';
import type { Clock } from '../../core/ports.ts';
import { within } from '../../core/within.ts';
import { createDivergence, type DivergenceFacts } from '../../core/verdict/divergence.ts';
import type { Timing } from '../../core/verdict/verdict.ts';
import { DivergenceError } from '../../core/verdict/divergence-error.ts';
import type { ActivityScript, PlannedCheckpoint, RecordedEvent } from './script.ts';
import { judgeStandstill, type Standstill, type WindowLag } from './stall.ts';
import type { DaemonWatch } from './watch.ts';

export type LanePlayerOptions = {
  script: ActivityScript;
  daemon: ReplayDaemon;
  watch: DaemonWatch;
  clock: Clock;
  stallMs: number;
  isUnlimited: boolean;
  timing: Timing;
  caseName: string | null;
  /** A launch that went past the daemon; found once. Default: nobody looks. */
  findRefused?: () => DivergenceFacts | null;
  /** Called while everything is held at the checkpoint. */
  onReached: (checkpoint: PlannedCheckpoint) => Promise<void>;
};

type Landing = { checkpoint: PlannedCheckpoint; reply: CheckpointReply | null; hidden: { entity: ShownEntity; shown: string | null } | null; lag: WindowLag | null };

export class LanePlayer {
  readonly #options: LanePlayerOptions;
  readonly #verified = new Set<number>();
  readonly #verifying = new Map<number, RecordedEvent>();
  #surface: SurfaceDriver | null = null;
  #next = 0;
  #reached = -1;
  #landing: Landing | null = null;
  #dispatching: RecordedEvent | null = null;
  #failed: unknown = null;
  #isPaused = false;
  #isFinishing = false;
  #firstMs: number | null = null;
  #timing: Timing;

  constructor(options: LanePlayerOptions) {
    this.#options = options;
    this.#timing = options.timing;
  }

  /** Index of the last checkpoint that was reached; -1 before the first one. */
  get reached(): number {
    return this.#reached;
  }

  /** Events that were dispatched, and effects whose result was compared. */
  get playedCount(): number {
    return this.#options.script.events.slice(0, this.#next).filter(({ kind }) => kind !== 'effect').length + this.#verified.size;
  }

  /** What a wait that was cut short was for; null where nothing recorded was awaited. */
  get awaited(): string | null {
    return judgeStandstill(this.#standstillOf(null))?.message ?? null;
  }

  attach(surface: SurfaceDriver): void {
    this.#surface = surface;
    surface.onLost((why) => this.fail(new Fault({ code: 'window_lost', message: `Cannot play on: ${why}, an open window was needed` })));
  }

  /** Ends every wait with this error. */
  fail(error: unknown): void {
    this.#failed ??= error;
    this.#options.watch.moved.announce();
  }

  pause(): void {
    this.#isPaused = true;
  }

  resume(): void {
    this.#isPaused = false;
    // A person who looked for long has not made it stand still.
    this.#options.watch.progress();
  }

  /** From now on with the recorded waits, at this speed. */
  setSpeed(speed: number): void {
    this.#timing = speed;
  }

  /** Lands on every checkpoint up to this one, and stays there. */
  async playTo(index: number): Promise<void> {
    const { script: { checkpoints }, watch } = this.#options;
    // What was done between two calls is no standstill (design ruling 5).
    watch.progress();
    while (this.#reached < index) await this.#land(checkpoints[this.#reached + 1] as PlannedCheckpoint);
  }

  /** Lands on what is left, then lets go and plays to the end of every lane. */
  async playOut(): Promise<void> {
    const { script, daemon, watch } = this.#options;
    await this.playTo(script.checkpoints.length - 1);
    await this.#during(daemon.playback({ command: 'clear-provider-cursor' }));
    await this.#play(Infinity);
    await this.#await(() => watch.status.isDrained && !watch.status.hasActiveTurn);
  }

  /** Has the daemon close its providers and compare the state. */
  async finish(): Promise<FinishReply> {
    this.#options.watch.progress();
    this.#isFinishing = true;
    return this.#during(this.#options.daemon.finish());
  }

  async #land(checkpoint: PlannedCheckpoint): Promise<void> {
    const { daemon, watch, onReached } = this.#options;
    this.#landing = { checkpoint, reply: null, hidden: null, lag: null };
    await this.#during(daemon.playback({ command: 'set-provider-cursor', providerConnections: checkpoint.lanes, activityEventSequence: checkpoint.activitySequence }));
    await this.#play(checkpoint.activitySequence);
    await this.#await(() => reaches(watch.status.lanes, checkpoint.lanes));
    await this.#verify(this.#landing);
    this.#reached = checkpoint.index;
    await onReached(checkpoint);
    this.#landing = null;
    await this.#throwRefused();
    watch.progress();
  }

  async #play(through: number): Promise<void> {
    const { events } = this.#options.script;
    for (let event = events[this.#next]; event && event.sequence <= through; event = events[this.#next]) {
      await this.#await(() => !this.#isPaused);
      if (event.kind === 'effect') this.#startVerifying(event);
      else await this.#dispatch(event);
      this.#next++;
    }
    await this.#await(() => ![...this.#verifying.keys()].some((sequence) => sequence <= through));
  }

  async #dispatch(event: RecordedEvent): Promise<void> {
    await this.#waitForTime(event);
    this.#dispatching = event;
    await this.#during(this.#window().dispatch(event.sequence));
    this.#dispatching = null;
  }

  // Results gate nothing: an intent behind an effect does not wait for it (desktop-order b2).
  #startVerifying(event: RecordedEvent): void {
    this.#verifying.set(event.sequence, event);
    this.#window().verify(event.sequence).then(
      ({ state }) => {
        if (state !== 'verified') return;
        this.#verifying.delete(event.sequence);
        this.#verified.add(event.sequence);
        this.#options.watch.progress();
      },
      (error: unknown) => this.fail(error),
    );
  }

  // The recorded waits between what a person did; only where timing is not instant. Playback time stands still while paused.
  async #waitForTime(event: RecordedEvent): Promise<void> {
    const { watch } = this.#options;
    const timing = this.#timing;
    if (timing === 'instant') return;
    for (;;) {
      await this.#await(() => !this.#isPaused);
      const { playbackElapsedMs } = await this.#during(watch.refresh());
      this.#firstMs ??= event.occurredAtUnixMs - playbackElapsedMs;
      const leftMs = event.occurredAtUnixMs - this.#firstMs - playbackElapsedMs;
      if (leftMs <= 0) return watch.progress();
      await this.#movedWithin(leftMs / (timing === 'recorded' ? 1 : timing));
      // A recorded wait is no standstill, however long it is.
      watch.progress();
    }
  }

  /** Until something moves, at most for so long. */
  async #movedWithin(ms: number): Promise<void> {
    if (this.#isBroken) return;
    const stop = new AbortController();
    const cancel = this.#options.clock.after(Math.max(1, ms), () => stop.abort());
    await this.#options.watch.moved.next(stop.signal);
    cancel();
  }

  async #verify(landing: Landing): Promise<void> {
    const { daemon, watch } = this.#options;
    for (;;) {
      const { revision } = watch.status;
      landing.reply = await this.#during(daemon.verifyCheckpoint(landing.checkpoint.index));
      if (landing.reply.state === 'reached') break;
      await this.#await(() => watch.status.revision > revision);
    }
    await this.#awaitShown(landing, landing.reply);
  }

  async #awaitShown(landing: Landing, { revision, shows }: Extract<CheckpointReply, { state: 'reached' }>): Promise<void> {
    for (;;) {
      const snapshot = await this.#during(this.#window().snapshot());
      landing.lag = snapshot.revision < revision ? { needed: revision, actual: snapshot.revision } : null;
      landing.hidden = landing.lag ? null : await this.#during(this.#window().findHidden(shows));
      if (landing.lag === null && landing.hidden === null) return;
      // The window tells nobody when it has painted: it is asked again, and the stall limit ends that.
      await this.#movedWithin(shownPollMs);
      if (this.#isOver) await this.#end();
    }
  }

  /** Waits for a call, and for the call alone: what stands still meanwhile is judged. */
  async #during<T>(call: Promise<T>): Promise<T> {
    let settled: { value: T } | { error: unknown } | null = null;
    call.then(
      (value) => void ((settled = { value }), this.#options.watch.moved.announce()),
      (error: unknown) => void ((settled = { error }), this.#options.watch.moved.announce()),
    );
    await this.#await(() => settled !== null);
    const end = settled as { value: T } | { error: unknown } | null;
    if (end && 'value' in end) return end.value;
    // A daemon that cannot be asked has ended, whichever call was the first to notice (design ruling 9).
    if (isFault(end?.error) && end.error.code === 'daemon_lost') {
      this.#options.watch.lose(end.error.message);
      await this.#end();
    }
    throw this.#failed ?? (isFault(end?.error) ? end.error : new Fault({ code: 'window_lost', message: `Cannot play on: ${String((end?.error as Error)?.message ?? end?.error)}, an answer was needed` }));
  }

  async #await(isDone: () => boolean): Promise<void> {
    const { clock, watch, stallMs } = this.#options;
    while (!isDone()) {
      if (this.#isOver) await this.#end();
      // Between here and the wait nothing may be awaited: a change in between would be slept through.
      const stop = new AbortController();
      const cancel = this.#isPatient ? () => {} : clock.after(Math.max(1, stallMs - watch.idleMs), () => stop.abort());
      await watch.moved.next(stop.signal);
      cancel();
    }
    if (this.#isBroken) await this.#end();
  }

  get #isBroken(): boolean {
    const { watch } = this.#options;
    return watch.status.divergence !== null || this.#failed !== null || watch.lost !== null;
  }

  get #isOver(): boolean {
    const { watch, stallMs } = this.#options;
    return this.#isBroken || (!this.#isPatient && watch.idleMs >= stallMs);
  }

  get #isPatient(): boolean {
    return this.#options.isUnlimited || this.#isPaused;
  }

  /** Throws why nothing more is to come; returns where something came after all. */
  async #end(): Promise<void> {
    const { watch, caseName } = this.#options;
    const { divergence, revision } = watch.status;
    if (divergence) throw new DivergenceError(divergence, { caseName });
    if (this.#failed !== null) throw this.#failed;
    if (watch.lost !== null) throw await this.#ended(watch.lost);
    // What the daemon tells may be on its way still.
    const status = await this.#briefly(watch.refresh());
    if (!status) throw await this.#ended(watch.lost ?? 'it gives no answer');
    // A recorded wait of a provider is no standstill, however long it is (design ruling 5).
    if (status.waitsForTime) return watch.progress();
    if (status.revision === revision) await this.#judge();
  }

  async #judge(): Promise<never> {
    const { daemon, stallMs, caseName } = this.#options;
    // Who started a provider past us waits for its answers elsewhere.
    await this.#throwRefused();
    const facts = judgeStandstill(await this.#standstill());
    if (!facts) throw new Fault({ code: 'stalled', message: `Cannot finish: nothing moved for ${stallMs} ms, progress was needed` });
    throw new DivergenceError((await this.#briefly(daemon.report(facts))) ?? createDivergence(facts), { caseName });
  }

  async #throwRefused(): Promise<void> {
    const { daemon, caseName, findRefused } = this.#options;
    const facts = findRefused?.();
    if (facts) throw new DivergenceError((await this.#briefly(daemon.report(facts))) ?? createDivergence(facts), { caseName });
  }

  async #standstill(): Promise<Standstill> {
    const window = this.#surface && (await this.#briefly(this.#surface.snapshot()));
    return { ...this.#standstillOf(window), isWindowSilent: this.#surface !== null && window === null };
  }

  #standstillOf(window: BridgeSnapshot | null): Standstill {
    const { watch, script } = this.#options;
    const { hidden } = this.#landing ?? {};
    const landing = this.#landing && { ...this.#landing, hidden: hidden ? { ...hidden.entity, shown: hidden.shown } : null };
    return { status: watch.status, window, events: script.events, dispatching: this.#dispatching, verifying: [...this.#verifying.values()], landing };
  }

  // A judgement must come to an end.
  #briefly<T>(call: Promise<T>): Promise<T | null> {
    return within(call, answerMs, this.#options.clock);
  }

  // A product that dies after it was ready has failed, on the layer of what was awaited (design ruling 9).
  async #ended(why: string): Promise<DivergenceError> {
    const awaited = judgeStandstill(await this.#standstill());
    const facts: DivergenceFacts = { layer: awaited?.layer ?? (this.#isFinishing ? 'state' : 'transport'), code: 'product_ended', message: `Cannot continue replay: the product ended in mid-replay (${why}), a running one was needed${awaited ? `; awaited was: ${awaited.message}` : ''}`, position: awaited?.position ?? null };
    return new DivergenceError(createDivergence(facts), { caseName: this.#options.caseName });
  }

  #window(): SurfaceDriver {
    if (!this.#surface) throw new Fault({ code: 'window_not_ready', message: 'Cannot play the activity lane: the run has no window, an open one was needed' });
    return this.#surface;
  }
}

const shownPollMs = 20;
/** How long a daemon that may have gone is waited for. */
export const answerMs = 1_000;
