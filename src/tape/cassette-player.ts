/**
 * All recorded connections of one cassette: selection of a connection for a launch, rebinding, drain and what is missing
 * at the end (replay-runtime 2.3, 2.9; stand-in b2, b8; design ruling 7).
 */

import { writeJson, type Json } from '../core/json/exact.ts';
import type { Clock } from '../core/ports.ts';
import { createRoots } from '../core/projection/roots.ts';
import type { Root } from '../core/projection/rules.ts';
import { Change } from '../core/signal.ts';
import { homeToken } from '../core/portable-path.ts';
import { isPlain } from '../core/tape/manifest.ts';
import type { Lane, RecordedOutbound } from '../core/tape/lane.ts';
import { DivergenceRegister, type Divergence } from '../core/verdict/divergence.ts';
import { describe } from './describe.ts';
import type { LoadedTape } from './load.ts';
import type { LaneBarrier } from './input-barrier.ts';
import { isProbe } from './lane-indexer.ts';
import { PlaybackClock } from './playback-clock.ts';
import { ConnectionPlayer } from './player.ts';
import { goOnAlike, placeOn, requiredOutbound } from './rebind.ts';

export type LaunchRequest = {
  provider: string;
  argv: readonly string[];
  agentSessionId: string;
  rootAgentSessionId: string;
  /** The project folder behind the cwd token: registered, or the launch's own. */
  cwds: string[];
  homes: string[];
  answered?: readonly string[];
};

type Launched = { player: ConnectionPlayer; isProvisional: boolean };

export class CassettePlayer {
  readonly tape: LoadedTape;
  readonly register: DivergenceRegister;
  readonly playback: PlaybackClock;
  readonly barrier: LaneBarrier;
  readonly #clock: Clock;
  readonly #launched: Launched[] = [];
  readonly #launchCounts = new Map<string, number>();
  readonly #sessions = new Map<string, string>();
  readonly #select: 'identity' | 'content';
  readonly #onProgress: () => void;
  #lastProgressMs: number;
  #isLeft = false;
  #arrived = 0;
  #refused = 0;

  /** `select: 'identity'` is the contract's (session, provider, ordinal); `'content'` is the stand-in's, by what is sent. */
  constructor(options: { tape: LoadedTape; clock: Clock; playback: PlaybackClock; barrier: LaneBarrier; select: 'identity' | 'content'; register?: DivergenceRegister; onProgress?: () => void }) {
    this.tape = options.tape;
    this.#clock = options.clock;
    this.playback = options.playback;
    this.barrier = options.barrier;
    this.#select = options.select;
    this.#onProgress = options.onProgress ?? (() => {});
    this.register = options.register ?? new DivergenceRegister(() => options.clock.now());
    this.#lastProgressMs = options.clock.now();
    this.register.onFirst(() => this.moved.announce());
  }

  get lanes(): Lane[] {
    return this.tape.lanes.filter((lane) => lane.speaksProtocol);
  }

  get players(): ConnectionPlayer[] {
    return this.#launched.map((launched) => launched.player);
  }

