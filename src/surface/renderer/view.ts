/** All that the renderer shows at one moment: the one seam between components and engine. */

import type { ComposerView, FailureEntry, QueueEntry, SessionEntry, TranscriptTurn, WindowStatus } from '../engine/shown.ts';
import type { Connection } from '../engine/state.ts';

export type WindowView = {
  sessions: SessionEntry[];
  turns: TranscriptTurn[];
  queue: QueueEntry[];
  status: WindowStatus;
  connection: Connection;
  failures: FailureEntry[];
  composer: ComposerView;
};
