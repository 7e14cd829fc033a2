/** Replays one cassette under a product: stand-ins in front, a player behind, one verdict at the end (design, data paths). */

import { join } from 'node:path';
import { findTarget, planCheckpoints, type TapeCheckpoint, type Target } from '../core/case/checkpoints.ts';
import { Fault } from '../core/fault.ts';
import type { Json } from '../core/json/exact.ts';
import { limits } from '../core/limits.ts';
import type { Clock, UnitPosition } from '../core/ports.ts';
import type { Product } from '../core/product.ts';
import type { TapeObservation } from '../core/tape/lane.ts';
import type { Divergence } from '../core/verdict/divergence.ts';
import { DivergenceError } from '../core/verdict/divergence-error.ts';
import type { Verdict } from '../core/verdict/verdict.ts';
import { findProvider, providers } from '../providers/registry.ts';
import { CassettePlayer } from '../tape/cassette-player.ts';
import { InputBarrier, isAfter } from '../tape/input-barrier.ts';
import type { LoadedTape } from '../tape/load.ts';
import { PlaybackClock } from '../tape/playback-clock.ts';
import { createReplaySessions, type ReplaySession } from '../tape/replay-session.ts';
import { listenForStandIns, type StandInServer } from '../tape/stand-in-server.ts';
import { endInSteps } from './end-in-steps.ts';
import { lostLaunch, unregisteredFault } from './launches.ts';
import { toApprovals, toToolCalls } from './inspect.ts';
import { startProduct, type StartedProduct } from './product.ts';
import { prepareProject } from './project-folder.ts';
import type { Reached, Run, RunFacts, Shoot, ToolCall } from './run.ts';
import { bothNames, createStandInFolder, openSharedFolder, openStandInFolder, type StandInFolder } from './stand-in-folder.ts';
import { buildVerdict } from './build-verdict.ts';
import { programsFolder } from './versions.ts';
import type { Workroom } from './workroom.ts';

export type ReplayOptions = {
  facts: RunFacts;
  tape: LoadedTape;
  product: Product;
  workroom: Workroom;
  clock: Clock;
  stallMs: number;
  startMs: number;
  /** Folder of a shared stand-in folder, for backends that run already. */
  sharedFolder: string | null;
  startParked?: boolean;
  /** No limits: a person debugs. */
  isUnlimited?: boolean;
};

export class ReplayRun implements Run {
  readonly mode = 'replay';
  readonly cwd: string;
  readonly checkpoints: readonly TapeCheckpoint[];
  readonly #options: ReplayOptions;
  readonly #cassette: CassettePlayer;
  readonly #folder: StandInFolder;
  readonly #sessions: ReplaySession[] = [];
  readonly #sent: Json[] = [];
  readonly #shots = new Map<string, { attachment: string | null; playbackMs: number; wallMs: number }>();
  readonly #pictures = new Map<string, Promise<void>>();
  readonly #startedMs: number;
  #server: StandInServer | null = null;
  #product: StartedProduct | null = null;
  #unregister: (() => void)[] = [];
  #lastTarget: TapeObservation | null = null;
  #isParkedAtTarget = false;
  /** Paused, or started parked. */
  #isStill = false;
  #shoot: Shoot | null = null;
  #fault: Fault | null = null;
  #isSettled = false;
  /** Whether the tape runs without its waits; a speed that was set ends it. */
  #isInstant: boolean;
  #ended: Promise<Verdict> | null = null;

  private constructor(options: ReplayOptions, cwd: string) {
    const { clock, tape, facts } = options;
    this.#options = options;
    this.cwd = cwd;
    this.#startedMs = clock.now();
    this.#isInstant = facts.timing === 'instant';
    this.checkpoints = planCheckpoints(tape.observations, facts.case?.checkpoints ?? {});
    this.#cassette = new CassettePlayer({ tape, clock, playback: new PlaybackClock(clock, facts.timing), barrier: new InputBarrier('free'), select: 'content' });
    this.#folder = createStandInFolder({ path: options.workroom.makeFolder('s'), mode: 'replay', providers, programs: programsFolder(), stallMs: options.stallMs });
    if (options.startParked) this.#holdStill();
  }

  static async start(options: ReplayOptions): Promise<ReplayRun> {
    const run = new ReplayRun(options, prepareProject(options));
    try {
      await run.#open();
      return run;
    } catch (error) {
      await run.end();
      throw error;
    }
  }

  get url(): string | null {
    return this.#product?.url ?? null;
  }

