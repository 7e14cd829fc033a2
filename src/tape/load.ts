/**
 * Reads a tape once, in order, in bounded memory: hash, frames, lanes, observations and the publication audit
 * (cassette-contract 5.6 and 5.7). All that is wrong comes back as issues; nothing is thrown for bad input.
 */

import { createHash } from 'node:crypto';
import { closeSync, fstatSync, lstatSync, openSync, readFileSync, readSync } from 'node:fs';
import type { IssueCode } from '../core/issue-catalogue.ts';
import { createIssue, type Issue } from '../core/issue.ts';
import { limits } from '../core/limits.ts';
import { LineSplitter } from '../core/lines.ts';
import type { AllowedResidue } from '../core/projection/allow.ts';
import type { ProviderAdapter } from '../core/provider/adapter.ts';
import { parseChunkLine } from '../core/tape/chunk.ts';
import type { Lane, TapeObservation } from '../core/tape/lane.ts';
import type { TapeManifest } from '../core/tape/manifest.ts';
import { parseManifest } from '../core/tape/parse-manifest.ts';
import { LaneIndexer } from './lane-indexer.ts';

export type LoadedTape = {
  /** The folder that holds `manifest.json` and `frames.jsonl`. */
  folder: string;
  manifest: TapeManifest;
  manifestSha256: string;
  lanes: Lane[];
  /** Of all lanes, in tape order. */
  observations: TapeObservation[];
  durationMs: number;
};

export type FindProvider = (name: string) => ProviderAdapter | null;

const framesFile = 'provider/frames.jsonl';

export function loadTape(options: { folder: string; findProvider: FindProvider; allow?: readonly AllowedResidue[] }): { tape: LoadedTape | null; issues: Issue[] } {
  const { folder, findProvider } = options;
  const read = readManifestFile(folder);
  if (read.issue) return { tape: null, issues: [read.issue] };
  const { manifest, issues } = parseManifest(read.bytes.toString(), (name) => findProvider(name) !== null);
  if (!manifest || issues.length > 0) return { tape: null, issues };
  const indexers = new Map(manifest.connections.map((connection) => [connection.connectionId, new LaneIndexer(connection, findProvider(connection.provider) as ProviderAdapter, options.allow)]));
  const frames = readFrames(`${folder}/frames.jsonl`, indexers);
  issues.push(...frames.issues);
  if (frames.sha256 !== null && frames.sha256 !== manifest.framesSha256)
    issues.push(createIssue({ level: 'tape_load', code: 'frames_sha256_mismatch', file: framesFile, is: `its SHA-256 is ${frames.sha256}`, needed: `the manifest says ${manifest.framesSha256}` }));
  if (frames.sha256 !== null && frames.count !== manifest.frameCount)
    issues.push(createIssue({ level: 'tape_load', code: 'frame_count_mismatch', file: framesFile, is: `it has ${frames.count} frames`, needed: `the manifest says ${manifest.frameCount}` }));
  const lanes = [...indexers.values()].map((indexer) => indexer.finish());
  for (const indexer of indexers.values()) issues.push(...indexer.issues);
  if (issues.some((issue) => issue.severity === 'error')) return { tape: null, issues };
  const observations = lanes.flatMap((lane) => lane.observations).sort((a, b) => a.globalSeq - b.globalSeq || a.position.unitIndex - b.position.unitIndex);
  const durationMs = Math.max(0, ...lanes.map((lane) => lane.chunks.at(-1)?.elapsedMs ?? 0));
  const manifestSha256 = createHash('sha256').update(read.bytes).digest('hex');
  return { tape: { folder, manifest, manifestSha256, lanes, observations, durationMs }, issues };
}

