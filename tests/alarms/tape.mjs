/** A small writer of tapes of its own: frames are decoded, edited, numbered, counted and hashed again. */
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export const sha256 = (bytes) => createHash('sha256').update(bytes).digest('hex');

/** `chunks` of all connections in tape order, with `text` in place of `data`; whether the input had ended behind one is kept. */
export function readTape(folder) {
  const manifest = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8'));
  const lines = readFileSync(join(folder, 'frames.jsonl'), 'utf8').split('\n').filter(Boolean);
  const endOf = new Map(manifest.connections.map((connection) => [connection.connectionId, connection.inputEndedAt ?? Infinity]));
  const chunks = lines.map((line) => {
    const { data = '', ...facts } = JSON.parse(line);
    return { ...facts, text: Buffer.from(data, 'base64').toString(), isBeforeEnd: facts.chunkSeq <= endOf.get(facts.connectionId) };
  });
  return { manifest, chunks };
}

/**
 * Writes a tape and gives the hash of its manifest. `edit` changes chunks and connections and leaves numbers, counts and
 * hashes to the writer; `lines`, `text` and `seal` change what the writer has numbered, written and counted.
 */
export function writeTape(folder, tape, { edit, lines, text, seal } = {}) {
  const copy = structuredClone(tape);
  edit?.(copy);
  const numbered = number(copy);
  lines?.(numbered);
  const written = numbered.map((line) => `${JSON.stringify(line)}\n`).join('');
  const frames = text ? text(written) : written;
  const manifest = { ...copy.manifest, ...count(numbered), framesSha256: sha256(frames) };
  seal?.(manifest);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'frames.jsonl'), frames);
  const sealed = `${JSON.stringify(manifest, null, 2)}\n`;
  writeFileSync(join(folder, 'manifest.json'), sealed);
  return sha256(sealed);
}

function number({ manifest, chunks }) {
  const chunkSeqs = new Map();
  const lines = chunks.map(({ connectionId, elapsedMs, kind, text, chunkSeq: _c, globalSeq: _g, isBeforeEnd: _i, ...end }, i) => {
    const chunkSeq = (chunkSeqs.get(connectionId) ?? 0) + 1;
    chunkSeqs.set(connectionId, chunkSeq);
    return { connectionId, chunkSeq, globalSeq: i + 1, elapsedMs, kind, ...(text === '' ? {} : { data: Buffer.from(text).toString('base64') }), ...end };
  });
  for (const connection of manifest.connections)
    if (connection.inputEndedAt !== undefined) connection.inputEndedAt = chunks.filter((chunk) => chunk.connectionId === connection.connectionId && chunk.isBeforeEnd).length;
  return lines;
}

function count(lines) {
  const framesByKind = {};
  const totals = { frameCount: 0, payloadBytes: 0, storedBytes: 0, maxFrameBytes: 0 };
  for (const line of lines) {
    const payloadBytes = Buffer.from(line.data ?? '', 'base64').length + Buffer.byteLength(line.message ?? '');
    const storedBytes = Buffer.byteLength(JSON.stringify(line)) + 1;
    const byKind = (framesByKind[line.kind] ??= { frameCount: 0, payloadBytes: 0, storedBytes: 0 });
    for (const counts of [byKind, totals]) {
      counts.frameCount++;
      counts.payloadBytes += payloadBytes;
      counts.storedBytes += storedBytes;
    }
    totals.maxFrameBytes = Math.max(totals.maxFrameBytes, payloadBytes);
  }
  return { ...totals, framesByKind };
}
