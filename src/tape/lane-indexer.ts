/** Builds one lane while frames stream by: messages over chunk boundaries, units, observations, audit. */

import type { IssueCode } from '../core/issue-catalogue.ts';
import { createIssue, type Issue } from '../core/issue.ts';
import { parseJson, parseJsonSequence, writeJson, type Json } from '../core/json/exact.ts';
import { isAllowedResidue, type AllowedResidue } from '../core/projection/allow.ts';
import { auditMessage } from '../core/projection/audit.ts';
import { isNamed } from '../core/projection/rules.ts';
import type { ProviderAdapter } from '../core/provider/adapter.ts';
import { isGatedExit, type Chunk } from '../core/tape/chunk.ts';
import { endsInChangingLine, holdsChangingLine, type Lane, type LaneChunk } from '../core/tape/lane.ts';
import { isPlain, type TapeConnection } from '../core/tape/manifest.ts';

export class LaneIndexer {
  readonly issues: Issue[] = [];
  readonly #lane: Lane;
  readonly #observer;
  readonly #allow: readonly AllowedResidue[];
  #open: { parts: Buffer[]; chunkIndexes: number[] } = { parts: [], chunkIndexes: [] };
  #line = 0;

  constructor(connection: TapeConnection, adapter: ProviderAdapter, allow: readonly AllowedResidue[] = []) {
    this.#allow = allow;
    this.#lane = { connection, adapter, speaksProtocol: !isPlain(connection), chunks: [], outbound: [], requiredCount: 0, exit: null, observations: [], openEnds: [], initialize: null };
    this.#observer = adapter.createObserver();
  }

