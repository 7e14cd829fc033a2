/** The transcript of a session: its turns with their messages, in the order in which they grew. */

import { isObject, type Json, type JsonObject } from '../../core/json/exact.ts';
import { listAt, objectAt, textAt } from '../../core/json/read.ts';
import type { InteractionView, MessageView, TurnView } from '../../core/agent/views.ts';
import type { FileChangeEntry, InteractionEntry, ToolEntry, TranscriptEntry, TranscriptTurn } from './shown.ts';
import { userMessageId, type Prompt, type SessionState } from './state.ts';

/** All turns, and the prompt that is on its way in the turn that it opened, or at the end. */
export function transcriptOf(session: SessionState): TranscriptTurn[] {
  const turns = session.graph?.turns.map((turn) => turnEntry(session, turn)) ?? [];
  const loose = messagesOf(session, null).flatMap((message) => messageEntry(message) ?? []);
  const shown = loose.length > 0 ? [looseTurn(session, 'loose', loose), ...turns] : turns;
  const prompt = promptOnItsWay(session);
  if (!prompt) return shown;
  const entry = promptEntry(session, prompt);
  const opened = shown.findIndex(({ isActive, entries }) => isActive && !entries.some(({ kind }) => kind === 'user'));
  if (opened < 0) return [...shown, looseTurn(session, entry.key, [entry])];
  return shown.map((turn, index) => (index === opened ? { ...turn, entries: [entry, ...turn.entries] } : turn));
}

/** One question of a turn, as a person reads it. */
export function interactionEntry(session: SessionState, row: InteractionView): InteractionEntry {
  const { agentSessionId, turnId, requestId, kind, status, toolName, input, output, metadata } = row;
  return {
    agentSessionId, turnId, requestId, kind, status, toolName,
    answer: textAt(output ?? undefined, 'optionId') ?? textAt(output ?? undefined, 'action') ?? null,
    title: textAt(objectAt(input, 'toolCall'), 'title') ?? toolName,
    command: textAt(input, 'command') ?? null,
    cwd: textAt(input, 'cwd') ?? null,
    reason: textAt(input, 'reason') ?? null,
    changes: objectsAt(input, 'changes').map((change) => ({ path: textAt(change, 'path') ?? '', kind: textAt(change, 'kind') ?? '', diff: textAt(change, 'diff') ?? '' })),
    options: listAt(metadata, 'options')?.filter((option) => typeof option === 'string') ?? [],
    isAnswering: session.answers.some((answer) => answer.turnId === turnId && answer.requestId === requestId),
  };
}

/** The words of a prompt. */
export function promptText({ content, displayPrompt }: Pick<Prompt, 'content' | 'displayPrompt'>): string {
  return displayPrompt ?? content.map(({ text }) => text).join('\n');
}

function promptOnItsWay({ activation, sending, sent, graph }: SessionState): Prompt | null {
  const prompt = (activation && activation.phase !== 'failed' ? activation.prompt : null) ?? sending ?? sent;
  return prompt && graph?.messages.some(({ messageId }) => messageId === userMessageId(prompt.clientSubmitId)) ? null : prompt;
}

function turnEntry(session: SessionState, turn: TurnView): TranscriptTurn {
  const { turnId, phase, outcome, error, fileChanges } = turn;
  return {
    key: turnId, agentSessionId: session.agentSessionId, turnId, error,
    status: outcome ?? phase,
    isActive: phase !== 'settled',
    files: filesOf(fileChanges),
    entries: messagesOf(session, turnId).flatMap((message) => messageEntry(message) ?? []),
    interactions: (session.graph?.interactions ?? []).filter((row) => row.turnId === turnId).map((row) => interactionEntry(session, row)),
  };
}

function looseTurn({ agentSessionId }: SessionState, key: string, entries: TranscriptEntry[]): TranscriptTurn {
  return { key, agentSessionId, turnId: null, status: 'pending', isActive: false, error: null, files: [], entries, interactions: [] };
}

function promptEntry({ agentSessionId }: SessionState, prompt: Prompt): TranscriptEntry {
  return { kind: 'user', key: userMessageId(prompt.clientSubmitId), agentSessionId, turnId: null, messageId: null, status: 'sending', text: promptText(prompt), isPending: true };
}

function messagesOf({ graph }: SessionState, turnId: string | null): MessageView[] {
  return graph?.messages.filter((message) => message.turnId === turnId) ?? [];
}

/** Null for a kind that nobody shows. */
function messageEntry(message: MessageView): TranscriptEntry | null {
  const { agentSessionId, messageId, turnId, role, kind, status, payload } = message;
  const base = { key: messageId, agentSessionId, turnId, messageId, status };
  const text = textAt(payload, 'text') ?? '';
  if (kind === 'tool_call') return { ...base, kind: 'tool', tool: toolEntry(payload) };
  if (role === 'user') return { ...base, kind: 'user', text: textAt(payload, 'displayPrompt') ?? text, isPending: false };
  if (kind === 'notice') return { ...base, kind: 'notice', text, code: textAt(payload, 'code') ?? '' };
  if (kind === 'reasoning') return { ...base, kind: 'reasoning', text, isStreaming: status === 'running' };
  return kind === 'text' || kind === 'plan' ? { ...base, kind: 'assistant', text, isStreaming: status === 'running' } : null;
}

function toolEntry(payload: JsonObject): ToolEntry {
  const name = textAt(payload, 'name') ?? '';
  return { callId: textAt(payload, 'callId') ?? '', name, title: textAt(payload, 'title') ?? name, status: textAt(payload, 'status') ?? '', input: objectAt(payload, 'input') ?? {}, output: objectAt(payload, 'output') ?? null };
}

function filesOf(fileChanges: JsonObject | null): FileChangeEntry[] {
  return objectsAt(fileChanges ?? undefined, 'files').map((file) => ({ path: textAt(file, 'path') ?? '', change: textAt(file, 'change') ?? '', unifiedDiff: textAt(file, 'unifiedDiff') ?? '' }));
}

function objectsAt(value: Json | undefined, key: string): JsonObject[] {
  return listAt(value, key)?.filter(isObject) ?? [];
}