  get launches(): { expected: number; arrived: number; refused: number } {
    return { expected: this.lanes.filter((lane) => !isOptional(lane)).length, arrived: this.#arrived, refused: this.#refused };
  }

  /** Milliseconds since any lane moved. */
  get idleMs(): number {
    return this.#clock.now() - this.#lastProgressMs;
  }

  /** Wakes whoever waits for something to happen. */
  readonly moved = new Change();

  progress(): void {
    this.#lastProgressMs = this.#clock.now();
    this.#onProgress();
    this.moved.announce();
  }

  /** A launch that can send no more although its tape expects it to. */
  get isBroken(): boolean {
    return this.players.some((player) => player.endedBy !== null && !player.isDrained && player.isAtOutbound);
  }

  /** The player for a launch, or the divergence that refuses it. */
  launch(request: LaunchRequest): ConnectionPlayer | Divergence {
    this.progress();
    this.#arrived++;
    if (this.register.first) return this.#refuse(this.register.first);
    const lane = this.#select === 'identity' ? this.#laneByIdentity(request) : this.#laneByOrder(request);
    if (!lane) return this.#refuse(describe.unmatchedLaunch(request, this.lanes));
    const launched: Launched = {
      isProvisional: this.#select === 'content',
      player: new ConnectionPlayer({
        lane,
        folder: this.tape.folder,
        clock: this.#clock,
        playback: this.playback,
        register: this.register,
        rootsFor: (bound) => liveRoots(bound, request),
        rebind: (message) => this.#rebind(launched, message),
        onProgress: () => this.progress(),
        onMatched: () => this.#decide(launched),
        onBroken: () => this.#reportBroken(),
        ...(request.answered ? { answered: request.answered } : {}),
      }),
    };
    this.#launched.push(launched);
    return launched.player;
  }

  /** A launch that belongs to no session of this tape is one too many, whatever the product makes of the refusal. */
  refuseLaunch(divergence: Divergence): Divergence {
    this.progress();
    this.#arrived++;
    return this.#refuse(divergence);
  }

  /** A launch that speaks no protocol: the recorded one with equal arguments, as often as it is asked for. */
  plainLane(request: { provider: string; argv: readonly string[] }): Lane | null {
    return this.tape.lanes.find((lane) => isPlain(lane.connection) && isSameShape(lane, request)) ?? null;
  }


  get isDrained(): boolean {
    return this.lanes.every((lane) => isOptional(lane) || this.#playerOf(lane) !== null) && this.players.every((player) => player.isDrained);
  }

  /** The run is being ended by us: that a product leaves now says nothing about it. */
  leave(): void {
    this.#isLeft = true;
  }

  #reportBroken(): void {
    const missing = this.#isLeft ? null : this.findMissing();
    if (missing) this.register.report(missing);
  }

  /**
   * What is missing now that nothing moves any more: the earliest place in tape order (design ruling 7). A connection that is
   * held waits for nobody who could be missing; what it was sent meanwhile is too much there.
   */
  findMissing(isHeld: (connectionId: string) => boolean = () => false): Divergence | null {
    if (this.register.first) return this.register.first;
    const stuck = this.lanes.flatMap((lane) => {
      const player = this.#playerOf(lane);
      if (isHeld(lane.connection.connectionId)) return surplusOf(lane, player);
      if (!player) return isOptional(lane) ? [] : [{ globalSeq: lane.chunks[0]?.globalSeq ?? 0, divergence: describe.notSelected(lane) }];
      if (player.isDrained) return [];
      return [{ globalSeq: lane.chunks[player.cursor]?.globalSeq ?? Infinity, divergence: stuckAt(lane, player) }];
    });
    stuck.sort((a, b) => a.globalSeq - b.globalSeq);
    return stuck[0]?.divergence ?? null;
  }

  close(): void {
    for (const player of this.players) player.close();
  }

  #playerOf(lane: Lane): ConnectionPlayer | null {
    return this.players.find((player) => player.lane === lane) ?? null;
  }

  #refuse(divergence: Divergence): Divergence {
    this.#refused++;
    return this.register.report(divergence);
  }

  #laneByIdentity(request: LaunchRequest): Lane | null {
    const session = request.agentSessionId.trim();
    const root = request.rootAgentSessionId.trim() || session;
    const countKey = `${session}\n${request.provider.trim().toLowerCase()}`;
    const ordinal = (this.#launchCounts.get(countKey) ?? 0) + 1;
    this.#launchCounts.set(countKey, ordinal);
    const recordedSession = this.#sessions.get(session) ?? session;
    const recordedRoot = this.#sessions.get(root) ?? root;
    const fits = (lane: Lane) => lane.connection.provider.trim().toLowerCase() === request.provider.trim().toLowerCase() && lane.connection.launchOrdinal === ordinal && !this.#playerOf(lane);
    const exact = this.lanes.find((lane) => fits(lane) && lane.connection.agentSessionId.trim() === recordedSession);
    if (exact) return exact.connection.rootAgentSessionId.trim() === recordedRoot ? exact : null;
    if (session !== root) return null;
    const roots = this.lanes.filter((lane) => fits(lane) && lane.connection.agentSessionId === lane.connection.rootAgentSessionId);
    const only = roots.length === 1 ? roots[0] : undefined;
    if (!only) return null;
    this.#sessions.set(session, only.connection.agentSessionId);
    return only;
  }

  #laneByOrder(request: LaunchRequest): Lane | null {
    return this.lanes.find((lane) => !this.#playerOf(lane) && isSameShape(lane, request)) ?? null;
  }

  async #rebind(launched: Launched, message: Json): Promise<boolean> {
    if (!launched.isProvisional) return false;
    const { player } = launched;
    const found = this.#candidates(launched).flatMap((lane) => {
      const place = this.#place(launched, lane, message);
      return place ? [{ lane, place }] : [];
    });
    const best = found[0];
    if (!best) return false;
    const others = found.slice(1).filter((other) => !goOnAlike(best.lane, other.lane, countOf(player)));
    if (others.length > 0) {
      this.#refuse(describe.ambiguousLaunch(player.lane, [best.lane, ...others.map((other) => other.lane)], message));
      return false;
    }
    const holder = this.#launched.find((other) => other.player.lane === best.lane);
    if (holder && !this.#swap(holder, launched)) return false;
    player.moveTo({ lane: best.lane, ...best.place });
    this.progress();
    return true;
  }

  // The launch that stood there takes the place that becomes free.
  #swap(holder: Launched, launched: Launched): boolean {
    const place = this.#place(holder, launched.player.lane, null);
    if (!place) return false;
    holder.player.moveTo({ lane: launched.player.lane, ...place });
    return true;
  }

  #candidates(launched: Launched): Lane[] {
    const { connection } = launched.player.lane;
    return this.lanes.filter((lane) => {
      if (lane === launched.player.lane || !isSameShape(lane, { provider: connection.provider, argv: connection.argv ?? [] })) return false;
      const holder = this.#launched.find((other) => other.player.lane === lane);
      return !holder || holder.isProvisional;
    });
  }

  #place(launched: Launched, to: Lane, next: Json | null) {
    const { player } = launched;
    return placeOn({ from: player.lane, to, folder: this.tape.folder, cursor: player.cursor, sent: player.sent, next, roots: player.rootsOf(to), liveToFrom: player.liveToLane });
  }

  // A launch stays provisional until it has sent something that no other candidate has.
  #decide(launched: Launched): void {
    if (!launched.isProvisional) return;
    const { player } = launched;
    const last = countOf(player) - 1;
    if (last < 0) return;
    const mine = requiredOutbound(player.lane)[last];
    const isShared = this.#candidates(launched).some((lane) => isSameMessage(mine, requiredOutbound(lane)[last], lane));
    if (!isShared) launched.isProvisional = false;
  }
}

