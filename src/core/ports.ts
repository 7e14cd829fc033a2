/** What the world gives: time, ids, disk and provider processes come in as arguments (design, rooms). */

import type { Buffer } from 'node:buffer';

export type Clock = {
  /** Milliseconds, monotonic. */
  now: () => number;
  /** Calls once after at least `ms`; the result cancels. */
  after: (ms: number, call: () => void) => () => void;
};

export type AppendFile = { append: (bytes: Buffer) => void; sync: () => void; close: () => void };

export type Disk = {
  makeFolder: (path: string) => void;
  openAppend: (path: string) => AppendFile;
  /** Writes beside the target and renames over it. */
  writeWhole: (path: string, text: string) => void;
  readWhole: (path: string) => Buffer;
};

/** One provider process to start (replay-runtime 1.1). */
export type ProcessSpec = {
  provider: string;
  agentSessionId: string;
  /** The session at the top; the session itself where blank. */
  rootAgentSessionId: string;
  command: string[];
  /** `NAME=value` */
  env: string[];
  cwd: string;
  /** The project folder of the protocol, where it is not the process's. */
  protocolCwd: string;
};

export type FrameStamp = { recordingId: string; connectionId: string; chunkSeq: number };

export type ProcessFrame = { stamp: FrameStamp } & (
  | { kind: 'stdout'; bytes: Buffer }
  | { kind: 'stderr'; bytes: Buffer }
  | { kind: 'exit'; exitCode: number; message: string | null }
);

export type UnitKind = 'protocol-message' | 'mapped-stderr-message' | 'process-exit';
export type UnitPosition = { connectionId: string; chunkSeq: number; unitIndex: number };
/** `recordingId` is the recording the message was received under; absent or blank outside one (replay-runtime 1.3). */
export type InputUnit = { position: UnitPosition; kind: UnitKind; recordingId?: string };

export type ProcessConnection = {
  send: (bytes: Buffer) => Promise<void>;
  /** The next frame; `null` after the end. A cancelled wait leaves the connection usable. */
  recv: (signal?: AbortSignal) => Promise<ProcessFrame | null>;
  close: () => Promise<void>;
  closeInput?: () => void;
  terminate?: () => void;
  kill?: () => void;
  /** The caller has handled a message completely; may wait at a checkpoint. */
  completeProviderInputUnit?: (unit: InputUnit) => Promise<void>;
  captureOrigin?: () => 'process-start' | 'attached-live-connection';
};

export type ProcessTransport = {
  start: (spec: ProcessSpec) => Promise<ProcessConnection>;
  tracksProviderInputUnits: boolean;
};

export const emptyStamp: FrameStamp = { recordingId: '', connectionId: '', chunkSeq: 0 };

/** Root identity of a launch; identities are compared without surrounding white space (replay-runtime 1.1). */
export function rootOf(spec: { agentSessionId: string; rootAgentSessionId: string }): string {
  return spec.rootAgentSessionId.trim() || spec.agentSessionId.trim();
}
