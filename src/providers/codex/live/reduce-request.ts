/** What Codex asks its client: approvals become interactions, everything else is refused (replay-runtime 7, design ruling 18). */

import { isObject, isRawNumber, type Json, type JsonObject } from '../../../core/json/exact.ts';
import { listAt, textAt } from '../../../core/json/read.ts';
import { idKey, type ServerMessage } from './codec.ts';
import { changesJson } from './file-edits.ts';
import { callMessageId } from './items.ts';
import { withoutShell } from './shell-word.ts';
import { keptCountMax, unchanged, withEntry, type Ask, type Effect, type OpenItem, type Reduced, type SessionState, type TurnState } from './session-state.ts';

type Request = Extract<ServerMessage, { kind: 'request' }>;
type Approval = { dialect: Ask['dialect']; toolName: 'command' | 'file_change'; itemId: string };

/** The person's choices, as the decisions of Codex. */
export const decisions = {
  item: { approve: 'accept', approve_for_session: 'acceptForSession', deny: 'decline', abort: 'cancel' },
  legacy: { approve: 'approved', approve_for_session: 'approved_for_session', deny: 'denied', abort: 'abort' },
} as const satisfies { [dialect in Ask['dialect']]: { [option: string]: string } };
export type ApprovalOption = keyof typeof decisions.item;

/** `providerTurnId` is null where the request names no turn of the root thread. */
export function reduceRequest(state: SessionState, request: Request, providerTurnId: string | null): Reduced {
  const kind = Object.hasOwn(approvals, request.method) ? (approvals[request.method] as Kind) : null;
  if (!kind) return refuseUnknown(state, request);
  const turn = providerTurnId === null ? (kind.dialect === 'legacy' ? onlyTurn(state) : undefined) : state.turns.get(providerTurnId);
  if (!turn) return unchanged(state, refusalOutsideTurn(request.id), { kind: 'note', text: `${request.method} came outside of a turn` });
  const itemId = textAt(request.params, kind.itemMember);
  if (itemId === undefined) return refuse(state, request, { code: -32_602, message: `${kind.itemMember} was needed` });
  return ask(state, { request, turn, approval: { dialect: kind.dialect, toolName: kind.toolName, itemId } });
}

/** A question is over: without an answer of ours it was superseded. */
export function reduceResolved(state: SessionState, serverId: Json | undefined): Reduced {
  if (serverId === undefined) return unchanged(state);
  const found = [...state.asks.values()].findLast((one) => idKey(one.serverId) === idKey(serverId) && isOpen(one));
  if (!found) return unchanged(state);
  const disposition = found.disposition === 'resolving' ? 'answered' : 'superseded';
  const next = withAsk(state, { ...found, disposition });
  if (disposition === 'answered') return unchanged(next);
  const { turnId, requestId } = found;
  return { state: next, rows: { interactions: [{ turnId, requestId, kind: 'approval', status: 'superseded' }] }, effects: [] };
}

/** Who asks outside of a turn gets no person to answer. */
export function refusalOutsideTurn(id: Json): Effect {
  return { kind: 'reply', message: { id, error: { code: -32_000, message: 'no turn of this client asked for that' } } };
}

export function withAsk(state: SessionState, one: Ask): SessionState {
  return { ...state, asks: withEntry(state.asks, one.requestId, one, keptCountMax) };
}

function ask(state: SessionState, { request, turn, approval }: { request: Request; turn: TurnState; approval: Approval }): Reduced {
  const { itemId, toolName, dialect } = approval;
  const requestId = `${turn.providerTurnId}:${itemId}:${idText(request.id)}`;
  const input = inputOf(request.params, approval, turn.open.get(itemId));
  const metadata = { options: Object.keys(decisions.item) };
  const next = withAsk(state, { requestId, turnId: turn.turnId, serverId: request.id, dialect, disposition: 'pending' });
  return { state: next, rows: { interactions: [{ turnId: turn.turnId, requestId, kind: 'approval', status: 'pending', toolName, input, metadata }] }, effects: [] };
}

// The request for a file change holds none: they stand in the item that was started before it.
function inputOf(params: Json, { itemId, toolName }: Approval, item: OpenItem | undefined): JsonObject {
  const command = textAt(params, 'command') ?? commandLine(listAt(params, 'command'));
  const cwd = textAt(params, 'cwd');
  const reason = textAt(params, 'reason');
  const title = item?.title || (command === undefined ? toolName : withoutShell(command));
  return {
    toolCall: { toolCallId: itemId, title },
    ...(command !== undefined && { command }),
    ...(cwd !== undefined && { cwd }),
    ...(reason !== undefined && { reason }),
    ...(toolName === 'file_change' && { changes: changesJson(item?.messageId === callMessageId(itemId) ? item.changes : []) }),
  };
}

// What would have the client write a file or run something is denied; what nobody knows does not exist.
function refuseUnknown(state: SessionState, request: Request): Reduced {
  if (request.method === 'item/tool/call') {
    const result = { contentItems: [{ type: 'inputText', text: 'This client runs no tools' }], success: false };
    return unchanged(state, { kind: 'reply', message: { id: request.id, result } }, { kind: 'note', text: `${request.method} was denied` });
  }
  if (deniedMethods.has(request.method)) return refuse(state, request, { code: -32_000, message: 'this client denies that' });
  return refuse(state, request, { code: -32_601, message: 'this client has no such method' });
}

function refuse(state: SessionState, { id, method }: Request, error: { code: number; message: string }): Reduced {
  return unchanged(state, { kind: 'reply', message: { id, error } }, { kind: 'note', text: `${method} was refused: ${error.message}` });
}

function onlyTurn({ turns }: SessionState): TurnState | undefined {
  return turns.size === 1 ? [...turns.values()][0] : undefined;
}

function isOpen({ disposition }: Ask): boolean {
  return disposition === 'pending' || disposition === 'resolving';
}

function commandLine(words: readonly Json[] | undefined): string | undefined {
  return words?.filter((word) => typeof word === 'string').join(' ');
}

function idText(id: Json): string {
  if (typeof id === 'string') return id;
  return isRawNumber(id) || isObject(id) ? idKey(id) : String(id);
}

type Kind = { dialect: Ask['dialect']; toolName: Approval['toolName']; itemMember: string };
const approvals: { readonly [method: string]: Kind } = {
  'item/commandExecution/requestApproval': { dialect: 'item', toolName: 'command', itemMember: 'itemId' },
  'item/fileChange/requestApproval': { dialect: 'item', toolName: 'file_change', itemMember: 'itemId' },
  execCommandApproval: { dialect: 'legacy', toolName: 'command', itemMember: 'callId' },
  applyPatchApproval: { dialect: 'legacy', toolName: 'file_change', itemMember: 'callId' },
};
const deniedMethods = new Set(['item/permissions/requestApproval', 'item/tool/requestUserInput', 'mcpServer/elicitation/request', 'fs/write_text_file', 'fs/read_text_file', 'terminal/create']);
