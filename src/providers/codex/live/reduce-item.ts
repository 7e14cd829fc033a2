/** Items of a turn that stream and end, as messages. */

import type { MessageReport } from '../../../core/agent/report.ts';
import { type Json, type JsonObject } from '../../../core/json/exact.ts';
import { integerAt, objectAt, textAt } from '../../../core/json/read.ts';
import { addEdits, changesJson, editTitle, readChanges, type Change } from './file-edits.ts';
import { reasoningBreak, rowOf, streamedRow, titleOf, type ItemRow } from './items.ts';
import { unchanged, withEntry, withoutEntry, withTurn, type OpenItem, type Reduced, type SessionState, type TurnState } from './session-state.ts';

export type ItemMessage = { method: string; params: Json; turn: TurnState };

export function reduceItem(state: SessionState, { method, params, turn }: ItemMessage): Reduced {
  const item = objectAt(params, 'item');
  const streamed = { state, turn, itemId: textAt(params, 'itemId') ?? '', delta: textAt(params, 'delta') ?? '' };
  switch (method) {
    case 'item/started':
      return item ? itemStarted(state, turn, item) : unchanged(state);
    case 'item/completed':
      return item ? itemCompleted(state, turn, item) : unchanged(state);
    case 'item/agentMessage/delta':
      return textGrown(streamed, 'text');
    case 'item/plan/delta':
      return textGrown(streamed, 'plan');
    case 'item/reasoning/summaryTextDelta':
      return thoughtGrown(streamed, true);
    case 'item/reasoning/textDelta':
      return thoughtGrown(streamed, false);
    case 'item/reasoning/summaryPartAdded':
      return (integerAt(params, 'summaryIndex') ?? 0n) > 0n && turn.open.has(streamed.itemId) ? thoughtGrown({ ...streamed, delta: reasoningBreak }, true) : unchanged(state);
    case 'item/commandExecution/outputDelta':
      return outputGrown(streamed);
    case 'item/fileChange/patchUpdated':
      return patchUpdated(streamed, readChanges(params));
    default:
      return unchanged(state);
  }
}

type Streamed = { state: SessionState; turn: TurnState; itemId: string; delta: string };

function itemStarted(state: SessionState, turn: TurnState, item: JsonObject): Reduced {
  const row = rowOf(item, 'started');
  const itemId = textAt(item, 'id');
  if (!row || itemId === undefined) return unchanged(state);
  const open = { ...openItem(row), title: titleOf(item), changes: textAt(item, 'type') === 'fileChange' ? readChanges(item) : [] };
  return withMessages(withOpen(state, turn, itemId, open), [report(turn, row)]);
}

function itemCompleted(state: SessionState, turn: TurnState, item: JsonObject): Reduced {
  const itemId = textAt(item, 'id') ?? '';
  const known = turn.open.get(itemId);
  const row = rowOf(item, 'completed') ?? (known ? { ...known, status: 'completed' as const, payload: {} } : null);
  if (!row) return unchanged(state);
  const isApplied = textAt(item, 'type') === 'fileChange' && row.status === 'completed';
  const edits = isApplied ? addEdits(turn.edits, readChanges(item)) : turn.edits;
  return withMessages(withTurn(state, { ...turn, open: withoutEntry(turn.open, itemId), edits }), [report(turn, row)]);
}

function textGrown({ state, turn, itemId, delta }: Streamed, kind: 'text' | 'plan'): Reduced {
  const known = turn.open.get(itemId);
  if (known) return withMessages(state, [grown(turn, known, delta)]);
  const row = streamedRow(itemId, kind, delta);
  return withMessages(withOpen(state, turn, itemId, openItem(row)), [report(turn, row)]);
}

// A summary stands for the thought behind it where a model gives both.
function thoughtGrown({ state, turn, itemId, delta }: Streamed, isSummary: boolean): Reduced {
  const known = turn.open.get(itemId);
  if (known) return known.hasSummary && !isSummary ? unchanged(state) : withMessages(state, [grown(turn, known, delta)]);
  const row = streamedRow(itemId, 'reasoning', delta);
  return withMessages(withOpen(state, turn, itemId, { ...openItem(row), hasSummary: isSummary }), [report(turn, row)]);
}

// The output is told anew as a whole with each piece, so that is done for its beginning only; its end comes with the item.
function outputGrown({ state, turn, itemId, delta }: Streamed): Reduced {
  const known = turn.open.get(itemId);
  if (!known || known.text.length > liveOutputCharactersMax) return unchanged(state);
  const text = known.text + delta;
  const message: MessageReport = { ...base(turn, known), status: 'running', payload: { output: { text } } };
  return withMessages(withOpen(state, turn, itemId, { ...known, text }), [message]);
}

function patchUpdated({ state, turn, itemId }: Streamed, changes: readonly Change[]): Reduced {
  const known = turn.open.get(itemId);
  if (!known || changes.length === 0) return unchanged(state);
  const title = editTitle(changes);
  const message: MessageReport = { ...base(turn, known), status: 'running', payload: { title, input: { changes: changesJson(changes) } } };
  return withMessages(withOpen(state, turn, itemId, { ...known, title, changes }), [message]);
}

function grown(turn: TurnState, item: OpenItem, contentDelta: string): MessageReport {
  return { ...base(turn, item), status: 'running', contentDelta };
}

function report(turn: TurnState, row: ItemRow): MessageReport {
  return { ...base(turn, row), status: row.status, payload: row.payload };
}

function base(turn: TurnState, { messageId, role, kind }: Pick<OpenItem, 'messageId' | 'role' | 'kind'>): Pick<MessageReport, 'messageId' | 'turnId' | 'role' | 'kind'> {
  return { messageId, turnId: turn.turnId, role, kind };
}

function openItem({ messageId, role, kind }: ItemRow): OpenItem {
  return { messageId, role, kind, title: '', text: '', hasSummary: false, changes: [] };
}

function withOpen(state: SessionState, turn: TurnState, itemId: string, item: OpenItem): SessionState {
  return withTurn(state, { ...turn, open: withEntry(turn.open, itemId, item) });
}

function withMessages(state: SessionState, messages: MessageReport[]): Reduced {
  return { state, rows: { messages }, effects: [] };
}

/** Output of a running command that is shown before it ends. */
const liveOutputCharactersMax = 65_536;