// Messages sent so far that count for finding a connection.
function countOf(player: ConnectionPlayer): number {
  return player.sent.filter((message) => !isProbe([message], player.lane.adapter)).length;
}

/** A connection of probes alone may stay away (replay-runtime 2.3). */
export function isOptional(lane: Lane): boolean {
  if (isPlain(lane.connection)) return true;
  if (lane.connection.launchOrdinal <= 1) return false;
  const probes = lane.outbound.filter((outbound) => isProbe(outbound.values, lane.adapter));
  const isQuiet = lane.outbound.every((outbound) => isProbe(outbound.values, lane.adapter) || isGreeting(outbound, lane));
  return probes.length > 0 && isQuiet;
}

function isGreeting(outbound: RecordedOutbound, lane: Lane): boolean {
  return outbound.values?.every((value) => {
    const shape = lane.adapter.shapeOf(value);
    return 'method' in shape && (shape.method === 'initialize' || shape.method === 'initialized');
  }) ?? false;
}

function isSameMessage(a: RecordedOutbound | undefined, b: RecordedOutbound | undefined, lane: Lane): boolean {
  const key = (outbound: RecordedOutbound | undefined) => writeJson((outbound?.values ?? []).map((value) => lane.adapter.mask(value))).replaceAll(/\$\{SESSION_CWD:[^}]*\}/g, '');
  return a !== undefined && b !== undefined && key(a) === key(b);
}

// A tape without arguments (in-process recordings) fits every launch of its provider.
function isSameShape(lane: Lane, request: { provider: string; argv: readonly string[] }): boolean {
  const { provider, argv } = lane.connection;
  if (provider.trim().toLowerCase() !== request.provider.trim().toLowerCase()) return false;
  const neutral = (arg: string | undefined) => arg?.replaceAll(/\$\{SESSION_CWD:[^}]*\}/g, '${SESSION_CWD}');
  return argv === undefined || (argv.length === request.argv.length && argv.every((arg, i) => neutral(arg) === neutral(request.argv[i])));
}

function liveRoots(lane: Lane, request: LaunchRequest): Root[] {
  return createRoots({ cwds: request.cwds, cwdToken: lane.connection.cwdToken, homes: request.homes, homeToken });
}

function surplusOf(lane: Lane, player: ConnectionPlayer | null): { globalSeq: number; divergence: Divergence }[] {
  const divergence = player?.surplus;
  return player && divergence ? [{ globalSeq: lane.chunks[player.cursor]?.globalSeq ?? Infinity, divergence }] : [];
}

function stuckAt(lane: Lane, player: ConnectionPlayer): Divergence {
  const chunk = lane.chunks[player.cursor];
  const expected = lane.outbound[player.outboundCount];
  return chunk?.kind === 'outbound' && expected ? describe.missing(lane, expected) : describe.notDrained(lane, player.cursor);
}

