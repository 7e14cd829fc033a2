/** One launch in replay mode: bytes of the product go to a player, recorded bytes come back; nothing is ever started. */

import { isFault } from '../core/fault.ts';
import { parseJson, writeJson, type Json } from '../core/json/exact.ts';
import { limits } from '../core/limits.ts';
import { isBlank, LineSplitter } from '../core/lines.ts';
import type { UnitPosition } from '../core/ports.ts';
import { createRoots, toToken } from '../core/projection/roots.ts';
import type { ProviderAdapter } from '../core/provider/adapter.ts';
import { wireKinds, type Hello } from '../core/shim/wire.ts';
import { homeToken } from '../core/portable-path.ts';
import { wrapSessionId } from '../core/tape/manifest.ts';
import type { Divergence } from '../core/verdict/divergence.ts';
import { Change } from '../core/signal.ts';
import type { CassettePlayer } from './cassette-player.ts';
import { describe } from './describe.ts';
import { LaneReader } from './lane-reader.ts';
import type { ConnectionPlayer, PlayedOutput } from './player.ts';
import type { OpenSession, SessionEvents, SessionLink } from './stand-in-server.ts';

export type ReplayHost = {
  cassette: CassettePlayer;
  findProvider: (name: string) => ProviderAdapter | null;
  cwds: string[];
  /** Called with each message of the product, in order. */
  onSent?: (message: Json) => void;
  onSession?: (session: ReplaySession) => void;
  /** A product that sends is past the point where a spec parked the tape (stand-in b10). */
  onProductSent?: () => void;
};

export type ReplaySession = {
  /** Ends the stand-in with the recorded exit code, else 0. */
  end: () => void;
  isOpen: () => boolean;
  /** Whether the product has everything that its tape gave out so far: handled means written to it (stand-in b10). */
  isHeard: () => boolean;
  /** What names the first chunk that it does not have. */
  describeUnheard: () => Divergence;
};

export function createReplaySessions(host: ReplayHost): OpenSession {
  return (hello, link) => {
    const adapter = host.findProvider(hello.provider);
    const homes = [...(adapter?.homeEnv ?? []), 'HOME', 'USERPROFILE'].flatMap((name) => (hello.env[name] ? [hello.env[name]] : []));
    const cwds = host.cwds.length > 0 ? host.cwds : [hello.cwd];
    const roots = createRoots({ cwds, cwdToken: cwdAnyToken, homes, homeToken });
    const argv = hello.argv.map((arg) => toToken(arg, roots));
    if (adapter && !adapter.speaksProtocol(hello.argv)) return playPlain({ host, hello, link, argv });
    const player = host.cassette.launch({ provider: hello.provider, argv, agentSessionId: wrapSessionId, rootAgentSessionId: wrapSessionId, cwds, homes, answered: hello.answered });
    if (!('send' in player)) {
      link.refuse({ message: player.message, exitCode: limits.exitRefused });
      return silent;
    }
    link.accept({ mode: 'replay' });
    const session = new PumpedSession(host, link, player);
    host.onSession?.(session);
    return session.events;
  };
}

class PumpedSession implements ReplaySession {
  readonly #host: ReplayHost;
  readonly #link: SessionLink;
  readonly #player: ConnectionPlayer;
  readonly #lines = new LineSplitter();
  readonly #stop = new AbortController();
  readonly #acked = new Change();
  #sends: Promise<void> = Promise.resolve();
  #sentBytes = 0;
  #writtenBytes = 0;
  /** Bytes of the tape, answers of ours not counted: handed to the link, and written to the product. */
  #givenBytes = 0;
  #heardBytes = 0;
  #inFlight: { byteCount: number; endBytes: number; position: UnitPosition }[] = [];
  #isEnding = false;
  #isGone = false;
  /** The product's unfinished line is over its limit: nothing more is read. */
  #isDeaf = false;

  constructor(host: ReplayHost, link: SessionLink, player: ConnectionPlayer) {
    this.#host = host;
    this.#link = link;
    this.#player = player;
    this.#pump().catch(link.fail);
  }

