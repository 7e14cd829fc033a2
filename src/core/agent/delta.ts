/** What one transaction of the store did, as its rows before and after (agent-host 1.11, commit observer). */

import type { InputUnit } from '../ports.ts';
import type { InteractionView, MessageView, SessionView, TurnView } from './views.ts';

/** `before` is null for a row that is new. Rows that did not change are not there. */
export type RowChange<Row> = { before: Row | null; after: Row };

export type CommittedDelta = {
  transactionId: string;
  /** Counts the commits of this Host, from 1. */
  revision: number;
  /** The provider input unit whose report it was; null for a command or a recovery. */
  unit: InputUnit | null;
  sessions: RowChange<SessionView>[];
  turns: RowChange<TurnView>[];
  /** `appended` is the text that a streamed message grew by, where that is all that happened to it. */
  messages: (RowChange<MessageView> & { appended?: string })[];
  interactions: RowChange<InteractionView>[];
  /** What a failed create or send took back, because nothing of it had reached the provider; absent where there is none. */
  removed?: RemovedRows;
};

/** Rows that are gone, by their ids, which are unique in a workspace. */
export type RemovedRows = { sessionIds: string[]; turnIds: string[] };

/** Hears every commit, after it; what it throws is logged and changes nothing. */
export type CommitObserver = (delta: CommittedDelta) => void;
