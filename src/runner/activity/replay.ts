/** Replays the activity lane of a v7 cassette: the product's daemon plays the provider lanes, its window gets the person's (seed 000, 001). */

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Target } from '../../core/case/checkpoints.ts';
import type { ReplayDaemon } from '../../core/control/daemon.ts';
import { reaches } from '../../core/control/lanes.ts';
import { Fault, isFault, toFault } from '../../core/fault.ts';
import type { Json } from '../../core/json/exact.ts';
import { limits } from '../../core/limits.ts';
import type { Clock } from '../../core/ports.ts';
import { endsWithin, within } from '../../core/within.ts';
import type { Bridged, Product } from '../../core/product.ts';
import { Change } from '../../core/signal.ts';
import type { TapeObservation } from '../../core/tape/lane.ts';
import type { RecordedWith } from '../../core/tape/manifest.ts';
import type { Divergence, DivergenceFacts } from '../../core/verdict/divergence.ts';
import { createDivergence } from '../../core/verdict/divergence.ts';
import { DivergenceError } from '../../core/verdict/divergence-error.ts';
import type { Verdict } from '../../core/verdict/verdict.ts';
import { providers } from '../../providers/registry.ts';
import { checkSpeed } from '../../tape/playback-clock.ts';
import type { LoadedTape } from '../../tape/tape-loader.ts';
import { endInSteps } from '../end-in-steps.ts';
import { toApprovals, toToolCalls } from '../inspect.ts';
import { openProduct, type StartedProduct } from '../product.ts';
import { prepareProject } from '../project-folder.ts';
import type { Reached, Run, RunFacts, Shoot, ToolCall, WindowSide } from '../run.ts';
import { createStandInFolder, type StandInFolder } from '../stand-in-folder.ts';
import { programsFolder } from '../versions.ts';
import type { OpenWindow } from '../window/open.ts';
import type { Workroom } from '../workroom.ts';
import { answerMs, LanePlayer } from './lane-player.ts';
import type { ActivityScript, PlannedCheckpoint } from './script.ts';
import { findCheckpoint } from './target.ts';
import { buildActivityVerdict } from './verdict.ts';
import { DaemonWatch } from './watch.ts';

export type ActivityReplayOptions = {
  facts: RunFacts;
  /** The cassette's folder, absolute. */
  folder: string;
  cassetteId: string;
  script: ActivityScript;
  tape: LoadedTape;
  fileCount: number;
  recordedWith: RecordedWith | null;
  product: Product;
  workroom: Workroom;
  clock: Clock;
  stallMs: number;
  startMs: number;
  /** Where the window is one of Electron. */
  openWindow: OpenWindow | null;
  isUnlimited?: boolean;
};

export class ActivityReplay implements Run {
  readonly mode = 'replay';
  readonly cwd: string;
  readonly checkpoints: readonly PlannedCheckpoint[];
  readonly #options: ActivityReplayOptions;
  readonly #folder: StandInFolder;
  readonly #stateDir: string;
  readonly #change = new Change();
  readonly #shots = new Map<string, { attachment: string | null; playbackMs: number; wallMs: number }>();
  readonly #startedMs: number;
  #product: StartedProduct<Bridged<ReplayDaemon>> | null = null;
  #watch: DaemonWatch | null = null;
  #player: LanePlayer | null = null;
  #shoot: Shoot | null = null;
  #listeners: ((divergence: Divergence) => void)[] = [];
  #divergence: Divergence | null = null;
  #detectedAtMs: number | null = null;
  #fault: Fault | null = null;
  #sent: Json[] = [];
  #stateNodes = 0;
  #playing: Promise<unknown> = Promise.resolve();
  #isSettled = false;
  #isLeft = false;
  #ended: Promise<Verdict> | null = null;

  private constructor(options: ActivityReplayOptions, cwd: string) {
    this.#options = options;
    this.cwd = cwd;
    this.checkpoints = options.script.checkpoints;
    this.#startedMs = options.clock.now();
    this.#stateDir = options.workroom.makeFolder('state');
    // Whoever starts a provider directly meets a stand-in that refuses, and the verdict tells (design ruling 15).
    this.#folder = createStandInFolder({ path: options.workroom.makeFolder('s'), mode: 'replay', providers, programs: programsFolder(), stallMs: options.stallMs });
  }

  static async start(options: ActivityReplayOptions): Promise<ActivityReplay> {
    const run = new ActivityReplay(options, prepareProject(options));
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
    return this.#divergence;
  }

  get awaited(): string | null {
    return this.#player?.awaited ?? null;
  }

