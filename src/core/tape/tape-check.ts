/**
 * The one check of a provider tape (cassette-contract 5.2 to 5.7): frames come one by one, are read once and kept by nobody, so
 * that a tape at its limits needs little memory. Findings of all readers are reported; the catalogue says whose they are.
 */

import type { Buffer } from 'node:buffer';
import type { Finding, Report } from '../issue.ts';
import type { Json } from '../json/exact.ts';
import { shown } from '../json/read.ts';
import { limits } from '../limits.ts';
import type { AllowedResidue } from '../projection/allow.ts';
import type { Observer } from '../provider/adapter.ts';
import { payloadBytesOf, type Chunk } from './chunk.ts';
import { ConnectionCheck, type TapeLosses, type TapeMessage } from './connection-check.ts';
import { FrameReader, framesFile, type Frame, type FrameText } from './frame.ts';
import type { TapeConnection, TapeManifest } from './manifest.ts';
import { parseManifest, type ReadManifest } from './parse-manifest.ts';
import { Sequence } from './sequence.ts';

/** Where a frame stands in its file; its end of line does not count. */
export type StoredFrame = { offset: number; lineBytes: number };

/** Sees each chunk of a known connection, then the messages that end in it. */
export type TapeSink = {
  chunk: (chunk: Chunk, stored: StoredFrame) => void;
  message: (message: TapeMessage) => void;
};

export type TapeCheckOptions = {
  report: Report;
  /** What the audit must know of a provider; `null` where nobody registered it. */
  findProvider: (provider: string) => { credentialMethods: readonly string[] } | null;
  /** Residue that a case accepts; none by default. */
  allow?: readonly AllowedResidue[];
  /** Follows a session, so that its open ends are found. None by default. */
  observe?: (connection: Pick<TapeConnection, 'connectionId' | 'provider' | 'agentSessionId'>) => Observer | null;
  /** Costs exact numbers, and whatever it keeps. */
  sink?: TapeSink;
  /** Sees what each chunk holds, of whatever connection and kind. The bytes are good only during the call. */
  bytes?: (place: { connectionId: string; kind: string; line: number }, data: Buffer) => void;
  /** Sees what a stored line says beside what its data stands for: ids, diagnostics, members that nobody knows, and all of a broken line. */
  text?: FrameText;
  /** Whether the tape is a stand-in's recording by itself and no part of a cassette, which allows logs as protocols and an unfinished end. `false` by default. */
  isAlone?: boolean;
  /** Of one direction of one connection, decoded; the contract's by default. */
  streamBytesMax?: number;
};

export class TapeCheck {
  readonly #options: TapeCheckOptions;
  readonly #reader: FrameReader;
  readonly #connections = new Map<string, ConnectionCheck>();
  readonly #unknown = new Set<string>();
  readonly #order = new Sequence();
  readonly #losses: TapeLosses = { hasLostBytes: false, hasLostChunks: false };
  #blankCount = 0;
  #disorderCount = 0;
  #read: ReadManifest | null = null;
  #count = 0;
  #isWhole = false;

  constructor(options: TapeCheckOptions) {
    this.#options = options;
    this.#reader = new FrameReader(options.report, options.text ?? null);
  }

