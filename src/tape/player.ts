/**
 * Plays one recorded connection: a send must match before recorded inbound goes on (replay-runtime 2.4 to 2.6).
 * The order inside a connection is strict. What goes wrong first is reported to the register and stays.
 */

import { Fault } from '../core/fault.ts';
import { parseJson, parseJsonSequence, writeJson, type Json } from '../core/json/exact.ts';
import { limits } from '../core/limits.ts';
import type { Clock } from '../core/ports.ts';
import type { Root } from '../core/projection/rules.ts';
import { replaceTokensInText } from '../core/projection/roots.ts';
import type { MatchState } from '../core/provider/adapter.ts';
import { Change } from '../core/signal.ts';
import type { ChunkKind } from '../core/tape/chunk.ts';
import { endsInChangingLine, holdsChangingLine, type Lane, type RecordedOutbound } from '../core/tape/lane.ts';
import type { Difference } from '../core/json/compare.ts';
import type { DivergenceRegister } from '../core/verdict/divergence.ts';
import { isProbe } from './lane-indexer.ts';
import { LaneReader } from './lane-reader.ts';
import { describe } from './describe.ts';
import type { PlaybackClock, PlaybackCursor } from './playback-clock.ts';

export type PlayedOutput = { kind: 'stdout' | 'stderr'; chunkIndex: number; bytes: Buffer };
export type PlayedFrame =
  | PlayedOutput
  | { kind: 'exit'; chunkIndex: number; exitCode: number; message: string | null };

export type SendOutcome = 'matched' | 'absorbed' | 'refused';

/** What went over a connection so far; a rebind needs it (stand-in b2). */
export type SentMessage = { live: Json; recordedAt: number };

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
  readonly #answered: Set<string>;
  #lane: Lane;
  #reader: LaneReader;
  #roots: Root[];
  #cursorTime: PlaybackCursor;
  #cursor = 0;
  #outboundCount = 0;
  #state: MatchState = { requestIds: new Map(), identities: new Map() };
  /** Live id → id on the lane bound now, after a rebind; and back. */
  #toLane: ReadonlyMap<string, string> = new Map();
  #toLive: ReadonlyMap<string, string> = new Map();
  #held: Buffer[] = [];
  #skipped = new Set<string>();
  #isSkipping = false;
  #isClosed = false;
  #endedBy: string | null = null;
  #sendsWaiting = 0;
  readonly sent: SentMessage[] = [];
  counts = { matched: 0, absorbed: 0, delivered: 0 };

  constructor(options: PlayerOptions) {
    this.#options = options;
    this.#lane = options.lane;
    this.#reader = new LaneReader(options);
    this.#roots = options.rootsFor(options.lane);
    this.#cursorTime = options.playback.createCursor();
    this.#answered = new Set(options.answered);
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

  /** Everything that had to be read has been read. */
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
        await this.#change.next();
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
    this.#reader.close();
    this.#change.announce();
  }

  /** Moves this launch to another recorded connection; ids that were given out stay valid and are translated. */
  moveTo(options: { lane: Lane; cursor: number; outboundCount: number; state: MatchState; toLane: ReadonlyMap<string, string> }): void {
    this.#lane = options.lane;
    this.#reader.close();
    this.#reader = new LaneReader({ lane: options.lane, folder: this.#options.folder });
    this.#roots = this.#options.rootsFor(options.lane);
    this.#cursor = options.cursor;
    this.#outboundCount = options.outboundCount;
    this.#state = options.state;
    this.#held = [];
    this.#skipped.clear();
    this.#toLane = options.toLane;
    this.#toLive = new Map([...options.toLane].map(([live, recorded]) => [recorded, live]));
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
    for (const live of values) this.sent.push({ live, recordedAt: this.#outboundCount });
    this.#outboundCount++;
    this.counts.matched++;
    this.#isSkipping = false;
    this.#advance(expected.chunkIndex);
    if (values.length > 0) this.#options.onMatched?.();
    return null;
  }

  #skip(expected: RecordedOutbound): void {
    const shape = this.#lane.adapter.shapeOf(expected.values?.[0] ?? null);
    if (shape.type === 'request') this.#skipped.add(writeJson(shape.id));
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
    const bytes = this.#resolve(chunkIndex, kind);
    this.counts.delivered++;
    this.#advance(chunkIndex);
    if (bytes.length === 0) return null;
    this.#isSkipping = false;
    return { kind, chunkIndex, bytes };
  }

  // Most bytes pass as they are: only lines that hold a token, a response id or a generated identity are read (stand-in b17).
  #resolve(chunkIndex: number, kind: ChunkKind): Buffer {
    const data = this.#reader.read(chunkIndex);
    const { flags } = this.#lane.chunks[chunkIndex]!;
    if (kind === 'stderr' || !this.#lane.speaksProtocol) return (flags & holdsChangingLine) === 0 ? data : Buffer.from(replaceTokensInText(data.toString(), this.#roots));
    if (flags === 0 && this.#toLive.size === 0) return data;
    const text = Buffer.concat([...this.#held, data]);
    this.#held = [];
    const out: Buffer[] = [];
    let start = 0;
    for (let at = text.indexOf(10); at >= 0; at = text.indexOf(10, start)) {
      out.push(this.#resolveLine(text.subarray(start, at + 1)));
      start = at + 1;
    }
    const rest = text.subarray(start);
    if ((flags & endsInChangingLine) !== 0 || this.#toLive.size > 0) this.#held = rest.length > 0 ? [Buffer.from(rest)] : [];
    else out.push(rest);
    return Buffer.concat(out);
  }

  #resolveLine(line: Buffer): Buffer {
    const text = line.toString();
    const { adapter } = this.#lane;
    if (!adapter.mayChange(text) && this.#toLive.size === 0) return line;
    const message = parseJson(text);
    if (message === undefined) return line;
    const shape = adapter.shapeOf(message);
    if (shape.type === 'response' && this.#skipped.delete(writeJson(shape.id))) return Buffer.alloc(0);
    const resolved = translate(adapter.resolve({ message, roots: this.#roots, state: this.#state }), this.#toLive);
    const live = adapter.shapeOf(resolved);
    if (live.type === 'response' && this.#answered.delete(writeJson(live.id))) return Buffer.alloc(0);
    return resolved === message ? line : Buffer.from(`${writeJson(resolved)}\n`);
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

/** Ids exchanged wherever a string equals one; nothing else is touched. */
export function translate(value: Json, ids: ReadonlyMap<string, string>): Json {
  if (ids.size === 0) return value;
  if (typeof value === 'string') return ids.get(value) ?? value;
  if (Array.isArray(value)) return value.map((item) => translate(item, ids));
  if (typeof value !== 'object' || value === null || 'rawJSON' in value) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, translate(item, ids)]));
}


function closedPipe(lane: Lane): Fault {
  return new Fault({ code: 'playback_refused', message: `Cannot send to ${lane.connection.connectionId}: it is closed, an open connection was needed` });
}
