/**
 * Plays one recorded connection: a send must match before recorded inbound goes on (replay-runtime 2.4 to 2.6).
 * The order inside a connection is strict. What goes wrong first is reported to the register and stays.
 */

import { Fault } from '../core/fault.ts';
import { parseJsonSequence, type Json } from '../core/json/exact.ts';
import { limits } from '../core/limits.ts';
import type { Clock } from '../core/ports.ts';
import type { Root } from '../core/projection/rules.ts';
import type { MatchState } from '../core/provider/adapter.ts';
import { Change } from '../core/signal.ts';
import type { Lane, RecordedOutbound } from '../core/tape/lane.ts';
import type { Difference } from '../core/json/compare.ts';
import type { Divergence, DivergenceRegister } from '../core/verdict/divergence.ts';
import { isProbe } from './lane-indexer.ts';
import { InboundResolver, translate } from './inbound-resolver.ts';
import { describe } from './describe.ts';
import type { PlaybackClock, PlaybackCursor } from './playback-clock.ts';

export type PlayedOutput = { kind: 'stdout' | 'stderr'; chunkIndex: number; bytes: Buffer };
export type PlayedFrame =
  | PlayedOutput
  | { kind: 'exit'; chunkIndex: number; exitCode: number; message: string | null };

export type SendOutcome = 'matched' | 'absorbed' | 'refused';

export type PlayerOptions = {
  lane: Lane;
  folder: string;
  clock: Clock;
  playback: PlaybackClock;
  register: DivergenceRegister;
  /** Live folders for the tokens of a lane. */
  rootsFor: (lane: Lane) => Root[];
  /** Tries another recorded connection for a message that does not fit here; `true` when the player was moved. */
  rebind?: (message: Json) => Promise<boolean>;
  onProgress?: () => void;
  onMatched?: () => void;
  /** The product left while its tape still awaits it: nothing it lacks can come any more. */
  onBroken?: () => void;
  /** Request ids, as JSON text, that somebody else has answered already. */
  answered?: readonly string[];
};

export class ConnectionPlayer {
  readonly #options: PlayerOptions;
  readonly #change = new Change();
  readonly #inbound: InboundResolver;
  #lane: Lane;
  #roots: Root[];
  #cursorTime: PlaybackCursor;
  #cursor = 0;
  #outboundCount = 0;
  #state: MatchState = { requestIds: new Map(), identities: new Map() };
  /** Live id → id on the lane bound now, after a rebind. */
  #toLane: ReadonlyMap<string, string> = new Map();
  #isSkipping = false;
  #isClosed = false;
  #endedBy: string | null = null;
  #sendsWaiting = 0;
  /** What they want to say, in their order. */
  readonly #early: { values: Json[] | undefined; bytes: Buffer }[] = [];
  /** What was matched on this connection so far; a rebind needs it (stand-in b2). */
  readonly sent: Json[] = [];
  counts = { matched: 0, absorbed: 0, delivered: 0 };
  /** Bytes that were given out; whether the product has them, the transport knows. */
  deliveredBytes = 0;