  get window(): WindowSide | undefined {
    const boot = this.#product?.running.boot;
    if (!boot) return undefined;
    return {
      boot,
      ...(this.#options.openWindow ? { open: this.#options.openWindow } : {}),
      attach: async (surface) => {
        this.#player?.attach(surface);
        await surface.ready();
        this.#watch?.progress();
      },
      fail: (error) => this.#fail(error),
    };
  }

  programFor(provider: string): string {
    return this.#folder.program(provider);
  }

  async playTo(target: Target): Promise<Reached> {
    const player = this.#openPlayer();
    const checkpoint = findCheckpoint(target, { checkpoints: this.checkpoints, after: player.reached });
    const passed = checkpoint.index <= player.reached;
    if (!passed) await this.#play(() => player.playTo(checkpoint.index));
    return { kind: checkpoint.kind, passed };
  }

  async nextCheckpoint(): Promise<Reached> {
    const next = this.checkpoints[this.#openPlayer().reached + 1];
    if (!next) throw new Fault({ code: 'target_unknown', message: 'Cannot play to the next checkpoint: the last one was reached, none follows' });
    return this.playTo(next.id);
  }

  pause(): void {
    this.#player?.pause();
    void this.#product?.running.daemon.playback({ command: 'pause' }).catch((error: unknown) => this.#fail(error));
  }

  resume(): void {
    this.#player?.resume();
    void this.#product?.running.daemon.playback({ command: 'resume' }).catch((error: unknown) => this.#fail(error));
  }

  setSpeed(speed: number): void {
    checkSpeed(speed);
    this.#player?.setSpeed(speed);
    void this.#setDaemonSpeed(speed).catch((error: unknown) => this.#fail(error));
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
    return this.#change.next(signal);
  }

  onDivergence(listener: (divergence: Divergence) => void): void {
    if (this.#divergence) listener(this.#divergence);
    else this.#listeners.push(listener);
  }

  setShoot(shoot: Shoot): void {
    this.#shoot = shoot;
  }

  async captureState(): Promise<Json> {
    const { daemon } = this.#product?.running ?? {};
    if (!daemon) throw new Fault({ code: 'product_not_started', message: 'Cannot capture state: the product has not started, a running one was needed' });
    return daemon.captureState();
  }

  async settle(how: 'play' | 'judge'): Promise<void> {
    if (how === 'judge' || this.#isLeft) return this.#readDivergence();
    // A spec that paused and forgot it would wait for ever.
    this.resume();
    const player = this.#openPlayer();
    try {
      await this.#play(() => player.playOut().then(() => this.#finish(player)));
      this.#isSettled = this.#divergence === null && this.#fault === null;
    } catch (error) {
      if (!(error instanceof DivergenceError)) this.#fail(error);
    }
  }

  ready(): void {
    this.#watch?.progress();
  }

  async catchUp(): Promise<void> {
    await this.#readDivergence();
  }

  leave(): void {
    this.#isLeft = true;
  }

  verdict(): Verdict {
    const { facts, script, clock, fileCount, recordedWith } = this.#options;
    return buildActivityVerdict({
      facts,
      fileCount,
      status: this.#watch?.status ?? null,
      divergence: this.#divergence,
      fault: this.#fault,
      isReached: this.#isSettled,
      playedCount: this.#player?.playedCount ?? 0,
      reachedCount: (this.#player?.reached ?? -1) + 1,
      stateNodes: this.#stateNodes,
      checkpoints: script.checkpoints,
      shots: this.#shots,
      recordedWith,
      durationMs: clock.now() - this.#startedMs,
      detectedAtMs: this.#detectedAtMs,
    });
  }

  end(): Promise<Verdict> {
    this.#ended ??= this.#end();
    return this.#ended;
  }

  async #open(): Promise<void> {
    const { product, clock, workroom, startMs, folder, cassetteId, facts, script, stallMs, isUnlimited } = this.#options;
    const { bridge } = product;
    if (!bridge) throw new Fault({ code: 'bridge_missing', message: `Cannot replay case "${facts.case?.name ?? facts.cassette.name}": its drive is "activity", and product "${product.name}" has no bridge` });
    // Without lanes the recorded waits are the only order between what a person did and what came (design ruling 2).
    const timing = script.hasLanes ? facts.timing : facts.timing === 'instant' ? 'recorded' : facts.timing;
    facts.timing = timing;
    mkdirSync(join(this.#stateDir, 'daemon'), { recursive: true });
    const replay = { cassetteId, folder, timing };
    this.#product = await openProduct({ product, cwd: this.cwd, stateDir: join(this.#stateDir, 'daemon'), env: this.env, workroom, clock, startMs }, (start) => bridge.replay({ ...start, replay }));
    const { daemon } = this.#product.running;
    const { died } = this.#product;
    const opening = DaemonWatch.open({ daemon: withEnd(daemon, died, clock), clock });
    if (!(await endsWithin(opening, startMs, clock))) throw new Fault({ code: 'daemon_lost', message: `Cannot ask the daemon of "${product.name}" for its status: it gave no answer within ${startMs} ms, one was needed` });
    this.#watch = await opening;
    this.#watch.onDivergence((divergence) => this.#diverge(divergence));
    void died.then((why) => this.#watch?.lose(why));
    this.#player = new LanePlayer({
      script,
      daemon,
      watch: this.#watch,
      clock,
      stallMs,
      isUnlimited: isUnlimited ?? false,
      timing,
      caseName: facts.case?.name ?? null,
      findRefused: () => this.#findRefused(),
      onReached: (checkpoint) => this.#takePicture(checkpoint),
    });
  }

  // A speed has no meaning while waits are left out.
  async #setDaemonSpeed(speed: number): Promise<void> {
    const daemon = this.#product?.running.daemon;
    await daemon?.playback({ command: 'set-timing', timing: 'recorded' });
    await daemon?.playback({ command: 'set-speed', speed });
  }

  // One after the other: a play that the spec did not wait for is not overtaken by the next one.
  #play(play: () => Promise<void>): Promise<void> {
    const before = this.#playing.catch(() => {});
    const mine = before.then(() => this.#playNow(play));
    this.#playing = mine;
    return mine;
  }

  async #playNow(play: () => Promise<void>): Promise<void> {
    try {
      await play();
    } catch (error) {
      if (error instanceof DivergenceError) this.#diverge(error.divergence);
      throw error;
    } finally {
      await this.#readSent();
      this.#change.announce();
    }
  }

  async #finish(player: LanePlayer): Promise<void> {
    const { divergence, stateNodes } = await player.finish();
    this.#stateNodes = stateNodes;
    if (divergence) return this.#diverge(divergence);
    await this.#watch?.refresh();
    this.#reportRefused();
  }

  // A launch that went past the daemon's transport to the program of that name.
  #findRefused(): DivergenceFacts | null {
    const [arrival] = this.#folder.claimRefused();
    return arrival ? { layer: 'transport', code: 'launch_unmatched', message: `Cannot accept launch of "${arrival.provider}": the product started it itself, no launch past its daemon was recorded`, path: '$.argv', live: arrival.argv.join(' ') } : null;
  }

  #reportRefused(): void {
    const facts = this.#findRefused();
    if (facts) this.#diverge(createDivergence(facts));
  }

