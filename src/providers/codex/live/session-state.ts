/** What the adapter knows of one Codex thread between two messages. It is a value: each message makes the next one. */

import type { ActivityReport, MessageReport } from '../../../core/agent/report.ts';
import type { InteractiveDisposition } from '../../../core/agent/runtime.ts';
import type { TurnError } from '../../../core/agent/views.ts';
import type { Json, JsonObject } from '../../../core/json/exact.ts';
import type { RpcError, ServerMessage } from './codec.ts';
import type { Change, FileEdit } from './file-edits.ts';

/** A message of the turn that has not ended. `text` is what was streamed where the row does not tell it. */
export type OpenItem = Pick<MessageReport, 'messageId' | 'role' | 'kind'> & { title: string; text: string; hasSummary: boolean; changes: readonly Change[] };

export type TurnState = {
  /** The Host's name. */
  turnId: string;
  providerTurnId: string;
  /** Codex has told that it runs. */
  hasBegun: boolean;
  isCancelRequested: boolean;
  /** By item id. */
  open: ReadonlyMap<string, OpenItem>;
  edits: readonly FileEdit[];
  /** The last error that Codex will not retry. */
  error: TurnError | null;
};

/** A question of the server; `serverId` is its own id, which starts anew and is not unique. */
export type Ask = { requestId: string; turnId: string; serverId: Json; dialect: 'item' | 'legacy'; disposition: InteractiveDisposition };

export type Held = { providerTurnId: string; message: ServerMessage };

export type SessionState = {
  /** The root thread; null until the handshake's answer. */
  threadId: string | null;
  /** Key of the request that opens it. */
  opening: string | null;
  /** Turns that were sent and not answered: key of the request's id → the Host's turn id. */
  starting: ReadonlyMap<string, string>;
  /** Accepted turns that have not ended, by the provider's id. */
  turns: ReadonlyMap<string, TurnState>;
  /** The Host's ids of the turns whose end Codex told. */
  ended: ReadonlySet<string>;
  /** By request id; ended ones stay for a while. */
  asks: ReadonlyMap<string, Ask>;
  /** Output of turns that nobody has accepted yet, in order (provider acceptance barrier). */
  held: readonly Held[];
};

/** The rows of a report, without whose and which unit's it is. */
export type Rows = Omit<ActivityReport, 'ref' | 'unit'>;

/** What happens once the rows are committed. */
export type Effect =
  | { kind: 'answer'; id: Json; result: Json }
  | { kind: 'refusal'; id: Json; error: RpcError }
  | { kind: 'turn-begun'; turnId: string }
  | { kind: 'turn-ended'; turnId: string }
  | { kind: 'reply'; message: JsonObject }
  | { kind: 'note'; text: string };

export type Reduced = { state: SessionState; rows: Rows; effects: readonly Effect[] };

export const emptyState: SessionState = { threadId: null, opening: null, starting: new Map(), turns: new Map(), ended: new Set(), asks: new Map(), held: [] };

export function unchanged(state: SessionState, ...effects: Effect[]): Reduced {
  return { state, rows: {}, effects };
}

export function withEntry<K, V>(map: ReadonlyMap<K, V>, key: K, value: V, countMax = Infinity): ReadonlyMap<K, V> {
  const next = new Map(map).set(key, value);
  for (const oldest of next.keys()) {
    if (next.size <= countMax) break;
    next.delete(oldest);
  }
  return next;
}

export function withoutEntry<K, V>(map: ReadonlyMap<K, V>, key: K): ReadonlyMap<K, V> {
  const next = new Map(map);
  next.delete(key);
  return next;
}

export function withTurn(state: SessionState, turn: TurnState): SessionState {
  return { ...state, turns: withEntry(state.turns, turn.providerTurnId, turn) };
}

/** Codex counts by its own ids, the Host by its own. */
export function findTurn(state: SessionState, turnId: string): TurnState | null {
  return [...state.turns.values()].find((turn) => turn.turnId === turnId) ?? null;
}

export function withEnded(ended: ReadonlySet<string>, turnId: string): ReadonlySet<string> {
  return new Set([...ended, turnId].slice(-keptCountMax));
}

export function hasRows(rows: Rows): boolean {
  return Object.keys(rows).length > 0;
}

/** Rows of two messages as those of one report, in order. */
export function mergeRows(first: Rows, second: Rows): Rows {
  const messages = [...(first.messages ?? []), ...(second.messages ?? [])];
  const interactions = [...(first.interactions ?? []), ...(second.interactions ?? [])];
  const turn = first.turn && second.turn ? { ...first.turn, ...second.turn } : (second.turn ?? first.turn);
  const session = first.session && second.session ? { ...first.session, ...second.session } : (second.session ?? first.session);
  const rootProviderTurn = second.rootProviderTurn ?? first.rootProviderTurn;
  return { ...(session && { session }), ...(turn && { turn }), ...(rootProviderTurn && { rootProviderTurn }), ...(messages.length > 0 && { messages }), ...(interactions.length > 0 && { interactions }) };
}

/** Questions and ended turns that are remembered. */
export const keptCountMax = 1_024;
/** Messages that are held for one acceptance. */
export const heldCountMax = 10_000;
