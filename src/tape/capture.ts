/** Captures one connection into a tape; the live bytes never change (replay-runtime 1.3, 1.5). */

import type { Clock } from '../core/ports.ts';
import type { AllowedResidue } from '../core/projection/allow.ts';
import { createMessageProjector } from '../core/projection/message-projector.ts';
import type { MachineFacts } from '../core/projection/audit.ts';
import { createRoots, replaceRootsInText, toToken } from '../core/projection/roots.ts';
import type { Json } from '../core/json/exact.ts';
import type { Direction, ProviderAdapter } from '../core/provider/adapter.ts';
import { homeToken } from '../core/portable-path.ts';
import { cwdTokenOf, type CaptureOrigin, type TapeConnection } from '../core/tape/manifest.ts';
import type { ChunkInput, ConnectionProjection, TapeWriter } from './writer.ts';

export type Capture = {
  connectionId: string;
  outbound: (bytes: Buffer) => void;
  /** Gives the chunk's number on the connection. */
  stdout: (bytes: Buffer) => number;
  stderr: (bytes: Buffer) => number;
  exit: (exitCode: number, message: string | null) => number;
  /** The product closed its pipe or signalled. */
  inputEnded: () => void;
  /** What was kept turned out not to have happened: the recording is worth nothing. */
  fail: (error: Error) => void;
  detach: () => void;
};

export type CaptureOptions = {
  writer: TapeWriter;
  adapter: ProviderAdapter;
  clock: Clock;
  agentSessionId: string;
  rootAgentSessionId: string;
  launchOrdinal: number;
  captureOrigin: CaptureOrigin;
  /** Absent for launches without arguments of their own (in-process). */
  argv?: readonly string[];
  speaksProtocol: boolean;
  cwds: string[];
  homes: string[];
  machine: MachineFacts;
  allow?: readonly AllowedResidue[];
  onVersion?: (version: string) => void;
  onMessage?: (connectionId: string, direction: Direction, message: Json) => void;
};

export function openCapture(options: CaptureOptions): Capture {
  const { writer, adapter, clock } = options;
  const connectionId = writer.nextConnectionId();
  const cwdToken = cwdTokenOf(options.agentSessionId, options.launchOrdinal);
  const roots = createRoots({ cwds: options.cwds, cwdToken, homes: options.homes, homeToken });
  const machine = { ...options.machine, roots: [...options.machine.roots, ...roots.map((root) => root.path)] };
  const connection: TapeConnection = {
    connectionId,
    provider: adapter.id,
    agentSessionId: options.agentSessionId,
    rootAgentSessionId: options.rootAgentSessionId,
    launchOrdinal: options.launchOrdinal,
    cwdToken,
    captureOrigin: options.captureOrigin,
    ...(options.argv ? { argv: options.argv.map((arg) => toToken(arg, roots)) } : {}),
  };
  const projector = createMessageProjector({
    adapter,
    roots,
    machine,
    connectionId,
    ...(options.allow ? { allow: options.allow } : {}),
    onMessage: (direction, message) => {
      options.onMessage?.(connectionId, direction, message);
      const version = direction === 'inbound' ? adapter.versionOf(message) : null;
      if (version !== null) options.onVersion?.(version);
    },
  });
  const plainText = (line: Buffer) => {
    const text = line.toString();
    const projected = replaceRootsInText(text, roots);
    return projected === text ? line : Buffer.from(projected);
  };
  const projection: ConnectionProjection = options.speaksProtocol ? projector : { outbound: (bytes) => bytes, stdoutLine: plainText, stderrLine: projector.stderrLine };
  const startedMs = clock.now();
  let lastSeq = 0;
  let isAttached = true;
  writer.openConnection(connection, projection);

  const append = (input: ChunkInput) => {
    if (!isAttached) return lastSeq;
    lastSeq = writer.append(connectionId, { ...input, elapsedMs: clock.now() - startedMs });
    return lastSeq;
  };
  return {
    connectionId,
    outbound: (bytes) => void append({ kind: 'outbound', bytes }),
    stdout: (bytes) => append({ kind: 'stdout', bytes }),
    stderr: (bytes) => append({ kind: 'stderr', bytes }),
    exit: (exitCode, message) => append({ kind: 'exit', exitCode, message }),
    inputEnded() {
      connection.inputEndedAt ??= lastSeq;
    },
    fail: (error) => void (isAttached && writer.fail(error)),
    detach() {
      if (!isAttached) return;
      isAttached = false;
      writer.closeConnection(connectionId);
    },
  };
}
