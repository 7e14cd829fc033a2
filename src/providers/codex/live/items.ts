/** Items of Codex as message rows: a chosen set of fields, no pid, time or usage (design ruling 11). */

import type { MessageReport } from '../../../core/agent/report.ts';
import type { MessageStatus } from '../../../core/agent/views.ts';
import { isObject, member, type Json, type JsonObject } from '../../../core/json/exact.ts';
import { listAt, objectAt, textAt } from '../../../core/json/read.ts';
import { changesJson, editTitle, readChanges } from './file-edits.ts';
import { withoutShell } from './shell-word.ts';

export type Stage = 'started' | 'completed';
export type ItemRow = Pick<MessageReport, 'messageId' | 'role' | 'kind'> & { status: MessageStatus; payload: JsonObject };

/** The row of an item; `null` for an item that is none, or that has nothing to show yet. */
export function rowOf(item: JsonObject, stage: Stage): ItemRow | null {
  const id = textAt(item, 'id');
  const type = textAt(item, 'type');
  if (id === undefined || type === undefined) return null;
  switch (type) {
    case 'agentMessage':
      return textRow({ id, kind: 'text', text: textAt(item, 'text') ?? '', stage });
    case 'plan':
      return textRow({ id, kind: 'plan', text: textAt(item, 'text') ?? '', stage });
    case 'reasoning':
      return reasoningRow(id, item, stage);
    default:
      return Object.hasOwn(tools, type) ? toolRow({ id, item, stage, tool: tools[type] as Tool, type }) : null;
  }
}

/** The row of a text that streams before, or without, its item. */
export function streamedRow(id: string, kind: 'text' | 'plan' | 'reasoning', text: string): ItemRow {
  return { messageId: id, role: 'assistant', kind, status: 'running', payload: { text } };
}

/** The message id of a tool's item. */
export function callMessageId(itemId: string): string {
  return `call:${itemId}`;
}

/** What a card or an approval calls the item. */
export function titleOf(item: Json): string {
  const type = textAt(item, 'type') ?? '';
  return isObject(item) && Object.hasOwn(tools, type) ? (tools[type] as Tool).title(item) : type;
}

function textRow({ id, kind, text, stage }: { id: string; kind: 'text' | 'plan'; text: string; stage: Stage }): ItemRow {
  return { ...streamedRow(id, kind, text), status: stage === 'started' ? 'running' : 'completed' };
}

// A thought often has no text at all: it stands nowhere before it has one.
function reasoningRow(id: string, item: JsonObject, stage: Stage): ItemRow | null {
  const parts = [listAt(item, 'summary'), listAt(item, 'content')].map((list) => (list ?? []).filter((part) => typeof part === 'string').join(reasoningBreak));
  const text = parts.find((part) => part !== '') ?? '';
  return stage === 'started' || text === '' ? null : { ...streamedRow(id, 'reasoning', text), status: 'completed' };
}

function toolRow({ id, item, stage, tool, type }: { id: string; item: JsonObject; stage: Stage; tool: Tool; type: string }): ItemRow {
  const status = callStatus(textAt(item, 'status'), stage);
  const output = stage === 'completed' ? tool.output(item) : null;
  const payload: JsonObject = { callId: id, name: tool.name ?? type, title: tool.title(item), status, input: tool.input(item), ...(output && { output }) };
  return { messageId: callMessageId(id), role: 'tool', kind: 'tool_call', status: messageStatus[status], payload };
}

function callStatus(status: string | undefined, stage: Stage): keyof typeof messageStatus {
  if (stage === 'started') return 'in_progress';
  return status === 'failed' || status === 'declined' ? status : 'completed';
}

type Tool = { name?: string; title: (item: JsonObject) => string; input: (item: JsonObject) => JsonObject; output: (item: JsonObject) => JsonObject | null };

const none = () => null;
const text = (item: Json, name: string) => textAt(item, name) ?? '';
const tools: { readonly [type: string]: Tool } = {
  commandExecution: {
    name: 'command',
    title: (item) => withoutShell(text(item, 'command')),
    input: (item) => ({ command: text(item, 'command'), cwd: text(item, 'cwd') }),
    output: (item) => ({ ...withText(textAt(item, 'aggregatedOutput')), exitCode: exitCodeOf(item) }),
  },
  fileChange: {
    name: 'file_change',
    title: (item) => editTitle(readChanges(item)),
    input: (item) => ({ changes: changesJson(readChanges(item)) }),
    output: none,
  },
  mcpToolCall: {
    title: (item) => `${text(item, 'server')}: ${text(item, 'tool')}`,
    input: (item) => ({ server: text(item, 'server'), tool: text(item, 'tool'), arguments: member(item, 'arguments') ?? null }),
    output: (item) => ({ text: textAt(objectAt(item, 'error'), 'message') ?? textsOf(listAt(objectAt(item, 'result'), 'content')) }),
  },
  dynamicToolCall: {
    title: (item) => text(item, 'tool'),
    input: (item) => ({ tool: text(item, 'tool'), arguments: member(item, 'arguments') ?? null }),
    output: (item) => ({ text: textsOf(listAt(item, 'contentItems')) }),
  },
  webSearch: { title: (item) => `Search ${text(item, 'query')}`, input: (item) => ({ query: text(item, 'query') }), output: none },
  collabAgentToolCall: { title: (item) => text(item, 'tool'), input: (item) => ({ tool: text(item, 'tool'), prompt: textAt(item, 'prompt') ?? null }), output: none },
  imageView: { title: () => 'View image', input: (item) => ({ path: text(item, 'path') }), output: none },
  imageGeneration: { title: () => 'Generate image', input: () => ({}), output: none },
};

function withText(output: string | undefined): JsonObject {
  return output === undefined ? {} : { text: output };
}

function exitCodeOf(item: JsonObject): number | null {
  const code = member(item, 'exitCode');
  return typeof code === 'number' ? code : null;
}

function textsOf(blocks: readonly Json[] | undefined): string {
  return (blocks ?? []).flatMap((block) => textAt(block, 'text') ?? []).join('\n');
}

// Who declined has the tool end without its work done, which readers of the status alone must see.
const messageStatus = { in_progress: 'running', completed: 'completed', failed: 'failed', declined: 'failed' } as const;
/** Stands between the parts of a thought. */
export const reasoningBreak = '\n\n';
