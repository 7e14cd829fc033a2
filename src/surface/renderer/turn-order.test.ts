import { expect, test } from 'vitest';
import type { InteractionEntry, TranscriptEntry } from '../engine/shown.ts';
import { orderParts } from './turn-order.ts';

const base = { agentSessionId: 's', turnId: 't', status: 'completed' };
const say = (key: string): TranscriptEntry => ({ ...base, key, messageId: key, kind: 'assistant', text: key, isStreaming: false });
const call = (callId: string): TranscriptEntry => ({ ...base, key: callId, messageId: callId, kind: 'tool', tool: { callId, name: 'command', title: callId, status: 'completed', input: {}, output: null } });
const ask = (requestId: string, status: InteractionEntry['status']): InteractionEntry => ({
  agentSessionId: 's', turnId: 't', requestId, kind: 'approval', status, answer: null, toolName: 'command', title: '', command: null, cwd: null, reason: null, changes: [], options: [], isAnswering: false,
});

const rows: [what: string, entries: TranscriptEntry[], interactions: InteractionEntry[], order: string][] = [
  ['entries as they are', [say('a'), call('c')], [], 'a c'],
  ['an answered question below its call', [call('c'), say('a')], [ask('t:c:0', 'answered')], 'c t:c:0 a'],
  ['two questions of one call in their order', [call('c'), say('a')], [ask('t:c:0', 'superseded'), ask('t:c:1', 'answered')], 'c t:c:0 t:c:1 a'],
  ['a question that waits last, and its call marked', [call('c'), say('a')], [ask('t:c:0', 'pending')], 'c? a t:c:0'],
  ['an answered question of no shown call last', [say('a')], [ask('t:x:0', 'answered')], 'a t:x:0'],
  ['one call whose name ends like another apart', [call('c'), call('xc')], [ask('t:xc:0', 'answered')], 'c xc t:xc:0'],
  ['a call without a name unmarked', [call('')], [ask('t::0', 'pending')], ' t::0'],
];

test.each(rows)('orderParts() gives %s', (_what, entries, interactions, order) => {
  const names = orderParts({ entries, interactions }).map((part) => (part.kind === 'entry' ? `${part.entry.key}${part.isAsked ? '?' : ''}` : part.interaction.requestId));
  expect(names.join(' ')).toBe(order);
});
