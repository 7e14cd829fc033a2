/** The first line on a daemon's standard input, as JSON; its end ends the daemon (design ruling 16, desktop-order c8). */

import type { Settings } from '../agent/views.ts';

export type DaemonBoot = {
  /** Private, writable. The database is `<stateDir>/agent.sqlite`, the log `<stateDir>/daemon.log`. */
  stateDir: string;
  /** The project folder: absolute, symlinks resolved. */
  projectDir: string;
  /** Built static files of the window. */
  rendererDir: string;
  /** Bearer tokens: of the window, and of whoever steers a record or replay. */
  windowToken: string;
  controlToken: string;
  composerDefaults: Settings;
  /** For the composition that records. */
  record?: RecordBoot;
  /** For the composition that replays. */
  replay?: ReplayBoot;
  /** Live provider programs, for live and record. */
  providers?: { [provider: string]: { command: string[]; env: { [name: string]: string } } };
};

export type RecordBoot = {
  recordingId: string;
  /** Where the candidate grows: `activity-events.jsonl`, `checkpoint-plan.json`, `expected-state.json`, `blobs/`, `provider/`, `.recording/`. */
  folder: string;
  agentTargetId: string;
  /** What may not be on the tape. */
  machine: { roots: string[]; host: string; user: string };
  recordedWith: { playhead: string; platform: string };
  /** Places of the tape that may keep machine residue. */
  allow: { method: string | null; rule: string }[];
};

export type ReplayBoot = {
  cassetteId: string;
  /** The cassette's folder; it was judged before. */
  folder: string;
  timing: 'instant' | 'recorded' | number;
};

/** The one line that a daemon prints when it listens. */
export type DaemonReady = { url: string };

export const workspaceId = '11111111-1111-4111-8111-111111111111';
