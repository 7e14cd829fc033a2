/** What a transaction changed: each touched row is read before its first change, and again at the end. */

import { writeJson, type Json, type JsonObject } from '../../core/json/exact.ts';
import type { CommittedDelta, RowChange } from '../../core/agent/delta.ts';
import type { InteractionView, MessageView, SessionRef, SessionView, TurnView } from '../../core/agent/views.ts';
import type { Connection, Row, Values } from './connection.ts';
import { interactionView, messageView, sessionView, turnView } from './rows.ts';

export type Touched = {
  session: (ref: SessionRef) => void;
  turn: (key: SessionRef & { turnId: string }) => void;
  message: (key: SessionRef & { messageId: string }) => void;
  interaction: (key: SessionRef & { turnId: string; requestId: string }) => void;
  changes: () => Pick<CommittedDelta, 'sessions' | 'turns' | 'messages' | 'interactions' | 'removed'>;
};

export function createTouched(sql: Connection): Touched {
  const key = 'workspace_id = $workspaceId and agent_session_id = $agentSessionId';
  const sessions = createTracker<SessionView>(sql, `select * from workspace_agent_sessions where ${key} and deleted_at_unix_ms = 0`, sessionView);
  const turns = createTracker<TurnView>(sql, `select * from workspace_agent_turns where ${key} and turn_id = $turnId`, turnView);
  const messages = createTracker<MessageView>(sql, `select * from workspace_agent_messages where ${key} and message_id = $messageId`, messageView);
  const interactions = createTracker<InteractionView>(sql, `select * from workspace_agent_interactions where ${key} and turn_id = $turnId and request_id = $requestId`, interactionView);
  return {
    session: ({ workspaceId, agentSessionId }) => sessions.touch({ workspaceId, agentSessionId }),
    turn: ({ workspaceId, agentSessionId, turnId }) => turns.touch({ workspaceId, agentSessionId, turnId }),
    message: ({ workspaceId, agentSessionId, messageId }) => messages.touch({ workspaceId, agentSessionId, messageId }),
    interaction: ({ workspaceId, agentSessionId, turnId, requestId }) => interactions.touch({ workspaceId, agentSessionId, turnId, requestId }),
    changes: () => {
      const removed = { sessionIds: sessions.removed().map(({ agentSessionId }) => agentSessionId), turnIds: turns.removed().map(({ turnId }) => turnId) };
      return {
        sessions: sessions.changes(),
        turns: turns.changes(),
        messages: messages.changes().map(withAppended),
        interactions: interactions.changes(),
        ...(removed.sessionIds.length + removed.turnIds.length > 0 && { removed }),
      };
    },
  };
}

/** The text a message grew by, where nothing else of it changed; a window then needs no more than that. */
export function appendedText(before: MessageView, after: MessageView): string | undefined {
  const [old, now] = [before.payload['text'] ?? '', after.payload['text']];
  if (typeof old !== 'string' || typeof now !== 'string' || now.length <= old.length || !now.startsWith(old)) return undefined;
  const isSame = writeJson(withoutText(before)) === writeJson(withoutText(after));
  return isSame ? now.slice(old.length) : undefined;
}

function withoutText(message: MessageView): Json {
  const { text: _text, ...payload }: JsonObject = message.payload;
  return { ...message, version: 0, payload };
}

function withAppended(change: RowChange<MessageView>): CommittedDelta['messages'][number] {
  const appended = change.before ? appendedText(change.before, change.after) : undefined;
  return appended === undefined ? change : { ...change, appended };
}

function createTracker<View>(sql: Connection, select: string, viewOf: (row: Row) => View) {
  const before = new Map<string, { key: Values; view: View | null }>();
  const read = (key: Values): View | null => {
    const row = sql.get(select, key);
    return row ? viewOf(row) : null;
  };
  const rows = () => [...before.values()].map(({ key, view }) => ({ before: view, after: read(key) }));
  return {
    touch: (key: Values): void => {
      const name = Object.values(key).join('\0');
      if (!before.has(name)) before.set(name, { key, view: read(key) });
    },
    changes: (): RowChange<View>[] => rows().flatMap(({ before: old, after }) => (after === null || JSON.stringify(old) === JSON.stringify(after) ? [] : [{ before: old, after }])),
    removed: (): View[] => rows().flatMap(({ before: old, after }) => (old !== null && after === null ? [old] : [])),
  };
}