  get env(): { [name: string]: string } {
    return this.#folder.env(process.env);
  }

  get divergence(): Divergence | null {
    return this.#cassette.register.first;
  }

  programFor(provider: string): string {
    return this.#folder.program(provider);
  }

  async playTo(target: Target, isArmed: Promise<boolean>): Promise<Reached> {
    const { tape } = this.#options;
    const found = findTarget({ target, checkpoints: this.checkpoints, observations: tape.observations, after: this.#lastTarget });
    this.#lastTarget = found;
    const isHeld = this.#isParkedAtTarget || this.#isStill;
    // What the product sends from here on must not let a new target go.
    this.#isParkedAtTarget = false;
    const { barrier } = this.#cassette;
    const passed = barrier.hasHandled(found.position);
    if (!passed) {
      barrier.setTargets(this.#targetsFor(found));
      this.#letGo();
      const stops = isHeld || (await isArmed);
      // Awaited at once: the tape runs free, whether the target has just been passed or is just about to be.
      if (!stops) barrier.clear();
      await this.#await(() => barrier.hasHandled(found.position), `play to ${JSON.stringify(target)}`);
      this.#isParkedAtTarget = stops;
    }
    await this.#takePicture(found);
    return { kind: found.kind, passed };
  }

  async nextCheckpoint(isArmed: Promise<boolean>): Promise<Reached> {
    const after = this.#lastTarget;
    const next = this.checkpoints.find((checkpoint) => !after || checkpoint.globalSeq > after.globalSeq || (checkpoint.globalSeq === after.globalSeq && checkpoint.position.unitIndex > after.position.unitIndex));
    if (!next) throw new Fault({ code: 'target_unknown', message: 'Cannot play to the next checkpoint: the last one was reached, none follows' });
    return this.playTo(next.id, isArmed);
  }

  pause(): void {
    this.#holdStill();
  }

  resume(): void {
    this.#cassette.barrier.clear();
    this.#isParkedAtTarget = false;
    this.#letGo();
  }

  setSpeed(speed: number): void {
    this.#cassette.playback.setSpeed(speed);
    this.#isInstant = false;
    this.#cassette.playback.setFastForward(false);
  }

  sent(): Json[] {
    return [...this.#sent];
  }

  toolCalls(): ToolCall[] {
    return toToolCalls(this.#delivered());
  }

  approvals(): Json[] {
    return toApprovals(this.#delivered());
  }

  changed(signal: AbortSignal): Promise<void> {
    return this.#cassette.moved.next(signal);
  }

  onDivergence(listener: (divergence: Divergence) => void): void {
    this.#cassette.register.onFirst(listener);
  }

  setShoot(shoot: Shoot): void {
    this.#shoot = shoot;
  }

  async settle(how: 'play' | 'judge'): Promise<void> {
    const cassette = this.#cassette;
    if (how === 'play') {
      this.resume();
      await this.#await(() => this.#isPlayed(), 'finish').catch((error: unknown) => {
        if (!(error instanceof DivergenceError) && !(error instanceof Fault)) throw error;
        if (error instanceof Fault) this.#fault ??= error;
      });
      this.#isSettled = this.#isPlayed() && cassette.register.first === null;
      const last = this.#delivered().at(-1);
      const reached = this.checkpoints.findLast((checkpoint) => last && checkpoint.globalSeq <= last.globalSeq && cassette.barrier.hasHandled(checkpoint.position));
      if (this.#isSettled && reached) await this.#takePicture(reached);
      // Also those of targets that the spec does not wait for: they belong to the verdict.
      await Promise.all(this.#pictures.values());
      return;
    }
    // After a red body nothing is played on; what stood still for the whole limit counts as missing (stand-in b12).
    this.#isSettled = this.#isPlayed() && cassette.register.first === null;
    if (!this.#isSettled && (cassette.idleMs >= this.#options.stallMs - judgeToleranceMs || cassette.isBroken)) this.#reportMissing();
  }

  ready(): void {
    this.#cassette.progress();
  }

  leave(): void {
    this.#cassette.leave();
  }

  verdict(): Verdict {
    const { facts, tape, clock } = this.#options;
    return buildVerdict({
      facts,
      tape,
      cassette: this.#cassette,
      fault: this.#fault,
      isReached: this.#isSettled,
      checkpoints: this.checkpoints,
      shots: this.#shots,
      durationMs: clock.now() - this.#startedMs,
      startedMs: this.#startedMs,
    });
  }

  end(): Promise<Verdict> {
    this.#ended ??= this.#end();
    return this.#ended;
  }

  async #open(): Promise<void> {
    const options = this.#options;
    const { cwd } = this;
    const socketPath = join(this.#folder.path, 'tape.sock');
    this.#server = await listenForStandIns({
      socketPath,
      open: createReplaySessions({
        cassette: this.#cassette,
        findProvider,
        cwds: bothNames(cwd),
        onSent: (message) => void this.#sent.push(message),
        onSession: (session) => void this.#sessions.push(session),
        onProductSent: () => this.#leaveTarget(),
      }),
      onFault: (fault) => {
        if (!this.#cassette.register.first) this.#fault ??= fault;
        this.#cassette.moved.announce();
      },
    });
    const route = { socket: socketPath, prefixes: bothNames(cwd), initialize: recordedInitialize(options.tape) };
    this.#unregister.push(this.#folder.register('test', route));
    if (options.sharedFolder) this.#unregister.push(openSharedFolder(options.sharedFolder, 'replay').register(`test-${process.pid}-${this.#startedMs}`, route));
    this.#product = await startProduct({ product: options.product, cwd, stateDir: options.workroom.makeFolder('state'), env: this.env, workroom: options.workroom, clock: options.clock, startMs: options.startMs });
    // Booting is no stall.
    this.#cassette.progress();
  }

  async #end(): Promise<Verdict> {
    const { sharedFolder } = this.#options;
    this.#cassette.leave();
    // A tape that is held must not hold the product's last words back.
    this.#cassette.barrier.clear();
    // What went wrong first stays: behind a divergence a fault of the end follows from it, or says less.
    const fail = (fault: Fault) => {
      if (!this.#cassette.register.first) this.#fault ??= fault;
    };
    const steps = [
      () => this.#product?.stop(),
      // A shared backend goes on; it gets a quiet moment to say what it has to say (stand-in b11).
      () => (sharedFolder && !this.#options.product.start ? this.#awaitQuiet() : undefined),
      () => this.#sessions.forEach((session) => session.end()),
      () => this.#until(() => this.#server === null || this.#server.openCount() === 0, limits.stopMs),
      ...this.#unregister,
      () => [this.#folder, ...(sharedFolder ? [openStandInFolder(sharedFolder)] : [])].flatMap((folder) => folder.claimRefused()).slice(0, 1).map(unregisteredFault).forEach(fail),
      () => this.#cassette.close(),
      () => this.#server?.close(),
    ];
    await endInSteps(steps, fail);
    return this.verdict();
  }

  #targetsFor(found: TapeObservation): UnitPosition[] {
    const others = this.#options.tape.lanes.flatMap((lane): UnitPosition[] => {
      const { connectionId } = lane.connection;
      if (connectionId === found.position.connectionId) return [];
      // Other lanes may not run beyond what had come when the target was recorded; they are not awaited.
      const at = lane.chunks.findLastIndex((chunk) => chunk.globalSeq < found.globalSeq && chunk.unitCount > 0);
      const position = { connectionId, chunkSeq: at + 1, unitIndex: lane.chunks[at]?.unitCount ?? 0 };
      const handled = this.#cassette.barrier.handledAt(connectionId);
      return at < 0 || (handled && !isAfter(position, handled)) ? [] : [position];
    });
    return [found.position, ...others];
  }

  // What was given out and is still under way is not played: the spec would look at a session before its end.
  #isPlayed(): boolean {
    return this.#cassette.isDrained && this.#sessions.every((session) => session.isHeard());
  }

  // Waits for the tape. Only here does the stall clock run (design ruling 5).
  async #await(isDone: () => boolean, doing: string): Promise<void> {
    const { clock, stallMs, isUnlimited } = this.#options;
    const cassette = this.#cassette;
    const beganMs = clock.now();
    while (!isDone()) {
      if (this.#fault) throw this.#fault;
      if (cassette.register.first) throw this.#divergenceError(cassette.register.first);
      // The end of a test counts what stood still before it, but what the spec did last gets its second (stand-in b12).
      const waitedMs = clock.now() - beganMs;
      const idleMs = Math.min(cassette.idleMs, doing === 'finish' ? waitedMs + Math.max(0, stallMs - judgeToleranceMs) : waitedMs);
      // A recorded wait of a provider is no standstill, however long it is.
      const { isWaiting } = cassette.playback;
      if (cassette.isBroken || (!isUnlimited && !isWaiting && idleMs >= stallMs)) {
        this.#reportMissing();
        if (cassette.register.first) throw this.#divergenceError(cassette.register.first);
        throw this.#fault ?? this.#stalled(doing);
      }
      const stop = new AbortController();
      const cancel = isUnlimited ? () => {} : clock.after(isWaiting ? stallMs : Math.max(1, stallMs - idleMs), () => stop.abort());
      await cassette.moved.next(stop.signal);
      cancel();
    }
  }

  #reportMissing(): void {
    const cassette = this.#cassette;
    if (cassette.launches.arrived === 0 && cassette.launches.expected > 0) {
      const lost = lostLaunch(this.#folder.arrivals(), cassette);
      if (lost) return void cassette.register.report(lost);
      this.#fault ??= notIntercepted(this.#options.facts.product.name, this.#arrivals());
      return;
    }
    const missing = cassette.findMissing() ?? this.#sessions.find((session) => !session.isHeard())?.describeUnheard();
    if (missing) cassette.register.report(missing);
  }

  #stalled(doing: string): Fault {
    return new Fault({ code: 'stalled', message: `Cannot ${doing}: no lane moved for ${this.#options.stallMs} ms, progress was needed` });
  }

  #divergenceError(divergence: Divergence): DivergenceError {
    return new DivergenceError(divergence, { caseName: this.#options.facts.case?.name ?? null });
  }

  #delivered(): TapeObservation[] {
    return this.#options.tape.observations.filter((o) => this.#cassette.barrier.hasHandled(o.position));
  }

  // One for each checkpoint; whoever comes while it is being taken awaits the same one.
  async #takePicture(at: { position: UnitPosition; kind: string }): Promise<void> {
    const checkpoint = this.checkpoints.find((candidate) => candidate.kind === at.kind && !isAfter(candidate.position, at.position) && !isAfter(at.position, candidate.position) && candidate.position.connectionId === at.position.connectionId);
    if (!checkpoint) return;
    const picture = this.#pictures.get(checkpoint.id) ?? this.#shootAt(checkpoint);
    this.#pictures.set(checkpoint.id, picture);
    await picture;
  }

  async #shootAt(checkpoint: TapeCheckpoint): Promise<void> {
    const shot = { attachment: null, playbackMs: this.#cassette.playback.elapsedMs, wallMs: this.#options.clock.now() - this.#startedMs };
    this.#shots.set(checkpoint.id, shot);
    this.#shots.set(checkpoint.id, { ...shot, attachment: (await this.#shoot?.(checkpoint)) ?? null });
  }

  #leaveTarget(): void {
    if (!this.#isParkedAtTarget) return;
    this.#isParkedAtTarget = false;
    this.#cassette.barrier.clear();
  }

  #holdStill(): void {
    this.#isStill = true;
    this.#cassette.playback.setFastForward(false);
    this.#cassette.playback.pause();
  }

  #letGo(): void {
    this.#isStill = false;
    const { playback } = this.#cassette;
    playback.resume();
    if (this.#isInstant) playback.setFastForward(true);
  }

  #arrivals(): number {
    const { sharedFolder } = this.#options;
    return this.#folder.arrivals().length + (sharedFolder ? openStandInFolder(sharedFolder).arrivals().length : 0);
  }

  async #awaitQuiet(): Promise<void> {
    await this.#until(() => this.#cassette.idleMs >= limits.quietMs, limits.stopMs, limits.quietMs);
  }

  async #until(isDone: () => boolean, limitMs: number, pollMs = 20): Promise<void> {
    const { clock } = this.#options;
    const endMs = clock.now() + limitMs;
    while (!isDone() && clock.now() < endMs) {
      const stop = new AbortController();
      const cancel = clock.after(pollMs, () => stop.abort());
      await this.#cassette.moved.next(stop.signal);
      cancel();
    }
  }
}

function recordedInitialize(tape: LoadedTape): string | null {
  const lane = tape.lanes.find((candidate) => candidate.speaksProtocol);
  return lane?.initialize ?? null;
}

function notIntercepted(product: string, arrivals: number): Fault {
  return new Fault({
    code: 'provider_not_intercepted',
    message: `Cannot replay "${product}": no provider launch reached this test's stand-in, one was expected`,
    facts: { arrivals },
    next: ['Start the provider by name from PATH, or by shim.path(provider)', 'playhead doctor --wrap -- <command>'],
  });
}

const judgeToleranceMs = 1_000;
