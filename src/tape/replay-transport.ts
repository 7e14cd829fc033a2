/**
 * The in-process replay transport: one router for a batch of cassettes, and behind each root session an independent player
 * (replay-runtime 2.2, 2.6, 2.8). It has no way to start a process (design ruling 15).
 */

import { Fault, isFault } from '../core/fault.ts';
import { messagesOf } from '../core/lines.ts';
import { rootOf, type Clock, type FrameStamp, type InputUnit, type ProcessConnection, type ProcessFrame, type ProcessSpec, type ProcessTransport, type UnitPosition } from '../core/ports.ts';
import type { ProviderAdapter } from '../core/provider/adapter.ts';
import type { CaptureOrigin } from '../core/tape/manifest.ts';
import { createDivergence } from '../core/verdict/divergence.ts';
import type { Timing } from '../core/verdict/verdict.ts';
import { CassettePlayer } from './cassette-player.ts';
import { InputBarrier, type LaneBarrier } from './input-barrier.ts';
import type { LoadedTape } from './load.ts';
import { PlaybackClock } from './playback-clock.ts';
import type { ConnectionPlayer, PlayedFrame } from './player.ts';
import { homesOf, projectFolders } from './recording-transport.ts';

export type ReplayRegistration = { cassetteId: string; rootAgentSessionId: string; tape: LoadedTape };

export type ReplayTransportOptions = {
  registrations: readonly ReplayRegistration[];
  clock: Clock;
  findProvider: (name: string) => ProviderAdapter | null;
  /** Default `instant`. */
  timing?: Timing;
  /** Stands behind the home token where a launch names no home of its own; default none. */
  home?: string;
  /** Holds the lanes of a cassette; a strict barrier by default. */
  createBarrier?: (cassetteId: string) => LaneBarrier;
  /** A unit is about to count as handled: its commit has returned and whoever awaited it has gone on (desktop-order b3). */
  onUnit?: (unit: InputUnit) => void;
  /** A connection moved, was started, or was sent something. */
  onProgress?: () => void;
};

export class ReplayTransport implements ProcessTransport {
  readonly tracksProviderInputUnits = true;
  readonly #options: ReplayTransportOptions;
  readonly #byCassette = new Map<string, CassettePlayer>();
  readonly #byRoot = new Map<string, CassettePlayer>();

  constructor(options: ReplayTransportOptions) {
    this.#options = options;
    if (options.registrations.length === 0) throw registrationFault('there is none');
    for (const registration of options.registrations) this.#register(registration);
  }

  /** The player of one cassette: its playback controls, its barrier, its divergence and what it still misses. */
  cassette(cassetteId: string): CassettePlayer {
    const player = this.#byCassette.get(cassetteId.trim());
    if (!player) throw new Fault({ code: 'case_not_found', message: `Cannot control cassette "${cassetteId}": it is not registered, one of ${[...this.#byCassette.keys()].join(', ')} was needed` });
    return player;
  }

  /** Holds the lanes of one cassette at exact messages; a lane that is beyond its target is a divergence. */
  setTargets(cassetteId: string, targets: readonly UnitPosition[]): void {
    const cassette = this.cassette(cassetteId);
    try {
      cassette.barrier.setTargets(targets);
    } catch (error) {
      reportOvershoot(cassette, error);
      throw error;
    }
  }