  /** Once, before the frames; `undefined` where the manifest could not be read, which is a finding of whoever tried. */
  manifest(value: Json | undefined): void {
    const { report, findProvider } = this.#options;
    if (value === undefined) return;
    this.#read = parseManifest(value, { report, isRegistered: (provider) => findProvider(provider) !== null });
    for (const connection of this.#read.connections) this.#connections.set(connection.connectionId, this.#checkOf(connection));
  }

  /** What the manifest says, for players, and whatever findings there are. */
  get tapeManifest(): TapeManifest | null {
    return this.#read?.manifest ?? null;
  }

  /** Ids of the manifest, as cursors may name them. */
  get connectionIds(): string[] {
    return [...this.#connections.keys()];
  }

  /** Chunks of each connection, after `finish`; `null` where some were lost, so that nobody knows how many there are. */
  get lengths(): ReadonlyMap<string, bigint> | null {
    const hasGap = this.#losses.hasLostBytes || this.#losses.hasLostChunks || [...this.#connections.values()].some((connection) => connection.hasGap);
    return this.#isWhole && !hasGap ? new Map([...this.#connections].map(([id, { sequence }]) => [id, BigInt(sequence.expected - 1)])) : null;
  }

  /** One line without its end. It may be written over afterwards. */
  frame(line: Buffer, lineNumber: number, offset: number): void {
    this.#count++;
    const frame = this.#reader.read(line, lineNumber);
    if (frame === null) return this.#lose();
    if (frame.isBroken) this.#losses.hasLostBytes = true;
    const shift = this.#order.take(frame.globalSeq);
    if (shift !== 0) {
      if (++this.#disorderCount <= findingCountMax) this.#add('frame_order_invalid', lineNumber, '$.globalSeq', `globalSeq is ${shownNumber(frame.globalSeq)}`, `${frame.globalSeq - shift} was needed`);
      this.#losses.hasLostChunks = true;
    }
    if (frame.data !== null) this.#takeData(frame, frame.data, lineNumber);
    const connection = this.#connections.get(frame.connectionId);
    if (!connection) {
      if (frame.isBroken) this.#order.miss();
      return this.#takeUnknown(frame, lineNumber);
    }
    this.#checkChunkSeq(connection, frame, shift, lineNumber);
    if (frame.kind === null) return;
    const { kind, data } = frame;
    if (data !== null) this.#options.sink?.chunk({ ...frame, kind, data }, { offset, lineBytes: line.length });
    connection.take(frame, kind, lineNumber);
  }

  /** A line of white space alone. */
  blank(lineNumber: number): void {
    if (++this.#blankCount <= findingCountMax) this.#add('line_blank', lineNumber, null, 'the line is empty', 'a recorded chunk was needed');
  }

  /** A line over the limit, of which nothing was read. */
  tooLong(lineNumber: number): void {
    this.#count++;
    this.#add('frame_line_too_long', lineNumber, null, `it has ${limits.frameLineBytesMax} bytes or more`, 'a shorter line was needed');
    this.#lose();
  }

  /** Once, behind the frames; without a hash where they were not read to their end. */
  finish(end: { framesSha256: string | null }): void {
    if (end.framesSha256 === null) return;
    this.#isWhole = true;
    const { framesSha256, frameCount } = this.#read ?? {};
    if (framesSha256 !== undefined && framesSha256 !== end.framesSha256)
      this.#add('frames_sha256_mismatch', null, null, `its SHA-256 is ${end.framesSha256}`, `the manifest says ${shown(framesSha256)}`);
    if (frameCount !== undefined && frameCount !== BigInt(this.#count)) {
      this.#add('frame_count_mismatch', null, null, `it has ${this.#count} frames`, `the manifest says ${frameCount}`);
      this.#losses.hasLostChunks = true;
    }
    for (const connection of this.#connections.values()) connection.finish();
  }

  #checkOf(connection: ReadManifest['connections'][number]): ConnectionCheck {
    const { report, findProvider, allow = [], observe, sink, isAlone = false, streamBytesMax = limits.storedBytesMax } = this.#options;
    return new ConnectionCheck({
      connection,
      credentialMethods: findProvider(connection.provider)?.credentialMethods ?? [],
      allow,
      observer: observe?.(connection) ?? null,
      streamBytesMax,
      report,
      isAlone,
      losses: this.#losses,
      onMessage: sink ? (message) => sink.message(message) : null,
    });
  }

  #takeData(frame: Frame, data: Buffer, line: number): void {
    const payloadBytes = payloadBytesOf({ data, message: frame.message });
    if (payloadBytes > limits.frameBytesMax) this.#add('frame_too_large', line, '$.data', `its payload has ${payloadBytes} bytes`, `at most ${limits.frameBytesMax} were expected`);
    if (data.length > 0) this.#options.bytes?.({ connectionId: frame.connectionId, kind: frame.kind ?? 'unknown', line }, data);
  }

  // Once for each id: behind one missing connection there may be a whole session.
  #takeUnknown({ connectionId, kind, isBroken }: Frame, line: number): void {
    if (kind === null || kind === 'exit' || isBroken || this.#read === null || this.#unknown.has(connectionId)) return;
    if (this.#unknown.size < unknownCountMax) this.#unknown.add(connectionId);
    this.#add('frame_connection_unknown', line, '$.connectionId', `connection ${shown(connectionId)} is not in the manifest`, 'a listed connection was needed');
  }

  // A frame that is missing, or stands twice, breaks both sequences in the same way, and is found in the first of them.
  #checkChunkSeq(connection: ConnectionCheck, { chunkSeq }: Frame, shift: number, line: number): void {
    const { expected } = connection.sequence;
    const gap = connection.sequence.take(chunkSeq);
    if (gap === 0) return;
    connection.lack();
    const isExplained = this.#order.explains(gap);
    if (!isExplained && gap !== shift) this.#add('chunk_order_invalid', line, '$.chunkSeq', `chunkSeq is ${shownNumber(chunkSeq)}`, `${expected} was needed`);
  }

  // It is not known whose bytes are missing.
  #lose(): void {
    this.#order.skip();
    this.#losses.hasLostBytes = true;
  }

  #add(code: Finding['code'], line: number | null, path: string | null, is: string, needed: string): void {
    this.#options.report({ code, file: framesFile, line, path, is, needed });
  }
}

function shownNumber(value: number): string {
  return value === 0 ? '0 or absent' : String(value);
}

const unknownCountMax = 1_000;
/** Of one code; whoever collects them keeps fewer. */
const findingCountMax = 1_000;