  take(chunk: Chunk, stored: { offset: number; lineBytes: number }): void {
    this.#line = chunk.globalSeq;
    const { chunks } = this.#lane;
    if (chunk.chunkSeq !== chunks.length + 1) this.#add('chunk_order_invalid', null, `chunkSeq is ${chunk.chunkSeq}`, `${chunks.length + 1} was needed`);
    if (this.#lane.exit) this.#add('chunk_after_exit', null, 'it follows the exit of its connection', 'an exit at the end was needed');
    const { globalSeq, elapsedMs, kind } = chunk;
    chunks.push({ globalSeq, elapsedMs, kind, ...stored, flags: 0, unitCount: 0 });
    switch (kind) {
      case 'outbound':
        return this.#takeOutbound(chunk);
      case 'stdout':
        return this.#takeStdout(chunk.data);
      case 'exit':
        this.#lane.exit = { chunkIndex: chunks.length - 1, exitCode: chunk.exitCode ?? 0, message: chunk.message };
        return;
      case 'stderr':
        // Tokens stand in free text here, and only whole lines may be rewritten.
        if (chunk.data.includes('${')) (chunks.at(-1) as LaneChunk).flags |= holdsChangingLine;
        return;
    }
  }

  finish(): Lane {
    const { chunks, exit } = this.#lane;
    const isGated = exit !== null && isGatedExit({ kind: 'exit', message: exit.message });
    const endedAt = this.#lane.connection.inputEndedAt ?? Infinity;
    this.#lane.requiredCount = isGated ? Math.min(exit.chunkIndex, endedAt) : chunks.length;
    this.#lane.openEnds = this.#observer.open();
    if (this.#open.parts.length > 0 && this.#lane.speaksProtocol && exit === null)
      this.#add('message_unfinished', null, 'its last message has no end of line', 'whole messages were needed');
    // A kill ends a session anywhere; every other end must leave nothing open (stand-in b23).
    const isKilled = exit === null || (exit.message?.startsWith('signal:') ?? false);
    if (!isKilled)
      for (const end of this.#lane.openEnds)
        this.issues.push(createIssue({ level: 'tape_load', severity: 'error', code: end.code, file: 'provider/frames.jsonl', is: `${this.#lane.connection.connectionId}: ${end.text}`, needed: 'a complete session was needed' }));
    return this.#lane;
  }

  #takeOutbound(chunk: Chunk): void {
    const values = this.#lane.speaksProtocol ? parseJsonSequence(chunk.data.toString()) : undefined;
    this.#lane.outbound.push({ chunkIndex: this.#lane.chunks.length - 1, bytes: chunk.data, values });
    if (!this.#lane.speaksProtocol) return;
    if (!values) return this.#add('protocol_json_invalid', null, 'an outbound chunk is no JSON', 'one complete message was needed');
    for (const value of values) {
      this.#audit(value);
      this.#observer.see('outbound', value);
    }
  }

  #takeStdout(data: Buffer): void {
    if (!this.#lane.speaksProtocol) return;
    const index = this.#lane.chunks.length - 1;
    let start = 0;
    for (let at = data.indexOf(10); at >= 0; at = data.indexOf(10, start)) {
      this.#open.parts.push(data.subarray(start, at));
      this.#open.chunkIndexes.push(index);
      this.#takeLine(Buffer.concat(this.#open.parts).toString());
      this.#open = { parts: [], chunkIndexes: [] };
      start = at + 1;
    }
    if (start >= data.length) return;
    this.#open.parts.push(data.subarray(start));
    this.#open.chunkIndexes.push(index);
  }

  #takeLine(text: string): void {
    if (text.trim() === '') return;
    const { chunks, adapter, connection } = this.#lane;
    const message = parseJson(text);
    if (message === undefined) return this.#add('protocol_json_invalid', null, 'a line of stdout is no JSON', 'one message on each line was needed');
    const chunkSeq = this.#open.chunkIndexes.at(-1)! + 1;
    const last = chunks[chunkSeq - 1] as LaneChunk;
    const unitIndex = ++last.unitCount;
    if (adapter.mayChange(text)) this.#markChanging();
    this.#audit(message);
    if (this.#lane.initialize === null) this.#takeInitialize(message);
    for (const { kind, facts } of this.#observer.see('inbound', message))
      this.#lane.observations.push({ kind, facts, position: { connectionId: connection.connectionId, chunkSeq, unitIndex }, globalSeq: last.globalSeq, elapsedMs: last.elapsedMs });
  }

  #takeInitialize(message: Json): void {
    const outbound = this.#lane.outbound.flatMap((sent) => sent.values ?? []);
    const result = this.#lane.adapter.initializeResult(outbound, [message]);
    if (result !== null) this.#lane.initialize = writeJson(result);
  }

  #markChanging(): void {
    const { chunkIndexes } = this.#open;
    chunkIndexes.forEach((index, i) => {
      const chunk = this.#lane.chunks[index] as LaneChunk;
      chunk.flags |= i === chunkIndexes.length - 1 ? holdsChangingLine : holdsChangingLine | endsInChangingLine;
    });
  }

  #audit(message: Json): void {
    for (const finding of auditMessage(message, this.#lane.adapter.rules, null)) {
      if (isAllowedResidue(finding, this.#allow)) continue;
      const method = finding.method === null ? '' : `${finding.method}: `;
      this.#add(finding.code, finding.path, `${method}${finding.is}`, 'a portable, anonymous value was needed');
    }
  }

  #add(code: IssueCode, path: string | null, is: string, needed: string): void {
    if (this.issues.length < issueCountMax)
      this.issues.push(createIssue({ level: 'tape_load', code, file: 'provider/frames.jsonl', line: this.#line, path, is, needed }));
  }
}

/** Whether a recorded outbound is a probe that need not be sent (replay-runtime 2.4). */
export function isProbe(values: Json[] | undefined, adapter: ProviderAdapter): boolean {
  return values !== undefined && values.length === 1 && values.every((value) => {
    const shape = adapter.shapeOf(value);
    return shape.type === 'request' && isNamed(adapter.rules.observerOnlyMethods, shape.method);
  });
}

const issueCountMax = 100;
