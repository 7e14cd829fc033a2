/** Builds one lane while a tape is checked: units, observations and where its chunks stand. It judges nothing. */

import { writeJson } from '../core/json/exact.ts';
import { isNamed } from '../core/projection/rules.ts';
import type { Observer, ProviderAdapter } from '../core/provider/adapter.ts';
import { isGatedExit, type Chunk } from '../core/tape/chunk.ts';
import type { TapeMessage } from '../core/tape/connection-check.ts';
import { endsInChangingLine, holdsChangingLine, type Lane, type LaneChunk, type RecordedOutbound } from '../core/tape/lane.ts';
import { isPlain, type TapeConnection } from '../core/tape/manifest.ts';
import type { StoredFrame } from '../core/tape/tape-check.ts';

export class LaneIndexer {
  readonly #observer: Observer;
  readonly #lane: Lane;
  /** Stdout chunks that hold the line which was unfinished before this chunk. */
  #openChunks: LaneChunk[] = [];
  /** What this chunk leaves unfinished. */
  #rest: { isOpen: boolean; hasLineEnd: boolean; chunk: LaneChunk } | null = null;

  /** `observer` is the one that the check feeds. */
  constructor({ connection, adapter, observer }: { connection: TapeConnection; adapter: ProviderAdapter; observer: Observer }) {
    this.#lane = { connection, adapter, speaksProtocol: !isPlain(connection), chunks: [], outbound: [], requiredCount: 0, exit: null, observations: [], openEnds: [], initialize: null };
    this.#observer = observer;
  }

  take(chunk: Chunk, stored: StoredFrame): void {
    const { chunks, outbound, speaksProtocol } = this.#lane;
    const { globalSeq, elapsedMs, kind } = chunk;
    const added: LaneChunk = { globalSeq, elapsedMs, kind, ...stored, flags: 0, unitCount: 0 };
    chunks.push(added);
    switch (kind) {
      case 'outbound':
        outbound.push({ chunkIndex: chunks.length - 1, bytes: Buffer.from(chunk.data), values: speaksProtocol ? [] : undefined });
        return;
      case 'stdout':
        return this.#openLine(added, chunk.data);
      case 'exit':
        this.#lane.exit = { chunkIndex: chunks.length - 1, exitCode: chunk.exitCode ?? 0, message: chunk.message };
        return;
      case 'stderr':
        // Tokens stand in free text here, and only whole lines may be rewritten.
        if (chunk.data.includes('${')) added.flags |= holdsChangingLine;
        return;
    }
  }

  /** A message that ends in the chunk taken last. */
  message({ kind, value, text, observations }: TapeMessage): void {
    const { chunks, adapter, connection, outbound } = this.#lane;
    if (kind === 'outbound') return void (outbound.at(-1) as RecordedOutbound).values?.push(value);
    const last = chunks.at(-1) as LaneChunk;
    const unitIndex = ++last.unitCount;
    if (adapter.mayChange(text)) this.#markChanging(last);
    this.#openChunks = [];
    if (this.#lane.initialize === null) {
      const result = adapter.initializeResult(outbound.flatMap((sent) => sent.values ?? []), [value]);
      if (result !== null) this.#lane.initialize = writeJson(result);
    }
    for (const { kind: seen, facts } of observations)
      this.#lane.observations.push({ kind: seen, facts, position: { connectionId: connection.connectionId, chunkSeq: chunks.length, unitIndex }, globalSeq: last.globalSeq, elapsedMs: last.elapsedMs });
  }

  finish(): Lane {
    const { chunks, exit } = this.#lane;
    const isGated = exit !== null && isGatedExit({ kind: 'exit', message: exit.message });
    const endedAt = this.#lane.connection.inputEndedAt ?? Infinity;
    this.#lane.requiredCount = isGated ? Math.min(exit.chunkIndex, endedAt) : chunks.length;
    this.#lane.openEnds = this.#observer.open();
    return this.#lane;
  }

  // Its messages come behind it: what the chunk before left open is settled now.
  #openLine(chunk: LaneChunk, data: Buffer): void {
    if (this.#rest?.hasLineEnd) this.#openChunks = [];
    if (this.#rest?.isOpen) this.#openChunks.push(this.#rest.chunk);
    this.#rest = { isOpen: data.length > 0 && data.at(-1) !== 10, hasLineEnd: data.includes(10), chunk };
  }

  #markChanging(last: LaneChunk): void {
    for (const chunk of this.#openChunks) chunk.flags |= holdsChangingLine | endsInChangingLine;
    last.flags |= holdsChangingLine;
  }
}

/** Whether a recorded outbound is a probe that need not be sent (replay-runtime 2.4). */
export function isProbe(values: RecordedOutbound['values'], adapter: ProviderAdapter): boolean {
  return values !== undefined && values.length === 1 && values.every((value) => {
    const shape = adapter.shapeOf(value);
    return shape.type === 'request' && isNamed(adapter.rules.observerOnlyMethods, shape.method);
  });
}
