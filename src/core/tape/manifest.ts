/** The tape manifest, schema v4 (cassette-contract 5.2 and 5.3), with our extra members `argv` and `recordedWith`. */

export const tapeSchemaVersion = 4;
export const tapeProjectionVersion = 1;

export type CaptureOrigin = 'process-start' | 'attached-live-connection';

export type TapeConnection = {
  connectionId: string;
  provider: string;
  agentSessionId: string;
  rootAgentSessionId: string;
  /** From 1, per session and provider. */
  launchOrdinal: number;
  cwdToken: string;
  captureOrigin: CaptureOrigin;
  /** Extra member of ours: the projected arguments after the program's name (stand-in b8). */
  argv?: string[];
  /** Extra member of ours: `chunkSeq` of the last chunk before the product closed its pipe or signalled (stand-in b3, c7). */
  inputEndedAt?: number;
};

export type KindCounts = { frameCount: number; payloadBytes: number; storedBytes: number };

export type RecordedWith = { playhead: string; provider: { name: string; version: string | null }; platform: string };

export type TapeManifest = {
  schemaVersion: 4;
  projectionVersion: 1;
  status: 'incomplete' | 'complete';
  frameCount: number;
  payloadBytes: number;
  storedBytes: number;
  /** The largest payload seen, not the limit. */
  maxFrameBytes: number;
  limits: { maxFrameBytes: number; maxStoredBytes: number };
  framesByKind: { [kind: string]: KindCounts };
  framesSha256: string;
  connections: TapeConnection[];
  recordedWith?: RecordedWith;
};

/** `${SESSION_CWD:<session>:<ordinal>}`, the portable name of the project folder of one launch. */
export function cwdTokenOf(agentSessionId: string, launchOrdinal: number): string {
  return `\${SESSION_CWD:${agentSessionId}:${launchOrdinal}}`;
}

/** Session and root id of everything a stand-in records. */
export const wrapSessionId = 'wrap';
/** Session id of launches that speak no protocol (`codex --version`): optional, repeatable, outside the ordinals (stand-in b8). */
export const plainSessionId = 'wrap-plain';

export function isPlain(connection: Pick<TapeConnection, 'agentSessionId'>): boolean {
  return connection.agentSessionId === plainSessionId;
}
