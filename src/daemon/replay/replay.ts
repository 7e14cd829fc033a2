/** One replay inside the daemon: its tape, its lane, its checkpoints and its end, as HTTP and the Host ask for them. */

import type { CommittedDelta } from '../../core/agent/delta.ts';
import type { AgentHost } from '../../core/agent/host.ts';
import type { SessionRef } from '../../core/agent/views.ts';
import type { ReplayBoot } from '../../core/control/boot.ts';
import type { CheckpointReply, FinishReply, PlaybackCommand, ReplayStatus } from '../../core/control/daemon.ts';
import { raise, type LanePlaceView } from '../../core/control/lanes.ts';
import { isFault, toFault, type Fault } from '../../core/fault.ts';
import { isObject, type Json, type JsonObject } from '../../core/json/exact.ts';
import { introducesGoal } from '../../core/observation/describe-activity.ts';
import { EntityRegistry } from '../../core/observation/registry.ts';
import { seedRegistry } from '../../core/observation/seed.ts';
import type { Clock } from '../../core/ports.ts';
import type { CaptureFacts } from '../../core/state/capture.ts';
import { resolveState } from '../../core/state/resolve.ts';
import { createDivergence, type Divergence, type DivergenceFacts } from '../../core/verdict/divergence.ts';
import { Refusal, type CommandStamp } from '../mode.ts';
import { CheckpointWatch, type ObserveDelta } from './checkpoints.ts';
import { unitPosition, type LaneEvent, type ReplayDocuments } from './documents.ts';
import { EventGates, gatesOf } from './events.ts';
import { finishReplay } from './finish.ts';
import type { CreateTape, ReplayTape } from './ports.ts';
import { Progress } from '../progress.ts';
import { shownEntities } from './shows.ts';
import { portableState, recordedTurns } from './state.ts';
import { createReadinessView, liveStateOf, type LiveState } from '../readiness-view.ts';

export type ReplayOptions = {
  boot: ReplayBoot & { projectDir: string };
  documents: ReplayDocuments;
  createTape: CreateTape;
  observeDelta: ObserveDelta;
  captureFacts: CaptureFacts;
  clock: Clock;
  workspaceId: string;
  /** Owns what a continued session restores. */
  userId: string;
  /** Ends every provider connection; the Host and its store stay. */
  closeRuntimes: () => Promise<void>;
};

export class Replay {
  readonly progress: Progress;
  readonly tape: ReplayTape;
  readonly events: EventGates;
  readonly root: SessionRef;
  readonly #options: ReplayOptions;
  readonly #registry = new EntityRegistry();
  readonly #watch: CheckpointWatch;
  readonly #startedMs: number;
  #host: AgentHost | null = null;
  #live: LiveState = { registry: this.#registry, graph: () => null };
  #committed: LanePlaceView[] = [];
  #revision = 0;
  #finished: Promise<FinishReply> | null = null;
  #isCompared = false;
  /** What kept us from judging; the first one stands. */
  #fault: Fault | null = null;
  #expected: Json | null = null;

