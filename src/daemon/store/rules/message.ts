/** How a report becomes part of a message (agent-host 2.1, streaming merge). */

import { isObject, setMember, writeJson, type Json, type JsonObject } from '../../../core/json/exact.ts';
import type { MessageReport } from '../../../core/agent/report.ts';
import type { MessageView } from '../../../core/agent/views.ts';

export type MessageContent = { status: string; payload: JsonObject };
export type MessageStep = { kind: 'insert' | 'update'; content: MessageContent } | { kind: 'already' } | { kind: 'conflict'; on: 'turn' | 'role' | 'kind' };

export function stepMessage(existing: MessageView | null, report: MessageReport): MessageStep {
  if (!existing) return { kind: 'insert', content: merge({ status: '', payload: {} }, report) };
  const on = conflictOf(existing, report);
  if (on) return { kind: 'conflict', on };
  // Something that came late or twice; it would put an older text in the place of the final one.
  if (isTerminal(existing.status) && existing.status !== report.status) return { kind: 'already' };
  const content = merge(existing, report);
  const isSame = content.status === existing.status && writeJson(content.payload) === writeJson(existing.payload);
  return isSame ? { kind: 'already' } : { kind: 'update', content };
}

export function isTerminal(status: string): boolean {
  return status === 'completed' || status === 'failed' || status === 'canceled' || status === 'errored';
}

/** Members of objects merge at any depth; everything else replaces what is there. */
export function mergeDeep(base: JsonObject, change: JsonObject): JsonObject {
  const merged: JsonObject = { ...base };
  for (const [name, value] of Object.entries(change)) {
    const old = Object.hasOwn(base, name) ? base[name] : undefined;
    setMember(merged, name, isObject(old) && isObject(value) ? mergeDeep(old, value) : value);
  }
  return merged;
}

function merge(existing: MessageContent, report: MessageReport): MessageContent {
  const payload = mergeDeep(existing.payload, report.payload ?? {});
  if (report.contentDelta !== undefined) payload['text'] = `${textOf(payload['text'])}${report.contentDelta}`;
  const hasStaleError = report.kind === 'tool_call' && report.status === 'completed' && report.payload?.['error'] === undefined;
  if (hasStaleError) delete payload['error'];
  return { status: report.status, payload };
}

function conflictOf(existing: MessageView, report: MessageReport): 'turn' | 'role' | 'kind' | null {
  if (report.turnId !== null && report.turnId !== existing.turnId) return 'turn';
  if (report.role !== existing.role) return 'role';
  return report.kind === existing.kind ? null : 'kind';
}

function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}

/** Whether a kind of message needs a turn, may not have one, or may be either way. */
export function turnOfKind(kind: string): 'needed' | 'forbidden' | 'free' {
  if (kind === 'session_audit' || kind === 'collaboration') return 'forbidden';
  return kind === 'notice' ? 'free' : 'needed';
}
