import { expect, test } from 'vitest';
import type { MessageReport } from '../../../core/agent/report.ts';
import type { JsonObject } from '../../../core/json/exact.ts';
import { mergeDeep, stepMessage, turnOfKind } from './message.ts';

type Was = { status: string; payload: JsonObject; kind?: string };
const view = ({ status, payload, kind = 'text' }: Was) => ({ agentSessionId: 's', messageId: 'm', version: 3, turnId: 't', role: 'assistant', kind, status, payload, semantics: null });
const check = (_title: string, was: Was | null, change: Partial<MessageReport>, expected: unknown) =>
  expect(stepMessage(was && view(was), { messageId: 'm', turnId: 't', role: 'assistant', kind: was?.kind ?? 'text', status: 'running', ...change })).toEqual(expected);
const update = (status: string, payload: JsonObject) => ({ kind: 'update', content: { status, payload } });

test.each<[string, Was | null, Partial<MessageReport>, unknown]>([
  ['makes a new one', null, { payload: { text: 'a' } }, { kind: 'insert', content: { status: 'running', payload: { text: 'a' } } }],
  ['makes a new one of a delta', null, { contentDelta: 'a' }, { kind: 'insert', content: { status: 'running', payload: { text: 'a' } } }],
  ['appends', { status: 'running', payload: { text: 'a' } }, { contentDelta: 'b' }, update('running', { text: 'ab' })],
  ['appends to nothing', { status: 'running', payload: {} }, { contentDelta: 'b' }, update('running', { text: 'b' })],
  ['puts the final text in the place of the streamed one', { status: 'running', payload: { text: 'a' } }, { status: 'completed', payload: { text: 'A.' } }, update('completed', { text: 'A.' })],
  ['says nothing new', { status: 'running', payload: { text: 'a' } }, { payload: { text: 'a' } }, { kind: 'already' }],
  ['does not run again', { status: 'completed', payload: { text: 'a' } }, { payload: { text: 'b' } }, { kind: 'already' }],
  ['does not grow behind its end', { status: 'failed', payload: { text: 'a' } }, { contentDelta: 'b' }, { kind: 'already' }],
  ['does not end in another way', { status: 'canceled', payload: {} }, { status: 'completed' }, { kind: 'already' }],
  ['learns more behind its end', { status: 'completed', payload: { text: 'a' } }, { status: 'completed', payload: { code: 1 } }, update('completed', { text: 'a', code: 1 })],
  ['merges deeply', { status: 'running', payload: { input: { a: 1, list: [1, 2] } } }, { payload: { input: { b: 2, list: [3] } } }, update('running', { input: { a: 1, list: [3], b: 2 } })],
  ['forgets the error of a call that completed', { status: 'running', kind: 'tool_call', payload: { error: 'x' } }, { status: 'completed' }, update('completed', {})],
  ['keeps the error of a call that failed', { status: 'running', kind: 'tool_call', payload: { error: 'x' } }, { status: 'failed' }, update('failed', { error: 'x' })],
  ['has another turn', { status: 'running', payload: {} }, { turnId: 'u' }, { kind: 'conflict', on: 'turn' }],
  ['names no turn', { status: 'running', payload: {} }, { turnId: null, payload: { text: 'a' } }, update('running', { text: 'a' })],
  ['has another role', { status: 'running', payload: {} }, { role: 'tool' }, { kind: 'conflict', on: 'role' }],
  ['has another kind', { status: 'running', payload: {} }, { kind: 'reasoning' }, { kind: 'conflict', on: 'kind' }],
])('stepMessage() of a report that %s', check);

test('mergeDeep() changes neither side, and __proto__ is an ordinary name', () => {
  const base = { a: { b: 1 } };
  const change = JSON.parse('{"a":{"c":2},"__proto__":{"polluted":true}}') as JsonObject;
  expect(Object.keys(mergeDeep(base, change))).toEqual(['a', '__proto__']);
  expect([base, ({} as { polluted?: boolean }).polluted]).toEqual([{ a: { b: 1 } }, undefined]);
});

test.each([['text', 'needed'], ['tool_call', 'needed'], ['session_audit', 'forbidden'], ['collaboration', 'forbidden'], ['notice', 'free']])('a message of kind %s has a turn: %s', (kind, rule) => expect(turnOfKind(kind)).toBe(rule));
