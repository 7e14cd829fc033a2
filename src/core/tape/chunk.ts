/** One line of `frames.jsonl` (cassette-contract 5.4). */

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

/** Reads one stored line; gives a sentence about what is wrong instead of throwing. */
export function parseChunkLine(line: string): Chunk | string {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return 'the line is not JSON';
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'the line is not an object';
  const v = value as Record<string, unknown>;
  if (typeof v.connectionId !== 'string') return 'connectionId is not a string';
  for (const key of ['chunkSeq', 'globalSeq', 'elapsedMs'] as const)
    if (!Number.isSafeInteger(v[key])) return `${key} is not an integer`;
  if ((v.elapsedMs as number) < 0) return 'elapsedMs is below zero';
  if (!isChunkKind(v.kind)) return `kind is ${JSON.stringify(v.kind)}`;
  const data = v.data ?? '';
  if (typeof data !== 'string' || !isBase64(data)) return 'data is not padded base64';
  if (v.exitCode != null && !Number.isSafeInteger(v.exitCode)) return 'exitCode is not an integer';
  if (v.kind === 'exit' && v.exitCode == null) return 'an exit has no exitCode';
  if (v.message != null && typeof v.message !== 'string') return 'message is not a string';
  return {
    connectionId: v.connectionId,
    chunkSeq: v.chunkSeq as number,
    globalSeq: v.globalSeq as number,
    elapsedMs: v.elapsedMs as number,
    kind: v.kind,
    data: Buffer.from(data, 'base64'),
    exitCode: (v.exitCode as number | null | undefined) ?? null,
    message: (v.message as string | null | undefined) ?? null,
  };
}

function isChunkKind(value: unknown): value is ChunkKind {
  return value === 'outbound' || value === 'stdout' || value === 'stderr' || value === 'exit';
}

// Line breaks inside base64 are accepted as the reference's reader does (cassette-contract 5.4).
function isBase64(text: string): boolean {
  const bare = /[\r\n]/.test(text) ? text.replace(/[\r\n]/g, '') : text;
  return bare.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(bare);
}