function readManifestFile(folder: string): { bytes: Buffer; issue: null } | { bytes: null; issue: Issue } {
  const path = `${folder}/manifest.json`;
  const file = 'provider/manifest.json';
  const refuse = (code: IssueCode, is: string, needed: string) => ({ bytes: null, issue: createIssue({ level: 'tape_load', code, file, is, needed }) });
  try {
    const stat = lstatSync(path);
    if (!stat.isFile()) return refuse('file_not_regular', 'it is no regular file', 'a plain file was needed');
    if (stat.size > limits.manifestBytesMax) return refuse('manifest_too_large', `it has ${stat.size} bytes`, `at most ${limits.manifestBytesMax} were expected`);
    return { bytes: readFileSync(path), issue: null };
  } catch (error) {
    return refuse('manifest_missing', `it cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown'})`, 'a tape manifest was needed');
  }
}

type FramesRead = { sha256: string | null; count: number; issues: Issue[] };

function readFrames(path: string, indexers: ReadonlyMap<string, LaneIndexer>): FramesRead {
  const issues: Issue[] = [];
  const add = (code: IssueCode, line: number | null, is: string, needed: string) => {
    if (issues.length < issueCountMax) issues.push(createIssue({ level: 'tape_load', code, file: framesFile, line, is, needed }));
  };
  let descriptor: number;
  try {
    if (!lstatSync(path).isFile()) throw Object.assign(new Error(), { code: 'no regular file' });
    descriptor = openSync(path, 'r');
  } catch (error) {
    add('frames_missing', null, `it cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown'})`, 'the recorded frames were needed');
    return { sha256: null, count: 0, issues };
  }
  try {
    if (fstatSync(descriptor).size > limits.storedBytesMax) {
      add('tape_too_large', null, `it has ${fstatSync(descriptor).size} bytes`, `at most ${limits.storedBytesMax} were expected`);
      return { sha256: null, count: 0, issues };
    }
    const hash = createHash('sha256');
    const splitter = new LineSplitter();
    let count = 0;
    let offset = 0;
    const take = (line: Buffer) => {
      count++;
      takeFrame({ line, lineNumber: count, offset, indexers, add });
      offset += line.length;
    };
    const block = Buffer.allocUnsafe(blockBytes);
    for (let bytes = readSync(descriptor, block); bytes > 0; bytes = readSync(descriptor, block)) {
      const piece = block.subarray(0, bytes);
      hash.update(piece);
      // The block is read into again: lines are taken at once, and only the unfinished one is copied.
      const end = piece.lastIndexOf(10) + 1;
      for (const line of splitter.push(piece.subarray(0, end))) take(line);
      splitter.push(Buffer.from(piece.subarray(end)));
      if (splitter.pendingBytes > limits.frameLineBytesMax) {
        add('frame_line_too_long', count + 1, `it is over ${limits.frameLineBytesMax} bytes`, 'a shorter line was needed');
        return { sha256: null, count, issues };
      }
    }
    const rest = splitter.take();
    if (rest.length > 0) take(rest);
    return { sha256: hash.digest('hex'), count, issues };
  } finally {
    closeSync(descriptor);
  }
}

type Taken = { line: Buffer; lineNumber: number; offset: number; indexers: ReadonlyMap<string, LaneIndexer>; add: (code: IssueCode, line: number, is: string, needed: string) => void };

function takeFrame({ line, lineNumber, offset, indexers, add }: Taken): void {
  const chunk = parseChunkLine(line.toString());
  if (typeof chunk === 'string') return add('frame_invalid', lineNumber, chunk, 'a recorded chunk was needed');
  if (chunk.globalSeq !== lineNumber) add('frame_order_invalid', lineNumber, `globalSeq is ${chunk.globalSeq}`, `${lineNumber} was needed`);
  if (chunk.data.length > limits.frameBytesMax) add('frame_too_large', lineNumber, `its payload has ${chunk.data.length} bytes`, `at most ${limits.frameBytesMax} were expected`);
  const indexer = indexers.get(chunk.connectionId);
  if (!indexer) {
    if (chunk.kind !== 'exit') add('frame_connection_unknown', lineNumber, `connection ${JSON.stringify(chunk.connectionId)} is not in the manifest`, 'a listed connection was needed');
    return;
  }
  indexer.take(chunk, { offset, lineBytes: line.length });
}

const blockBytes = 262_144;
// A tampered tape repeats one fault in every line; a hundred are enough to see it.
const issueCountMax = 100;
