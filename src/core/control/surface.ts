/** The bridge of a window, and how a runner reaches it: one port for Chromium and Electron (design rulings 22 and 23). */

import type { ShownEntity } from './daemon.ts';
import type { LanePlaceView } from './lanes.ts';

/** `globalThis.__playhead`, there only in record and replay. */
export type WindowBridge = {
  /** The app is mounted, its stream is open, and in replay the lane is loaded. */
  ready: () => Promise<true>;
  /** Replay: waits until the event's lanes are applied and its intent is ready, then dispatches it. */
  dispatch: (sequence: number) => Promise<DispatchReply>;
  /** Replay: waits for the result of the command that this effect recorded, and compares it. */
  verify: (sequence: number) => Promise<VerifyReply>;
  snapshot: () => BridgeSnapshot;
  /** Record: no further intent; what stands against sealing. */
  seal: () => Promise<SealReply>;
};

export type DispatchReply = { state: 'dispatched' };
export type VerifyReply = { state: 'verified' | 'diverged' };
export type SealReply = { defects: { kind: string; commandId: string; type: string }[] };

export type BridgeSnapshot = {
  /** The last event of the stream that the window has applied. */
  revision: number;
  /** Lanes behind it. */
  lanes: LanePlaceView[];
  /** What the window waits for now, for the message of a stall; null where it waits for nothing. */
  awaited: { sequence: number; what: string } | null;
  /** Commands on their way. */
  openCommands: { type: string; commandId: string }[];
};

/** One window of one replay. Calls reject with a `Fault` (`window_lost`) when it has gone. */
export type SurfaceDriver = {
  ready: () => Promise<void>;
  dispatch: (sequence: number) => Promise<DispatchReply>;
  verify: (sequence: number) => Promise<VerifyReply>;
  snapshot: () => Promise<BridgeSnapshot>;
  seal: () => Promise<SealReply>;
  /** The first of these entities that the window does not show, with what it shows instead; null where all are there. */
  findHidden: (entities: readonly ShownEntity[]) => Promise<{ entity: ShownEntity; shown: string | null } | null>;
  /** The window has gone: crashed or closed. */
  onLost: (listener: (why: string) => void) => void;
};