  constructor(options: ReplayOptions) {
    this.#options = options;
    const { documents, clock, observeDelta, workspaceId } = options;
    const { events, plan, rootAgentSessionId: rootId } = documents;
    this.#startedMs = clock.now();
    this.progress = new Progress(clock);
    this.root = { workspaceId, agentSessionId: rootId };
    // The intent holds the id, so that it is the recorded one (design ruling 11).
    this.#registry.bindRoot(rootId);
    this.tape = options.createTape(gatesOf(events), { onUnit: (unit) => this.#watching(() => this.#watch.handle(unit)), onProgress: this.progress.bump });
    const { register } = this.tape.cassette;
    this.#watch = new CheckpointWatch({ plan, registry: this.#registry, register, observeDelta, rootId });
    this.events = new EventGates({ events, gates: this.tape.gates, register, progress: this.progress });
    register.onFirst(this.progress.bump);
  }

  /** Restores what a continued session begins with, and follows every commit from then on. */
  attach(host: AgentHost): void {
    const { documents, workspaceId, userId } = this.#options;
    this.#host = host;
    this.#live = liveStateOf(host, { workspaceId, registry: this.#registry });
    if (documents.initial !== null) {
      host.restore({ workspaceId, userId, state: this.#resolved(documents.initial, 'initial-state.json') });
      seedRegistry(this.#registry, documents.initial);
    }
    host.observe((delta) => this.#watching(() => this.#follow(delta)));
  }

  #follow(delta: CommittedDelta): void {
    this.#revision = delta.revision;
    if (delta.unit) this.#committed = raise(this.#committed, [delta.unit.position]);
    this.#watch.commit(delta);
    if (this.#isCompared) this.#reportLate(delta);
    this.progress.bump();
  }

  // Host and transport go on without us, so that what we could not judge would pass as green: it is told at the next question.
  #watching(look: () => void): void {
    try {
      look();
    } catch (error) {
      if (!this.tape.cassette.register.first) this.#fault ??= toFault(error, 'follow the replay');
      this.progress.bump();
    }
  }

  #throwIfBlind(): void {
    if (this.#fault) throw this.#fault;
  }

  /** Lanes of what is committed: a unit that is held after its commit is in the rows already. */
  get lanes(): LanePlaceView[] {
    return this.#committed;
  }

  async begin(command: CommandStamp): Promise<void> {
    this.#introduceGoal(await this.events.begin(command));
  }

  accept(sequence: number): void {
    this.#introduceGoal(this.events.accept(sequence));
  }

  /** Without its windows, which HTTP knows. */
  status(): Omit<ReplayStatus, 'windowCount'> {
    this.#throwIfBlind();
    const { cassette, gates } = this.tape;
    const { register, players, launches, isDrained, playback } = cassette;
    const sum = (read: (counts: (typeof players)[number]['counts']) => number) => players.reduce((total, { counts }) => total + read(counts), 0);
    return {
      revision: this.progress.revision,
      lanes: raise([], gates.handled),
      accepted: this.events.accepted,
      begun: this.events.begun,
      isDrained,
      hasActiveTurn: this.hasActiveTurn,
      divergence: register.first,
      divergenceAtMs: register.firstAtMs === null ? null : register.firstAtMs - this.#startedMs,
      missing: this.missing,
      launches,
      counts: { matched: sum(({ matched }) => matched), absorbed: sum(({ absorbed }) => absorbed), delivered: sum(({ delivered }) => delivered), connections: players.length },
      playbackElapsedMs: playback.elapsedMs,
      waitsForTime: playback.isWaiting,
    };
  }

  get hasActiveTurn(): boolean {
    const host = this.#host;
    return host !== null && host.session(this.root) !== null && !host.isSettled(this.root);
  }

  /** While a command is awaited nothing that it would cause is missing (desktop-order b2); a lane that is held waits for nobody. */
  get missing(): Divergence | null {
    const { cassette, gates } = this.tape;
    return cassette.register.first ?? this.events.awaitedCommand ?? cassette.findMissing((connectionId) => gates.isHeld(connectionId));
  }

  lane(): object {
    const { boot, documents } = this.#options;
    return { cassetteId: boot.cassetteId, projectFolder: boot.projectDir, events: documents.events.map(({ json }) => json), turns: recordedTurns(documents.expected, documents.initial) };
  }

  verify(index: number): CheckpointReply {
    this.#throwIfBlind();
    const checkpoint = this.#options.documents.plan.checkpoints[index];
    if (!checkpoint) throw new Refusal(404, 'target_unknown', `Cannot verify checkpoint ${index}: the plan has ${this.#options.documents.plan.checkpoints.length}, one of them was needed`);
    const { activityEventSequence, providerConnections } = checkpoint.cursor;
    const isThere = providerConnections.every((place) => this.tape.gates.hasHandled(unitPosition(place))) && this.events.isPlayedTo(Number(activityEventSequence));
    if (!isThere || this.tape.cassette.register.first) return { state: 'not_yet' };
    const found = this.#watch.statusOf(index, this.#view());
    switch (found.status) {
      // A failed checkpoint is in the register, which the status shows.
      case 'failed':
      case 'not-yet':
        return { state: 'not_yet' };
      case 'not-ready':
        return { state: 'not_ready', awaited: found.awaited };
      case 'reached':
        return { state: 'reached', revision: this.#revision, shows: shownEntities(checkpoint.subjects, this.#live) };
    }
  }

  report(facts: DivergenceFacts): Divergence {
    return this.tape.cassette.register.report(createDivergence(facts));
  }

  play(command: PlaybackCommand): void {
    const { cassette, gates, hold } = this.tape;
    switch (command.command) {
      case 'pause':
        cassette.playback.pause();
        break;
      case 'resume':
        cassette.playback.resume();
        break;
      case 'set-speed':
        cassette.playback.setSpeed(command.speed);
        break;
      case 'set-timing':
        cassette.playback.setTiming(command.timing);
        break;
      case 'set-provider-cursor':
        this.events.hold(command.activityEventSequence === undefined ? null : { sequence: command.activityEventSequence, lanes: command.providerConnections });
        holdLanes(() => hold(command.providerConnections));
        break;
      case 'clear-provider-cursor':
        this.events.hold(null);
        gates.clear();
        break;
    }
    this.progress.bump();
  }

  sent(): JsonObject[] {
    return this.tape.cassette.players.flatMap(({ sent }) => sent.filter(isObject));
  }

  /** The state as a cassette would hold it; `null` where the root session was never made. */
  capture(): Json | null {
    const host = this.#host;
    return host?.session(this.root) ? portableState(host.capture(this.root), this.#options.captureFacts) : null;
  }

  async finish(): Promise<FinishReply> {
    const { documents, closeRuntimes } = this.#options;
    this.#finished ??= finishReplay({ replay: this, documents, closeRuntimes }).finally(() => (this.#isCompared = true));
    const reply = await this.#finished;
    this.#throwIfBlind();
    return reply;
  }

  close(): void {
    this.progress.close();
    this.tape.cassette.leave();
    this.tape.cassette.close();
  }

  // What was compared is what a cassette holds: a product that goes on writing has another end.
  #reportLate({ sessions, turns, messages, interactions }: CommittedDelta): void {
    const [first] = Object.entries({ session: sessions, turn: turns, message: messages, interaction: interactions }).filter(([, rows]) => rows.length > 0);
    if (first) this.report({ layer: 'state', code: 'state_diff', path: '$.agent.sessions', message: `Cannot accept final state: a ${first[0]} was stored after everything had ended, nothing more was needed` });
  }

  #view() {
    this.#expected ??= this.#resolved(this.#options.documents.expected, 'expected-state.json');
    return createReadinessView(this.#live, { expected: this.#expected, normalisePath: this.#options.captureFacts.normalisePath });
  }

  #resolved(state: Json, file: 'initial-state.json' | 'expected-state.json'): Json {
    return resolveState(state, { replayCwd: this.#options.boot.projectDir, file }, () => {});
  }

  #introduceGoal(event: LaneEvent): void {
    if (introducesGoal(event)) this.#registry.introduceGoal(event.agentSessionId ?? '', BigInt(event.sequence));
  }
}

// The register has it, and whoever asks for the status sees it there: as a fault it would hide the verdict.
function holdLanes(hold: () => void): void {
  try {
    hold();
  } catch (error) {
    if (!isFault(error) || error.code !== 'checkpoint_provider_overshot') throw error;
  }
}
