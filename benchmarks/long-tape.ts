/** A tape that a real session could have left, only long: a greeting, then notifications of one size, 128 MiB in all. */

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { nodeDisk } from '../src/tape/node-disk.ts';
import { TapeWriter } from '../src/tape/writer.ts';
import { makeTemp } from './scratch.ts';

export const payloadBytes = 128 * 1_048_576;

export const greeting = {
  initialize: `${JSON.stringify({ method: 'initialize', id: 1, params: { clientInfo: { name: 'bench', title: 'Bench', version: '1.0.0' } } })}\n`,
  result: `${JSON.stringify({ id: 1, result: { userAgent: 'bench/0.171.0', platformFamily: 'unix', platformOs: 'linux' } })}\n`,
  initialized: `${JSON.stringify({ method: 'initialized' })}\n`,
};

const known = new Map<number, string>();

/** Generated once in a run for each size; the tape lies in `provider/` of the folder. */
export function longTape(messageBytes: number): string {
  const made = known.get(messageBytes) ?? writeLongTape(messageBytes);
  known.set(messageBytes, made);
  return made;
}

function writeLongTape(messageBytes: number): string {
  const folder = makeTemp('tape');
  mkdirSync(folder, { recursive: true });
  const connectionId = 'connection-1';
  const tape = new TapeWriter({ folder: join(folder, 'provider'), disk: nodeDisk });
  tape.openConnection(
    { connectionId, provider: 'codex', agentSessionId: 'wrap', rootAgentSessionId: 'wrap', launchOrdinal: 1, cwdToken: '${SESSION_CWD:wrap:1}', captureOrigin: 'process-start', argv: ['app-server'] },
    { outbound: (bytes) => bytes, stdoutLine: (line) => line, stderrLine: (line) => line },
  );
  const add = (kind: 'outbound' | 'stdout', bytes: Buffer | string) => void tape.append(connectionId, { kind, bytes: Buffer.from(bytes as string), elapsedMs: 0 });
  add('outbound', greeting.initialize);
  add('stdout', greeting.result);
  add('outbound', greeting.initialized);
  const message = notificationOf(messageBytes);
  for (let written = 0; written < payloadBytes; written += messageBytes) add('stdout', message);
  // No exit: it is a session that was killed, so the stand-in lives until its stdin ends and can be looked at.
  tape.closeConnection(connectionId);
  tape.finalize(null);
  return folder;
}

/** One line of exactly that many bytes. */
export function notificationOf(messageBytes: number): Buffer {
  const params = { threadId: '01a22c7b-c467-7be3-8174-32d9efaac2d8', turnId: '01a22c7b-c606-7ed0-a3f5-218d6ecee697', itemId: 'call_1', delta: '' };
  const textOf = (delta: string) => `${JSON.stringify({ method: 'item/commandExecution/outputDelta', params: { ...params, delta } })}\n`;
  const words = 'the quick brown fox jumps over the lazy dog and writes the release note '.repeat(Math.ceil(messageBytes / 72));
  return Buffer.from(textOf(words.slice(0, messageBytes - textOf('').length)));
}