  readonly events: SessionEvents = {
    stdin: (bytes) => {
      if (this.#isDeaf) return;
      for (const line of this.#lines.push(Buffer.from(bytes))) this.#enqueue(line);
      if (this.#lines.pendingBytes > limits.messageBytesMax) this.#stopReading();
    },
    stdinEnd: () => {
      const rest = this.#lines.take();
      this.#then(() => {
        if (!isBlank(rest)) this.#reportUnfinished(rest);
        this.#leave('stdin-eof');
      });
    },
    signal: (name) => this.#leave(`signal:${name}`),
    written: (byteCount) => this.#confirm(byteCount),
    stdout: () => {},
    stderr: () => {},
    exit: () => {},
    closed: () => this.#closed(),
  };

  isOpen(): boolean {
    return this.#link.isOpen();
  }

  // Counted where the player gives out, so nothing falls between its cursor and the link.
  isHeard(): boolean {
    return this.#isGone || this.#heardBytes === this.#player.deliveredBytes;
  }

  describeUnheard(): Divergence {
    const chunkIndex = (this.#inFlight[0]?.position.chunkSeq ?? this.#player.cursor) - 1;
    return describe.unheard(this.#player.lane, chunkIndex);
  }

  end(): void {
    if (this.#isEnding) return;
    this.#isEnding = true;
    this.#stop.abort();
    this.#link.exit({ code: this.#player.lane.exit?.exitCode ?? 0, message: 'ended by the runner' });
  }

  #enqueue(line: Buffer): void {
    if (isBlank(line)) return;
    const message = parseJson(line.toString());
    if (message !== undefined) this.#host.onSent?.(message);
    this.#host.onProductSent?.();
    this.#then(() => this.#send(line, message));
  }

  // In the order of the product's messages; an error of ours ends the stand-in, and never goes unheard.
  #then(next: () => void | Promise<void>): void {
    this.#sends = this.#sends.then(next).catch(this.#link.fail);
  }

  #stopReading(): void {
    this.#isDeaf = true;
    const rest = this.#lines.take();
    this.#then(() => this.#reportUnfinished(rest));
  }

  #reportUnfinished(rest: Buffer): void {
    this.#host.cassette.register.report(describe.unfinished(this.#player.lane, this.#player.cursor, rest));
  }

  async #send(line: Buffer, message: Json | undefined): Promise<void> {
    try {
      if ((await this.#player.send(line)) === 'absorbed') this.#answer(message, 'not recorded');
    } catch (error) {
      if (!isFault(error)) throw error;
      this.#answer(message, `Playhead: ${error.message}`);
    }
  }

  // A client that awaits its answer must not hang (stand-in b9); after a divergence each call gets the same refusal.
  #answer(message: Json | undefined, text: string): void {
    const { adapter } = this.#player.lane;
    const shape = message === undefined ? null : adapter.shapeOf(message);
    if (shape?.type !== 'request' || this.#isEnding) return;
    const bytes = Buffer.from(`${writeJson(adapter.refusal(shape.id, text))}\n`);
    this.#sentBytes += bytes.length;
    void this.#link.write(wireKinds.stdout, bytes);
  }

  async #pump(): Promise<void> {
    for (;;) {
      const frame = await this.#player.recv(this.#stop.signal);
      if (!frame || this.#isEnding) return;
      if (frame.kind === 'exit') {
        this.#isEnding = true;
        this.#link.exit({ code: frame.exitCode, message: frame.message });
        return;
      }
      await (this.#isTarget(frame.chunkIndex) && frame.kind === 'stdout' ? this.#writeTarget(frame) : this.#writeBatch(frame));
    }
  }

  // What is ready goes in one frame: a write for each small chunk halves the throughput (stand-in b17).
  #writeBatch(first: PlayedOutput): Promise<void> | null {
    const parts = [first.bytes];
    let byteCount = this.#track(first);
    while (byteCount < batchBytesMax && this.#player.readyKind === first.kind && !this.#isTarget(this.#player.cursor)) {
      const next = this.#player.takeReady();
      if (!next) continue;
      parts.push(next.bytes);
      byteCount += this.#track(next);
    }
    return this.#link.write(wireKinds[first.kind], parts.length === 1 ? first.bytes : Buffer.concat(parts, byteCount));
  }

  #track({ chunkIndex, bytes }: PlayedOutput): number {
    return this.#give(bytes, this.#positionOf(chunkIndex));
  }

