/**
 * Writes one tape: ordered chunks, projected copy, limits before writing, finalize and abort (replay-runtime 1.4).
 * Chunks wait behind a pending stdout chunk of any connection, so the file stays in the order of `globalSeq`.
 */

import { createHash, type Hash } from 'node:crypto';
import { assert } from '../core/assert.ts';
import { Fault } from '../core/fault.ts';
import { limits } from '../core/limits.ts';
import type { AppendFile, Disk } from '../core/ports.ts';
import { StreamProjector, type ProjectLine } from '../core/projection/stream.ts';
import { payloadBytesOf, writeChunkLine, type Chunk, type ChunkKind } from '../core/tape/chunk.ts';
import { tapeProjectionVersion, tapeSchemaVersion, type KindCounts, type RecordedWith, type TapeConnection, type TapeManifest } from '../core/tape/manifest.ts';

export type TapeLimits = { frameBytesMax: number; storedBytesMax: number };

export type ChunkInput = { kind: ChunkKind; bytes?: Buffer; exitCode?: number; message?: string | null };

export type ConnectionProjection = { outbound: (bytes: Buffer) => Buffer; stdoutLine: ProjectLine; stderrLine: ProjectLine };

type Pending = { chunk: Chunk; isFinal: boolean };
type Lane = {
  connection: TapeConnection;
  chunkSeq: number;
  isActive: boolean;
  projection: ConnectionProjection;
  streams: { stdout: StreamProjector<Pending>; stderr: StreamProjector<Pending> };
};

export class TapeWriter {
  readonly folder: string;
  readonly #disk: Disk;
  readonly #limits: TapeLimits;
  readonly #file: AppendFile;
  readonly #hash: Hash = createHash('sha256');
  readonly #lanes = new Map<string, Lane>();
  readonly #framesByKind: { [kind: string]: KindCounts } = {};
  #queue: Pending[] = [];
  #globalSeq = 0;
  #counts = { frameCount: 0, payloadBytes: 0, storedBytes: 0, maxFrameBytes: 0 };
  #failure: Error | null = null;
  #isClosed = false;

  constructor(options: { folder: string; disk: Disk; limits?: TapeLimits }) {
    this.folder = options.folder;
    this.#disk = options.disk;
    this.#limits = options.limits ?? limits;
    this.#disk.makeFolder(this.folder);
    this.#file = this.#disk.openAppend(`${this.folder}/frames.jsonl`);
    this.#writeManifest('incomplete', null);
  }

  get connectionCount(): number {
    return this.#lanes.size;
  }

  get storedBytes(): number {
    return this.#counts.storedBytes;
  }

  get failure(): Error | null {
    return this.#failure;
  }

  /** Fails the tape from outside: nothing more is taken, and it cannot be finalized. */
  fail(error: Error): void {
    this.#failure ??= error;
  }

  nextConnectionId(): string {
    return `connection-${this.#lanes.size + 1}`;
  }

