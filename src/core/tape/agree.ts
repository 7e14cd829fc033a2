/** Whether two tapes tell the same session (stand-in b4): what may differ between two recordings is left out, nothing else. */

import { writeJson, type Json } from '../json/exact.ts';
import type { Observation, ProviderAdapter } from '../provider/adapter.ts';

export type Conversation = { connectionId: string; adapter: ProviderAdapter; outbound: Json[]; inbound: Json[]; kinds: Observation['kind'][] };
export type Disagreement = { connectionId: string; what: 'connections' | 'outbound' | 'inbound' | 'text' | 'observations' | 'causality' | 'state'; first: string; second: string };

export function compareTapes(first: readonly Conversation[], second: readonly Conversation[]): Disagreement[] {
  if (first.length !== second.length) return [{ connectionId: '', what: 'connections', first: String(first.length), second: String(second.length) }];
  const rest = [...second];
  return first.flatMap((conversation) => {
    // Launch order is a race; a connection is known by what was sent on it.
    const index = Math.max(0, rest.findIndex((other) => outboundKey(other) === outboundKey(conversation)));
    const [other] = rest.splice(index, 1);
    return other ? compareConversations(conversation, other) : [];
  });
}

function compareConversations(a: Conversation, b: Conversation): Disagreement[] {
  const found: Disagreement[] = [];
  const compare = (what: Disagreement['what'], first: string, second: string) => {
    if (first !== second) found.push({ connectionId: a.connectionId, what, first, second });
  };
  compare('outbound', outboundKey(a), outboundKey(b));
  compare('inbound', inboundKey(a), inboundKey(b));
  const texts = [deltaTexts(a), deltaTexts(b)] as const;
  for (const [item, text] of texts[0]) if (texts[1].has(item)) compare('text', text, texts[1].get(item) ?? '');
  compare('observations', [...a.kinds].sort().join('\n'), [...b.kinds].sort().join('\n'));
  for (const conversation of [a, b]) compare('causality', 'kept', isCausal(conversation.kinds) ? 'kept' : 'broken');
  return found;
}

function outboundKey(conversation: Conversation): string {
  return conversation.outbound.map((message) => maskedKey(withoutRequestId(message, conversation.adapter), conversation.adapter)).join('\n');
}

function inboundKey(conversation: Conversation): string {
  const { adapter } = conversation;
  return conversation.inbound.filter((message) => adapter.deltaOf(message) === null).map((message) => maskedKey(withoutResponseId(message, adapter), adapter)).sort().join('\n');
}

function deltaTexts(conversation: Conversation): Map<string, string> {
  const texts = new Map<string, string>();
  for (const message of conversation.inbound) {
    const delta = conversation.adapter.deltaOf(message);
    if (delta) texts.set(delta.item, (texts.get(delta.item) ?? '') + delta.text);
  }
  return texts;
}

function isCausal(kinds: readonly Observation['kind'][]): boolean {
  const opens = { 'tool.completed': 'tool.started', 'interaction.resolved': 'interaction.pending', 'turn.terminal': 'turn.working' } as const;
  return Object.entries(opens).every(([end, start]) => {
    let open = 0;
    return kinds.every((kind) => {
      if (kind === start) open++;
      if (kind === end) open--;
      return open >= 0;
    });
  });
}

function maskedKey(message: Json, adapter: ProviderAdapter): string {
  return writeJson(adapter.mask(message)).replaceAll(/\$\{SESSION_CWD:[^}]*\}/g, '${SESSION_CWD}');
}

function withoutRequestId(message: Json, adapter: ProviderAdapter): Json {
  return adapter.shapeOf(message).type === 'request' ? { ...(message as object), id: '<id>' } : message;
}

function withoutResponseId(message: Json, adapter: ProviderAdapter): Json {
  return adapter.shapeOf(message).type === 'response' ? { ...(message as object), id: '<id>' } : message;
}
