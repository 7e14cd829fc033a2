/** One line of `frames.jsonl` (cassette-contract 5.4). */

import { Buffer } from 'node:buffer';
import { Findings } from '../issue.ts';
import { FrameReader } from './frame.ts';

export type ChunkKind = 'outbound' | 'stdout' | 'stderr' | 'exit';

export type Chunk = {
  connectionId: string;
  /** From 1, without a gap inside a connection. */
  chunkSeq: number;
  /** From 1, without a gap over the tape; equals the line number. */
  globalSeq: number;
  /** Milliseconds since this connection's capture began. */
  elapsedMs: number;
  kind: ChunkKind;
  data: Buffer;
  exitCode: number | null;
  /** Of an exit: its cause (`stdin-eof`, `signal:<name>`, `self`, stand-in b3). */
  message: string | null;
};

export type ExitCause = 'stdin-eof' | `signal:${string}` | 'self';

/** An exit that the product brought about is held back until the product does so again (stand-in b3). */
export function isGatedExit(chunk: { kind: ChunkKind; message: string | null }): boolean {
  return chunk.kind === 'exit' && (chunk.message === 'stdin-eof' || (chunk.message?.startsWith('signal:') ?? false));
}

/** The stored line of a chunk, newline included; empty data and an empty message are left out. */
export function writeChunkLine(chunk: Chunk): string {
  const { connectionId, chunkSeq, globalSeq, elapsedMs, kind } = chunk;
  const line: Record<string, unknown> = { connectionId, chunkSeq, globalSeq, elapsedMs, kind };
  if (chunk.data.length > 0) line.data = chunk.data.toString('base64');
  if (chunk.exitCode !== null) line.exitCode = chunk.exitCode;
  if (chunk.message) line.message = chunk.message;
  return `${JSON.stringify(line)}\n`;
}

/** Decoded payload plus message, as the manifest counts it. */
export function payloadBytesOf(chunk: { data: Buffer; message: string | null }): number {
  return chunk.data.length + (chunk.message === null ? 0 : Buffer.byteLength(chunk.message));
}

/** Reads one stored line by itself; gives the first thing that is wrong with it instead of throwing. */
export function parseChunkLine(line: string): Chunk | string {
  const findings = new Findings();
  const frame = new FrameReader(findings.report).read(Buffer.from(line.trimEnd()), 1);
  const [first] = findings.all.filter((finding) => finding.code !== 'json_member_repeated');
  if (first) return first.path ? `${first.path.slice(2)}: ${first.is}` : first.is;
  if (!frame || frame.kind === null || frame.data === null) return 'it is no chunk';
  const { isBroken: _isBroken, kind, data, ...rest } = frame;
  return { ...rest, kind, data };
}
