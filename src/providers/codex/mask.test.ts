import { expect, test } from 'vitest';
import type { Json } from '../../core/json/exact.ts';
import { deltaOfCodex, generatedIdsOfCodex, maskCodex } from './mask.ts';

const started = (thread: string, at: number): Json => ({
  method: 'thread/started',
  params: { thread: { id: thread, sessionId: thread, createdAt: at, path: `/s/${thread}.jsonl`, cwd: '${C}', turns: [] } },
  emittedAtMs: at,
});
const item = (type: string, id: string): Json => ({ method: 'item/completed', params: { threadId: 't', turnId: 'u', item: { type, id, status: 'completed' }, completedAtMs: 5 } });

test('maskCodex() makes two recordings of one message equal', () => {
  expect(maskCodex(started('t-1', 1))).toEqual(maskCodex(started('t-2', 2)));
  expect(maskCodex(started('t-1', 1))).toEqual({ method: 'thread/started', params: { thread: { id: '<id>', sessionId: '<id>', createdAt: '<volatile>', path: '<volatile>', cwd: '${C}', turns: [] } }, emittedAtMs: '<volatile>' });
});

test('maskCodex() keeps ids that the model gives and masks those of user messages', () => {
  expect([maskCodex(item('userMessage', 'i')), maskCodex(item('agentMessage', 'i'))].map((message) => (message as { params: { item: { id: string } } }).params.item.id)).toEqual(['<id>', 'i']);
});

const prompt = (submitId: string): Json => ({ method: 'turn/start', id: 3, params: { threadId: 't', clientUserMessageId: submitId } });
const said = (type: string, submitId: string): Json => ({ method: 'item/started', params: { threadId: 't', turnId: 'u', item: { type, id: 'i', clientId: submitId } } });

test.each<[string, Json, Json, boolean]>([
  ['the id that a client gave its prompt', prompt('a'), prompt('b'), true],
  ['what stands for a plan decision', prompt('plan-decision:<runtime-operation>'), prompt('b'), false],
  ['the id of the prompt in the user message', said('userMessage', 'a'), said('userMessage', 'b'), true],
  ['a client of another item', said('agentMessage', 'a'), said('agentMessage', 'b'), false],
])('maskCodex() of %s', (_title, first, second, isEqual) => {
  expect(JSON.stringify(maskCodex(first)) === JSON.stringify(maskCodex(second))).toBe(isEqual);
});

test('generatedIdsOfCodex() gives the id of a prompt where it was sent and where it came back', () => {
  expect([generatedIdsOfCodex(prompt('a')), generatedIdsOfCodex(said('userMessage', 'a'))]).toEqual([['a', 't'], ['a', 'i', 't', 'u']]);
});

test('maskCodex() tells a time from no time', () => {
  expect(maskCodex({ turn: { completedAt: null } })).not.toEqual(maskCodex({ turn: { completedAt: 1 } }));
});

test('generatedIdsOfCodex() gives the ids of equal places in equal order', () => {
  const message = { result: { turn: { rootTurnId: 'r', id: 'u' }, thread: { sessionId: 's', id: 't', path: '/t' }, data: [{ id: 'd' }], item: { id: 'kept' } }, threadId: 't' };
  const reordered = { threadId: 't', result: { item: { id: 'kept' }, data: [{ id: 'd' }], thread: { path: '/t', id: 't', sessionId: 's' }, turn: { id: 'u', rootTurnId: 'r' } } };
  expect(generatedIdsOfCodex(message)).toEqual(['d', 't', 's', 'u', 'r', 't']);
  expect(generatedIdsOfCodex(reordered)).toEqual(generatedIdsOfCodex(message));
});

test.each<[string, Json, { item: string; text: string } | null]>([
  ['a delta of a message', { method: 'item/agentMessage/delta', params: { itemId: 'i', delta: 'He' } }, { item: 'item/agentMessage/delta i', text: 'He' }],
  ['a delta of output', { method: 'item/commandExecution/outputDelta', params: { itemId: 'i', delta: 'x' } }, { item: 'item/commandExecution/outputDelta i', text: 'x' }],
  ['a delta without text', { method: 'a/delta', params: { itemId: 'i' } }, { item: 'a/delta i', text: '' }],
  ['another notification', { method: 'turn/started', params: { delta: 'x' } }, null],
  ['an answer', { id: 1, result: {} }, null],
])('deltaOfCodex() of %s', (_title, message, delta) => void expect(deltaOfCodex(message)).toEqual(delta));