  #give({ length: byteCount }: Buffer, position: UnitPosition): number {
    this.#sentBytes += byteCount;
    this.#givenBytes += byteCount;
    this.#inFlight.push({ byteCount, endBytes: this.#sentBytes, position });
    return byteCount;
  }

  async #writeTarget(frame: PlayedOutput): Promise<void> {
    const last = this.#positionOf(frame.chunkIndex);
    const target = this.#host.cassette.barrier.targetOf(last.connectionId) ?? last;
    const cut = target.unitIndex < last.unitIndex ? endOfUnit(frame.bytes, target.unitIndex) : 0;
    const parts = cut > 0 ? [{ bytes: frame.bytes.subarray(0, cut), at: { ...last, unitIndex: target.unitIndex } }, { bytes: frame.bytes.subarray(cut), at: last }] : [{ bytes: frame.bytes, at: last }];
    for (const { bytes, at } of parts) {
      this.#give(bytes, at);
      await this.#link.write(wireKinds.stdout, bytes);
      await this.#park(at, this.#sentBytes);
    }
  }

  #isTarget(chunkIndex: number): boolean {
    return this.#host.cassette.barrier.targetOf(this.#player.lane.connection.connectionId)?.chunkSeq === chunkIndex + 1;
  }

  /** Behind the last message of a chunk. */
  #positionOf(chunkIndex: number): UnitPosition {
    const { connection, chunks } = this.#player.lane;
    return { connectionId: connection.connectionId, chunkSeq: chunkIndex + 1, unitIndex: chunks[chunkIndex]?.unitCount ?? 0 };
  }

  // Handled means written to the product (stand-in b10); only a targeted unit is waited for, to keep the pipe full.
  async #park(at: UnitPosition, endBytes: number): Promise<void> {
    while (this.#writtenBytes < endBytes && this.#link.isOpen() && !this.#stop.signal.aborted) await this.#acked.next(this.#stop.signal);
    await this.#host.cassette.barrier.complete(at, this.#stop.signal);
  }

  #confirm(byteCount: number): void {
    this.#writtenBytes = byteCount;
    const open = this.#inFlight.findIndex((item) => item.endBytes > byteCount);
    const heard = this.#inFlight.splice(0, open < 0 ? Infinity : open);
    for (const item of heard) this.#heardBytes += item.byteCount;
    const last = heard.at(-1);
    const { barrier } = this.#host.cassette;
    if (last && !barrier.hasHandled(last.position)) barrier.complete(last.position, this.#stop.signal).catch(this.#link.fail);
    this.#host.cassette.progress();
    this.#acked.announce();
  }

  #leave(cause: string): void {
    this.#host.cassette.progress();
    this.#player.endInput(cause);
    // What was not sent now never will be: the pipe is closed.
    if (cause === 'stdin-eof') this.#host.onProductSent?.();
  }

  #closed(): void {
    this.#stop.abort();
    const isWhole = this.#player.isDrained && this.#givenBytes === this.#player.deliveredBytes;
    if (!this.#isEnding && this.#player.endedBy === null && !isWhole) this.#host.cassette.register.report(describe.lost(this.#player.lane, this.#player.cursor));
    // A product that kills its provider at the last message has read it, and the word of that went down with the stand-in.
    if (isWhole) this.#confirm(this.#sentBytes);
    this.#isGone = true;
    this.#player.endInput('lost');
    this.#acked.announce();
    this.#host.cassette.progress();
  }
}

type PlainLaunch = { host: ReplayHost; hello: Hello; link: SessionLink; argv: string[] };

// Probes like `codex --version` are played as bytes, as often as they are asked (stand-in b8).
function playPlain({ host, hello, link, argv }: PlainLaunch): SessionEvents {
  const { cassette } = host;
  cassette.progress();
  const lane = cassette.plainLane({ provider: hello.provider, argv });
  const version = cassette.tape.manifest.recordedWith?.provider.version;
  if (!lane && !(argv.length === 1 && argv[0] === '--version' && version)) {
    const divergence = cassette.register.report(describe.unmatchedLaunch({ provider: hello.provider, argv }, cassette.tape.lanes));
    link.refuse({ message: divergence.message, exitCode: limits.exitRefused });
    return silent;
  }
  link.accept({ mode: 'replay' });
  if (!lane) void link.write(wireKinds.stdout, Buffer.from(`${hello.provider}-cli ${version}\n`));
  else {
    const reader = new LaneReader({ lane, folder: cassette.tape.folder });
    lane.chunks.forEach((chunk, i) => {
      if (chunk.kind === 'stdout' || chunk.kind === 'stderr') void link.write(chunk.kind === 'stdout' ? wireKinds.stdout : wireKinds.stderr, Buffer.from(reader.read(i)));
    });
    reader.close();
  }
  link.exit({ code: lane?.exit?.exitCode ?? 0, message: 'self' });
  return silent;
}

function endOfUnit(bytes: Buffer, unitIndex: number): number {
  let end = 0;
  for (let unit = 0; unit < unitIndex; ) {
    const newline = bytes.indexOf(10, end);
    if (newline < 0) return 0;
    if (bytes.subarray(end, newline).toString().trim() !== '') unit++;
    end = newline + 1;
  }
  return end;
}

// One read of a socket: more would only be held longer.
const batchBytesMax = 65_536;

const silent: SessionEvents = { stdin() {}, stdinEnd() {}, signal() {}, written() {}, stdout() {}, stderr() {}, exit() {}, closed() {} };
// Arguments are compared in the token of the recorded launch; which launch that is follows from the comparison.
const cwdAnyToken = '${SESSION_CWD}';