  async start(spec: ProcessSpec): Promise<ProcessConnection> {
    const { findProvider, home } = this.#options;
    if (spec.agentSessionId.trim() === '') throw this.#refuseStranger(spec, 'the launch belongs to no session, a registered root session was needed');
    const cassette = this.#byRoot.get(rootOf(spec));
    if (!cassette) throw this.#refuseStranger(spec, `session "${spec.agentSessionId}" has no registered root session, one of ${[...this.#byRoot.keys()].join(', ')} was needed`);
    const adapter = findProvider(spec.provider);
    const player = cassette.launch({
      provider: spec.provider,
      argv: spec.command.slice(1),
      agentSessionId: spec.agentSessionId,
      rootAgentSessionId: rootOf(spec),
      cwds: projectFolders(spec),
      homes: [...(adapter ? homesOf(spec, adapter) : []), ...(home ? [home] : [])],
    });
    if (!('send' in player)) throw new Fault({ code: 'playback_refused', message: player.message });
    return new ReplayConnection(cassette, player, this.#options.onUnit ?? (() => {}));
  }

  // Nobody knows whose it was, so no cassette stays green: a product may swallow what it is told here (design rulings 7 and 15).
  #refuseStranger({ provider, agentSessionId }: ProcessSpec, why: string): Fault {
    const message = `Cannot start "${provider}": ${why}`;
    const divergence = createDivergence({ layer: 'transport', code: 'launch_unmatched', message, recorded: [...this.#byRoot.keys()].join(' | '), live: agentSessionId.trim() });
    for (const cassette of this.#byCassette.values()) cassette.refuseLaunch(divergence);
    return new Fault({ code: 'launch_unregistered', message });
  }

  #register({ cassetteId, rootAgentSessionId, tape }: ReplayRegistration): void {
    const { clock, timing, createBarrier, onProgress } = this.#options;
    const id = cassetteId.trim();
    const root = rootAgentSessionId.trim();
    if (id === '' || root === '') throw registrationFault('a cassette or root session id is blank');
    if (this.#byCassette.has(id)) throw registrationFault(`cassette "${id}" is there twice`);
    if (this.#byRoot.has(root)) throw registrationFault(`root session "${root}" is there twice`);
    const barrier = createBarrier?.(id) ?? new InputBarrier('strict');
    const playback = new PlaybackClock(clock, timing ?? 'instant');
    const cassette = new CassettePlayer({ tape, clock, playback, barrier, select: 'identity', ...(onProgress ? { onProgress } : {}) });
    this.#byCassette.set(id, cassette);
    this.#byRoot.set(root, cassette);
  }
}

class ReplayConnection implements ProcessConnection {
  readonly #cassette: CassettePlayer;
  readonly #player: ConnectionPlayer;
  readonly #onUnit: (unit: InputUnit) => void;
  readonly #closing = new AbortController();
  /** Taken from the tape while its lane was free, and not yet handed out. */
  #taken: PlayedFrame | null = null;

  constructor(cassette: CassettePlayer, player: ConnectionPlayer, onUnit: (unit: InputUnit) => void) {
    this.#cassette = cassette;
    this.#player = player;
    this.#onUnit = onUnit;
  }

  // One message is one chunk, whatever was sent at once (design ruling 1).
  async send(bytes: Buffer): Promise<void> {
    await Promise.all(messagesOf(bytes).map((message) => this.#player.send(message)));
  }

  async recv(signal?: AbortSignal): Promise<ProcessFrame | null> {
    const frame = await this.#nextFrame(signal);
    if (!frame) return null;
    const stamp: FrameStamp = { recordingId: '', connectionId: this.#connectionId, chunkSeq: frame.chunkIndex + 1 };
    return frame.kind === 'exit' ? { stamp, kind: 'exit', exitCode: frame.exitCode, message: frame.message } : { stamp, kind: frame.kind, bytes: frame.bytes };
  }

  // Admitted before and after: the tape may make a reader wait, and the lane may be held in that time.
  async #nextFrame(signal?: AbortSignal): Promise<PlayedFrame | null> {
    const { barrier } = this.#cassette;
    const stop = barrier.admit ? AbortSignal.any([this.#closing.signal, ...(signal ? [signal] : [])]) : signal;
    await barrier.admit?.(this.#connectionId, stop);
    if (barrier.admit && stop?.aborted) return null;
    this.#taken ??= await this.#player.recv(signal);
    await barrier.admit?.(this.#connectionId, stop);
    if (barrier.admit && stop?.aborted) return null;
    const frame = this.#taken;
    this.#taken = null;
    return frame;
  }

  async close(): Promise<void> {
    if (this.#closing.signal.aborted) return;
    this.#closing.abort();
    const { isDrained, cursor, lane } = this.#player;
    this.#player.close();
    if (!isDrained) throw new Fault({ code: 'playback_refused', message: `Cannot close ${this.#connectionId}: it consumed ${cursor} of ${lane.requiredCount} chunks, all were needed`, at: this.#connectionId });
  }

  closeInput(): void {
    this.#player.endInput('stdin-eof');
  }

  terminate(): void {
    this.#player.endInput('signal:SIGTERM');
  }

  kill(): void {
    this.#player.endInput('signal:SIGKILL');
  }

  async completeProviderInputUnit(unit: InputUnit): Promise<void> {
    // An end that no tape holds has no position.
    if (unit.position.connectionId === '' || unit.position.chunkSeq === 0) return;
    this.#cassette.progress();
    this.#onUnit(unit);
    try {
      await this.#cassette.barrier.complete(unit.position, this.#closing.signal);
    } catch (error) {
      reportOvershoot(this.#cassette, error);
      throw error;
    }
  }

  captureOrigin(): CaptureOrigin {
    return this.#player.lane.connection.captureOrigin;
  }

  get #connectionId(): string {
    return this.#player.lane.connection.connectionId;
  }
}

// A lane beyond its checkpoint is a verdict on the transport (design ruling 7); a wrong call is not.
function reportOvershoot(cassette: CassettePlayer, error: unknown): void {
  if (!isFault(error) || error.code !== 'checkpoint_provider_overshot') return;
  const { connectionId, chunkSeq, unitIndex } = error.facts as { connectionId: string; chunkSeq: number; unitIndex: number };
  cassette.register.report(createDivergence({ layer: 'transport', code: error.code, message: error.message, lane: connectionId, position: { connectionId, chunkSeq, unitIndex }, next: error.next }));
}

function registrationFault(is: string): Fault {
  return new Fault({ code: 'option_invalid', message: `Cannot register cassettes for replay: ${is}, each cassette and root session once was needed` });
}
