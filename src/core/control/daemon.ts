/** How a runner steers a product that replays or records inside its own daemon: the port behind `Product.bridge` (replay-runtime 8). */

import type { ComposerDefaults } from '../cassette/manifest.ts';
import type { JsonObject } from '../json/exact.ts';
import type { Divergence, DivergenceFacts } from '../verdict/divergence.ts';
import type { LanePlaceView } from './lanes.ts';
import type { SealReply } from './surface.ts';

/** What a replaying daemon knows at one moment. */
export type ReplayStatus = {
  /** Rises with whatever happens: a lane, a commit, an event, a command. A wait ends by lack of it. */
  revision: number;
  /** Handled units. */
  lanes: LanePlaceView[];
  /** Sequences of intents that were accepted, and of effects whose command has begun. */
  accepted: number[];
  begun: number[];
  isDrained: boolean;
  /** Whether a turn of the root session or a child has not settled. */
  hasActiveTurn: boolean;
  divergence: Divergence | null;
  /** Milliseconds of the replay's clock since the daemon started. */
  divergenceAtMs: number | null;
  /** What a stall would be, as the tape stands: the earliest place at which a connection waits; null where none does. */
  missing: Divergence | null;
  launches: { expected: number; arrived: number; refused: number };
  /** Outbound chunks that matched, messages that were let through unmatched, inbound chunks handled, connections selected. */
  counts: { matched: number; absorbed: number; delivered: number; connections: number };
  playbackElapsedMs: number;
  /** Whether a lane waits for its recorded time: then nothing has to move. */
  waitsForTime: boolean;
  /** Windows that read the stream now. */
  windowCount: number;
};

/** `not_yet`: the trigger has not been seen. `not_ready`: it has, and the state does not hold what is needed. */
export type CheckpointReply =
  | { state: 'not_yet' }
  | { state: 'not_ready'; awaited: { predicate: string; needed: string; actual: string | null } }
  /** The window must have applied `revision`, and must show each of these entities with its status. */
  | { state: 'reached'; revision: number; shows: ShownEntity[] };

/** A live entity that a window shows; ids are of this run. */
export type ShownEntity = { kind: 'session' | 'turn' | 'interaction' | 'message'; sessionId: string; id: string; status: string };

export type PlaybackCommand =
  | { command: 'pause' | 'resume' | 'clear-provider-cursor' }
  | { command: 'set-speed'; speed: number }
  | { command: 'set-timing'; timing: 'instant' | 'recorded' }
  /**
   * Holds every connection at its place, and one that is not named before its first unit. With `activityEventSequence` the
   * commands behind it that were begun when the lanes stood there wait too: a checkpoint shows what was before them.
   */
  | { command: 'set-provider-cursor'; providerConnections: LanePlaceView[]; activityEventSequence?: number };

/** The end of a replay: providers closed, state captured and compared. */
export type FinishReply = { divergence: Divergence | null; stateNodes: number };

export type ReplayDaemon = {
  status: () => Promise<ReplayStatus>;
  /** The next status whose revision is above `after`; at the latest when the signal aborts, then as things stand. */
  changed: (after: number, signal: AbortSignal) => Promise<ReplayStatus>;
  playback: (command: PlaybackCommand) => Promise<void>;
  verifyCheckpoint: (index: number) => Promise<CheckpointReply>;
  /** First write wins: gives the divergence that stands. */
  report: (facts: DivergenceFacts) => Promise<Divergence>;
  sent: () => Promise<JsonObject[]>;
  captureState: () => Promise<JsonObject>;
  finish: () => Promise<FinishReply>;
};

/** What a recording daemon knows at one moment. */
export type RecordStatus = {
  revision: number;
  /** `preparing` until it can be armed, `complete` when the candidate holds everything. */
  status: string;
  error: { code: string; message: string } | null;
  rootAgentSessionId: string | null;
  agentTargetId: string;
  composerDefaults: ComposerDefaults;
  createdAtUnixMs: number;
  /** Activity events that were accepted. */
  acceptedCount: number;
  lanes: LanePlaceView[];
  hasActiveTurn: boolean;
};

export type RecordDaemon = {
  status: () => Promise<RecordStatus>;
  changed: (after: number, signal: AbortSignal) => Promise<RecordStatus>;
  /** `defects` are what the window holds against sealing. Settles, captures, and writes the candidate's documents; rejects with the recording's own code. */
  complete: (defects: SealReply['defects']) => Promise<RecordStatus>;
  sent: () => Promise<JsonObject[]>;
};