  openConnection(connection: TapeConnection, projection: ConnectionProjection): void {
    assert(!this.#lanes.has(connection.connectionId), 'a connection was opened twice on one tape');
    const streams = { stdout: new StreamProjector<Pending>(projection.stdoutLine), stderr: new StreamProjector<Pending>(projection.stderrLine) };
    this.#lanes.set(connection.connectionId, { connection, chunkSeq: 0, isActive: true, projection, streams });
    this.#writeManifest('incomplete', null);
  }

  closeConnection(connectionId: string): void {
    this.#lane(connectionId).isActive = false;
  }

  /** Appends one chunk and gives its number on its connection. Fails closed: after a failure nothing is taken any more. */
  append(connectionId: string, input: ChunkInput & { elapsedMs: number }): number {
    if (this.#failure) throw this.#failure;
    const lane = this.#lane(connectionId);
    const bytes = input.bytes ?? Buffer.alloc(0);
    this.#checkFrame(bytes.length, connectionId);
    try {
      const data = input.kind === 'outbound' ? lane.projection.outbound(bytes) : bytes;
      const chunk: Chunk = {
        connectionId,
        chunkSeq: lane.chunkSeq + 1,
        globalSeq: this.#globalSeq + 1,
        elapsedMs: Math.max(0, Math.round(input.elapsedMs)),
        kind: input.kind,
        data,
        exitCode: input.exitCode ?? null,
        message: input.message ?? null,
      };
      const pending: Pending = { chunk, isFinal: input.kind === 'outbound' || input.kind === 'exit' };
      const released = pending.isFinal ? [] : lane.streams[input.kind as 'stdout' | 'stderr'].push(pending, bytes);
      lane.chunkSeq++;
      this.#globalSeq++;
      this.#queue.push(pending);
      this.#settle(released);
      return chunk.chunkSeq;
    } catch (error) {
      this.#failure = error as Error;
      throw error;
    }
  }

  /** Completes the tape; every connection must have been closed. */
  finalize(recordedWith: RecordedWith | null): TapeManifest {
    if (this.#failure) throw this.#failure;
    assert(![...this.#lanes.values()].some((lane) => lane.isActive), 'a tape was finalized while a connection was open');
    this.#flush();
    assert(this.#queue.length === 0, 'a tape was finalized with chunks waiting');
    this.#file.sync();
    const manifest = this.#writeManifest('complete', recordedWith);
    this.#close();
    return manifest;
  }

  /** Leaves the tape incomplete on disk. */
  abort(): void {
    if (this.#isClosed) return;
    this.#file.sync();
    this.#close();
  }

  #flush(): void {
    try {
      for (const lane of this.#lanes.values()) this.#settle([...lane.streams.stdout.flush(), ...lane.streams.stderr.flush()]);
    } catch (error) {
      this.#failure = error as Error;
      throw error;
    }
  }

  #settle(released: { chunk: Pending; bytes: Buffer }[]): void {
    for (const { chunk: pending, bytes } of released) {
      pending.chunk.data = bytes;
      pending.isFinal = true;
    }
    while (this.#queue[0]?.isFinal) this.#write((this.#queue.shift() as Pending).chunk);
  }

  // Limits are asked before anything is written: a violation leaves file and counters as they were.
  #write(chunk: Chunk): void {
    this.#checkFrame(chunk.data.length, chunk.connectionId);
    const line = Buffer.from(writeChunkLine(chunk));
    if (this.#counts.storedBytes + line.length > this.#limits.storedBytesMax)
      throw new Fault({
        code: 'tape_too_large',
        message: `Cannot record chunk ${chunk.globalSeq}: the tape would have ${this.#counts.storedBytes + line.length} stored bytes, at most ${this.#limits.storedBytesMax} were expected`,
        at: `connection ${chunk.connectionId}, chunk ${chunk.chunkSeq}`,
      });
    this.#file.append(line);
    this.#hash.update(line);
    const payload = payloadBytesOf(chunk);
    const byKind = (this.#framesByKind[chunk.kind] ??= { frameCount: 0, payloadBytes: 0, storedBytes: 0 });
    for (const counts of [byKind, this.#counts]) {
      counts.frameCount++;
      counts.payloadBytes += payload;
      counts.storedBytes += line.length;
    }
    this.#counts.maxFrameBytes = Math.max(this.#counts.maxFrameBytes, payload);
  }

  #checkFrame(byteCount: number, connectionId: string): void {
    if (byteCount <= this.#limits.frameBytesMax) return;
    throw (this.#failure = new Fault({
      code: 'frame_too_large',
      message: `Cannot record chunk: it has ${byteCount} bytes, at most ${this.#limits.frameBytesMax} were expected`,
      at: `connection ${connectionId}`,
      facts: { byteCount, connectionId },
    }));
  }

  #writeManifest(status: TapeManifest['status'], recordedWith: RecordedWith | null): TapeManifest {
    const manifest: TapeManifest = {
      schemaVersion: tapeSchemaVersion,
      projectionVersion: tapeProjectionVersion,
      status,
      frameCount: this.#counts.frameCount,
      payloadBytes: this.#counts.payloadBytes,
      storedBytes: this.#counts.storedBytes,
      maxFrameBytes: this.#counts.maxFrameBytes,
      limits: { maxFrameBytes: this.#limits.frameBytesMax, maxStoredBytes: this.#limits.storedBytesMax },
      framesByKind: this.#framesByKind,
      framesSha256: status === 'complete' ? this.#hash.copy().digest('hex') : '',
      connections: [...this.#lanes.values()].map((lane) => lane.connection),
      ...(recordedWith ? { recordedWith } : {}),
    };
    this.#disk.writeWhole(`${this.folder}/manifest.json`, `${JSON.stringify(manifest, null, 2)}\n`);
    return manifest;
  }

  #lane(connectionId: string): Lane {
    const lane = this.#lanes.get(connectionId);
    assert(lane, 'a chunk came for a connection that was not opened');
    return lane;
  }

  #close(): void {
    this.#isClosed = true;
    this.#file.close();
  }
}