  // A product may end when it is told to, and not before.
  #reportLoss(): void {
    const why = this.#watch?.lost;
    if (this.#isSettled && why) this.#diverge(createDivergence({ layer: 'transport', code: 'product_ended', message: `Cannot end replay: the product ended before it was stopped (${why}), a running one was needed` }));
  }

  async #takePicture(checkpoint: PlannedCheckpoint): Promise<void> {
    const { clock } = this.#options;
    const shot = { attachment: null, playbackMs: this.#watch?.status.playbackElapsedMs ?? 0, wallMs: clock.now() - this.#startedMs };
    this.#shots.set(checkpoint.id, shot);
    this.#shots.set(checkpoint.id, { ...shot, attachment: (await this.#shoot?.(checkpoint)) ?? null });
  }

  async #readSent(): Promise<void> {
    const { daemon } = this.#product?.running ?? {};
    const sent = daemon && (await within(daemon.sent(), answerMs, this.#options.clock));
    if (sent) this.#sent = sent;
  }

  // The window has gone, and the daemon may not have heard of it yet.
  async #readUntilLeft(): Promise<void> {
    const { clock } = this.#options;
    const endMs = clock.now() + answerMs;
    for (;;) {
      await this.#readDivergence();
      if (!this.#watch || this.#watch.lost !== null || this.#watch.status.windowCount === 0 || clock.now() >= endMs) return;
      await new Promise<void>((resolve) => void clock.after(leftPollMs, resolve));
    }
  }

  async #readDivergence(): Promise<void> {
    if (this.#watch) await within(this.#watch.refresh(), answerMs, this.#options.clock);
  }

  #delivered(): TapeObservation[] {
    const lanes = this.#watch?.status.lanes ?? [];
    return this.#options.tape.observations.filter(({ position }) => reaches(lanes, [position]));
  }

  #diverge(divergence: Divergence): void {
    if (this.#divergence) return;
    this.#divergence = divergence;
    this.#detectedAtMs = this.#options.clock.now() - this.#startedMs;
    for (const listener of this.#listeners) listener(divergence);
    this.#change.announce();
  }

  #fail(error: unknown): void {
    if (this.#divergence) return;
    this.#fault ??= isFault(error) ? error : toFault(error, 'replay');
    this.#change.announce();
  }

  #openPlayer(): LanePlayer {
    if (!this.#player) throw new Fault({ code: 'product_not_started', message: 'Cannot play: the product has not started, a running one was needed' });
    return this.#player;
  }

  async #end(): Promise<Verdict> {
    const steps = [
      // Also after a clean end: what a product does since then is looked at once more, also as its window leaves.
      () => this.#readUntilLeft(),
      () => this.#reportLoss(),
      () => this.#watch?.close(),
      () => this.#product?.stop(),
      () => (this.#isSettled && !this.#divergence ? this.#reportRefused() : undefined),
      () => this.#folder.claimRefused(),
    ];
    await endInSteps(steps, (fault) => this.#fail(fault));
    return this.verdict();
  }
}

// How the process ended says more than a connection that was cut, and is known a moment later.
function withEnd(daemon: ReplayDaemon, died: Promise<string>, clock: Clock): Pick<ReplayDaemon, 'status' | 'changed'> {
  return {
    status: () => daemon.status(),
    changed: (after, signal) =>
      daemon.changed(after, signal).catch(async (error: unknown) => {
        const why = await within(died, limits.lastWordsMs, clock);
        throw why === null ? error : new Error(why);
      }),
  };
}

const leftPollMs = 20;
