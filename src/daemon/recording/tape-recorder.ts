/** The recorder of provider bytes as this room needs it: the composition hands in the one of `src/tape`. */

import type { Json } from '../../core/json/exact.ts';
import type { InputUnit, ProcessTransport } from '../../core/ports.ts';
import type { Direction } from '../../core/provider/adapter.ts';
import type { TapeManifest } from '../../core/tape/manifest.ts';

/** What the recorder tells while it records. */
export type TapeHooks = {
  /** A message was handled completely. */
  onUnit: (unit: InputUnit) => void;
  /** A message has arrived, and nobody has read it yet. */
  onReceived: (unit: InputUnit) => void;
  /** A chunk was written to a connection. */
  onAnswered: (connectionId: string) => void;
  /** A message as it is kept. */
  onMessage: (connectionId: string, direction: Direction, message: Json) => void;
};

export type TapeRecorder = ProcessTransport & {
  /** Processes of this root session are captured from here on. */
  arm: (options: { rootSessionId: string; recordingId: string; folder: string }) => void;
  /** Ends the tape; live processes go on. Throws where it is worth nothing. */
  complete: (rootSessionId: string) => TapeManifest;
  cancel: (rootSessionId: string) => void;
  finalize: () => Promise<void>;
};
