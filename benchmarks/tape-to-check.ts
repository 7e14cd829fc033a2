/** A tape of a given size as a long session leaves it: mostly deltas of some hundred bytes, now and then output of many KiB. */

import { createHash } from 'node:crypto';
import { closeSync, mkdirSync, openSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { cwdTokenOf } from '../src/core/tape/manifest.ts';
import { writeChunkLine } from '../src/core/tape/chunk.ts';
import { makeTemp } from './scratch.ts';

const made = new Map<number, string>();

/** The folder that holds `manifest.json` and `frames.jsonl` of that many bytes or a few less. Made once in a run. */
export function tapeToCheck(frameBytes: number): string {
  const folder = made.get(frameBytes) ?? writeTape(frameBytes);
  made.set(frameBytes, folder);
  return folder;
}

function writeTape(frameBytes: number): string {
  const folder = join(makeTemp('check'), 'provider');
  mkdirSync(folder, { recursive: true });
  const descriptor = openSync(join(folder, 'frames.jsonl'), 'w');
  const hash = createHash('sha256');
  let written = 0;
  let frameCount = 0;
  for (let n = 1; ; n++) {
    const kind = n === 1 ? 'outbound' : 'stdout';
    const line = Buffer.from(writeChunkLine({ connectionId, chunkSeq: n, globalSeq: n, elapsedMs: n * 3, kind, data: messageOf(n), exitCode: null, message: null }));
    if (written + line.length > frameBytes) break;
    hash.update(line);
    writeSync(descriptor, line);
    written += line.length;
    frameCount = n;
  }
  closeSync(descriptor);
  const connection = { connectionId, provider: 'codex', agentSessionId: 'wrap', rootAgentSessionId: 'wrap', launchOrdinal: 1, cwdToken: cwdTokenOf('wrap', 1), captureOrigin: 'process-start', argv: ['app-server'] };
  writeFileSync(join(folder, 'manifest.json'), JSON.stringify({ schemaVersion: 4, projectionVersion: 1, status: 'complete', frameCount, framesSha256: hash.digest('hex'), connections: [connection] }));
  return folder;
}

function messageOf(n: number): Buffer {
  if (n === 1) return line({ method: 'initialize', id: 1, params: { clientInfo: { name: 'bench', title: 'Bench', version: '1.0.0' } } });
  const place = { threadId: '01a22c7b-c467-7be3-8174-32d9efaac2d8', turnId: '01a22c7b-c606-7ed0-a3f5-218d6ecee697', itemId: `item_${n}` };
  if (n % 5_000 === 0) return line({ method: 'item/commandExecution/outputDelta', params: { ...place, delta: words(n, 262_144) } });
  if (n % 100 === 0) return line({ method: 'item/completed', params: { ...place, item: { id: `item_${n}`, type: 'commandExecution', command: 'npm test', cwd: '${SESSION_CWD:wrap:1}', status: 'completed', exitCode: 0, aggregatedOutput: words(n, 6_000), durationMs: n } } });
  if (n % 10 === 0) return line({ method: 'item/started', params: { ...place, item: { id: `item_${n}`, type: 'fileChange', status: 'inProgress', changes: [{ path: `\${SESSION_CWD:wrap:1}/src/file-${n}.ts`, kind: { type: 'update' }, diff: words(n, 700) }] } } });
  return line({ method: 'item/agentMessage/delta', params: { ...place, delta: words(n, 20 + (n % 60)) } });
}

function line(message: object): Buffer {
  return Buffer.from(`${JSON.stringify(message)}\n`);
}

// Quotes, line ends and letters beyond ASCII, as output has them.
const text = 'the quick brown fox says "jump" and writes\nthe release note for 1.0 – naïve, but done \t'.repeat(4_000);

function words(from: number, length: number): string {
  return text.slice(from % 80, (from % 80) + length);
}

const connectionId = 'connection-1';