  constructor(options: PlayerOptions) {
    this.#options = options;
    this.#lane = options.lane;
    this.#roots = options.rootsFor(options.lane);
    this.#inbound = new InboundResolver({ lane: options.lane, folder: options.folder, roots: this.#roots, answered: options.answered ?? [] });
    this.#cursorTime = options.playback.createCursor();
    options.register.onFirst(() => this.#change.announce());
  }

  get lane(): Lane {
    return this.#lane;
  }

  get cursor(): number {
    return this.#cursor;
  }

  get outboundCount(): number {
    return this.#outboundCount;
  }

  get state(): MatchState {
    return this.#state;
  }

  get endedBy(): string | null {
    return this.#endedBy;
  }

  /** Stands where the product has to send; a probe may stay away. */
  get isAtOutbound(): boolean {
    return this.#sendsWaiting === 0 && this.#isAtRequiredOutbound();
  }

  /** Everything that had to be given out has been given out. Over a pipe it is still under way then. */
  get isDrained(): boolean {
    return this.#cursor >= this.#lane.requiredCount && this.#sendsWaiting === 0;
  }

  /** Sends one message; resolves when it was matched or absorbed, and throws the refusal otherwise. */
  async send(bytes: Buffer): Promise<SendOutcome> {
    this.#sendsWaiting++;
    try {
      return await this.#send(bytes);
    } finally {
      this.#sendsWaiting--;
      this.#change.announce();
      // A tape that ends with a send is drained only now.
      this.#options.onProgress?.();
    }
  }

  async #send(bytes: Buffer): Promise<SendOutcome> {
    const values = parseJsonSequence(bytes.toString());
    for (;;) {
      if (this.#isClosed) throw closedPipe(this.#lane);
      this.#throwIfDiverged();
      const chunk = this.#lane.chunks[this.#cursor];
      const isProbing = isProbe(values, this.#lane.adapter);
      if (!chunk || this.#isGated()) {
        if (isProbing) return this.#absorb();
        return this.#refuse(describe.extra(this.#lane, this.#cursor, values, bytes));
      }
      if (chunk.kind !== 'outbound') {
        if (isProbing) return this.#absorb();
        await this.#awaitInbound({ values, bytes });
        continue;
      }
      const expected = this.#lane.outbound[this.#outboundCount] as RecordedOutbound;
      const difference = this.#tryMatch(expected, values, bytes);
      if (difference === null) return 'matched';
      if (isProbe(expected.values, this.#lane.adapter)) {
        this.#skip(expected);
        continue;
      }
      if (isProbing) return this.#absorb();
      const first = values?.[0];
      if (first !== undefined && this.#options.rebind && (await this.#options.rebind(first))) continue;
      return this.#refuse(describe.mismatch({ lane: this.#lane, expected, live: values, bytes, difference }));
    }
  }

  /** The first message that waits for recorded inbound to go on, as what nobody recorded here; for when nothing goes on any more. */
  get surplus(): Divergence | null {
    const [first] = this.#early;
    return first ? describe.extra(this.#lane, this.#cursor, first.values, first.bytes) : null;
  }

  async #awaitInbound(message: { values: Json[] | undefined; bytes: Buffer }): Promise<void> {
    this.#early.push(message);
    await this.#change.next();
    this.#early.splice(this.#early.indexOf(message), 1);
  }

  /** The next recorded frame; `null` at the end. A tape without an exit keeps the connection open. */
  async recv(signal?: AbortSignal): Promise<PlayedFrame | null> {
    for (;;) {
      if (this.#isClosed || signal?.aborted) return null;
      const chunk = this.#lane.chunks[this.#cursor];
      const early = this.#earlyEnd();
      if (early) return early;
      if (!chunk) {
        if (this.#lane.exit) return null;
        await this.#change.next(signal);
        continue;
      }
      if (this.#options.register.first) {
        await this.#change.next(signal);
        continue;
      }
      if (chunk.kind === 'outbound') {
        await this.#awaitSend(signal);
        continue;
      }
      if (this.#isGated()) {
        await this.#change.next(signal);
        continue;
      }
      const frame = await this.#deliver(this.#cursor, signal);
      if (frame) return frame;
    }
  }

  /** The kind of the next frame where nothing has to be waited for: output of an instant replay, before anything went wrong. */
  get readyKind(): PlayedOutput['kind'] | null {
    const chunk = this.#lane.chunks[this.#cursor];
    const isFree = !this.#isClosed && this.#endedBy === null && this.#options.playback.isFastForward && this.#options.register.first === null;
    if (!isFree || !chunk || this.#cursor >= this.#lane.requiredCount) return null;
    return chunk.kind === 'stdout' || chunk.kind === 'stderr' ? chunk.kind : null;
  }

  /** That frame, at once; `null` where nothing of it reaches the product. */
  takeReady(): PlayedOutput | null {
    return this.readyKind === null ? null : this.#handOut(this.#cursor);
  }

  /** The product closed its pipe or signalled (stand-in b3). */
  endInput(cause: string): void {
    this.#endedBy ??= cause;
    this.#change.announce();
  }

  close(): void {
    this.#isClosed = true;
    this.#inbound.close();
    this.#change.announce();
  }

  /** Moves this launch to another recorded connection; ids that were given out stay valid and are translated. */
  moveTo(options: { lane: Lane; cursor: number; outboundCount: number; state: MatchState; toLane: ReadonlyMap<string, string> }): void {
    this.#lane = options.lane;
    this.#roots = this.#options.rootsFor(options.lane);
    this.#cursor = options.cursor;
    this.#outboundCount = options.outboundCount;
    this.#state = options.state;
    this.#toLane = options.toLane;
    this.#inbound.bind({ lane: options.lane, roots: this.#roots, toLive: new Map([...options.toLane].map(([live, recorded]) => [recorded, live])) });
    this.#change.announce();
  }

  rootsOf(lane: Lane): Root[] {
    return this.#options.rootsFor(lane);
  }

  get liveToLane(): ReadonlyMap<string, string> {
    return this.#toLane;
  }

  /** A live message in the ids of the lane bound now. */
  toLaneIds(message: Json): Json {
    return translate(message, this.#toLane);
  }

  #tryMatch(expected: RecordedOutbound, values: Json[] | undefined, bytes: Buffer): Difference | null {
    if (!values || !expected.values || values.length !== expected.values.length) {
      if (bytes.equals(expected.bytes)) return this.#commit(expected, [], this.#state);
      return { path: '$', recorded: expected.bytes.toString(), live: bytes.toString() };
    }
    let state = this.#state;
    for (const [i, recorded] of expected.values.entries()) {
      const result = this.#lane.adapter.match({ recorded, live: this.toLaneIds(values[i] as Json), roots: this.#roots, state });
      if (!result.matches) return result.difference;
      state = result.state;
    }
    return this.#commit(expected, values, state);
  }

  // What a message taught is kept only when the whole message matched.
  #commit(expected: RecordedOutbound, values: Json[], state: MatchState): null {
    this.#state = state;
    this.sent.push(...values);
    this.#outboundCount++;
    this.counts.matched++;
    this.#isSkipping = false;
    this.#advance(expected.chunkIndex);
    if (values.length > 0) this.#options.onMatched?.();
    return null;
  }

  #skip(expected: RecordedOutbound): void {
    const shape = this.#lane.adapter.shapeOf(expected.values?.[0] ?? null);
    if (shape.type === 'request') this.#inbound.suppressAnswer(shape.id);
    this.#outboundCount++;
    this.#advance(expected.chunkIndex);
  }

  #absorb(): SendOutcome {
    this.counts.absorbed++;
    this.#options.onProgress?.();
    return 'absorbed';
  }

  #refuse(divergence: Parameters<DivergenceRegister['report']>[0]): never {
    this.#options.register.report(divergence);
    return this.#throwIfDiverged() as never;
  }

  #throwIfDiverged(): void {
    const first = this.#options.register.first;
    if (first) throw new Fault({ code: 'playback_refused', message: first.message, at: this.#lane.connection.connectionId });
  }

  // A recorded probe is waited for shortly, once for each run of probes, and then skipped (replay-runtime 2.6).
  async #awaitSend(signal?: AbortSignal): Promise<void> {
    const expected = this.#lane.outbound[this.#outboundCount] as RecordedOutbound;
    if (!isProbe(expected.values, this.#lane.adapter)) return this.#change.next(signal);
    if (!this.#isSkipping) {
      const before = this.#cursor;
      const lane = this.#lane;
      const stop = new AbortController();
      const cancel = this.#options.clock.after(limits.probeGraceMs, () => stop.abort());
      await this.#change.next(signal ? AbortSignal.any([signal, stop.signal]) : stop.signal);
      cancel();
      if (this.#lane !== lane || this.#cursor !== before || signal?.aborted || !stop.signal.aborted) return;
    }
    this.#isSkipping = true;
    this.#skip(expected);
  }

  async #deliver(chunkIndex: number, signal?: AbortSignal): Promise<PlayedFrame | null> {
    const lane = this.#lane;
    const chunk = lane.chunks[chunkIndex]!;
    // What the product brought about by leaving comes when it leaves, whenever that was recorded.
    if (chunkIndex < this.#lane.requiredCount) await this.#cursorTime.waitUntil(chunk.elapsedMs, signal);
    // While it waited, this launch may have been moved to another lane at the same index.
    if (signal?.aborted || this.#isClosed || this.#lane !== lane || this.#cursor !== chunkIndex || this.#options.register.first) return null;
    if (chunk.kind !== 'exit') return this.#handOut(chunkIndex);
    this.counts.delivered++;
    this.#advance(chunkIndex);
    return { kind: 'exit', chunkIndex, exitCode: this.#lane.exit?.exitCode ?? 0, message: this.#lane.exit?.message ?? null };
  }

  #handOut(chunkIndex: number): PlayedOutput | null {
    const kind = this.#lane.chunks[chunkIndex]!.kind as PlayedOutput['kind'];
    const bytes = this.#inbound.read(chunkIndex, this.#state);
    this.counts.delivered++;
    this.deliveredBytes += bytes.length;
    this.#advance(chunkIndex);
    if (bytes.length === 0) return null;
    this.#isSkipping = false;
    return { kind, chunkIndex, bytes };
  }

  #advance(chunkIndex: number): void {
    this.#cursorTime.jumpTo(this.#lane.chunks[chunkIndex]?.elapsedMs ?? 0);
    this.#cursor = chunkIndex + 1;
    this.#change.announce();
    this.#options.onProgress?.();
  }

  // Behind the point where the recorded product left, nothing comes before the live one leaves too (stand-in b3).
  #isGated(): boolean {
    return this.#endedBy === null && this.#cursor >= this.#lane.requiredCount && this.#cursor < this.#lane.chunks.length;
  }

  #isAtRequiredOutbound(): boolean {
    if (this.#lane.chunks[this.#cursor]?.kind !== 'outbound') return false;
    return !isProbe(this.#lane.outbound[this.#outboundCount]?.values, this.#lane.adapter);
  }

  // A process whose product left must end also where the tape does not: else a product that waits for it hangs (stand-in c2).
  #earlyEnd(): PlayedFrame | null {
    if (this.#endedBy === null || this.#sendsWaiting > 0) return null;
    const chunk = this.#lane.chunks[this.#cursor];
    const isTimed = !this.#options.playback.isFastForward && this.#cursor < this.#lane.requiredCount;
    const isStuck = this.#options.register.first !== null || !chunk || this.#isAtRequiredOutbound() || isTimed;
    if (!isStuck || (!chunk && this.#lane.exit)) return null;
    if (chunk && this.#cursor < this.#lane.requiredCount) this.#options.onBroken?.();
    this.#isClosed = true;
    return { kind: 'exit', chunkIndex: -1, exitCode: this.#lane.exit?.exitCode ?? 0, message: this.#endedBy };
  }
}

function closedPipe(lane: Lane): Fault {
  return new Fault({ code: 'playback_refused', message: `Cannot send to ${lane.connection.connectionId}: it is closed, an open connection was needed` });
}
