import { expect, test } from 'vitest';
import type { Json, JsonObject } from '../../../core/json/exact.ts';
import { readMessage } from './codec.ts';
import { ended, note } from './fixtures/fake-process.ts';
import { reduce } from './reduce.ts';
import { emptyState, heldCountMax, type Rows, type SessionState, type TurnState } from './session-state.ts';

const turn: TurnState = { turnId: 't1', providerTurnId: 'u1', hasBegun: true, isCancelRequested: false, open: new Map(), edits: [], error: null };
const ready: SessionState = { ...emptyState, threadId: 'T' };
const running: SessionState = { ...ready, turns: new Map([['u1', turn]]) };
const canceling: SessionState = { ...ready, turns: new Map([['u1', { ...turn, isCancelRequested: true }]]) };
const startingTurn: SessionState = { ...ready, starting: new Map([['7', 't1']]) };

const play = (from: SessionState, messages: readonly Json[]) => {
  let state = from;
  const rows: Rows[] = [];
  const effects: unknown[] = [];
  for (const message of messages) {
    const reduced = reduce(state, readMessage(message));
    state = reduced.state;
    rows.push(reduced.rows);
    effects.push(...reduced.effects);
  }
  return { state, rows, effects };
};

/** The rows of the last message; those before it set the scene. */
const check = (from: SessionState, messages: readonly Json[], rows: Rows) => expect(play(from, messages).rows.at(-1)).toEqual(rows);
const checkReplies = (from: SessionState, messages: readonly Json[], replies: unknown[]) => {
  const { rows, effects } = play(from, messages);
  expect(rows.at(-1)).toEqual({});
  expect(effects.flatMap((effect) => ((effect as { kind: string }).kind === 'reply' ? [(effect as { message: unknown }).message] : []))).toEqual(replies);
};

const item = (stage: 'started' | 'completed', body: JsonObject) => note(`item/${stage}`, { item: body });
const delta = (kind: string, text: string, itemId = 'i') => note(`item/${kind}`, { itemId, delta: text });
const text = { messageId: 'i', turnId: 't1', role: 'assistant', kind: 'text' } as const;
const thought = { ...text, kind: 'reasoning' } as const;
const call = { messageId: 'call:i', turnId: 't1', role: 'tool', kind: 'tool_call' } as const;
const command: JsonObject = { type: 'commandExecution', id: 'i', command: "/bin/bash -lc 'make tea'", cwd: '/p', processId: '12', status: 'inProgress', aggregatedOutput: null, exitCode: null, durationMs: 3 };
const input = { command: "/bin/bash -lc 'make tea'", cwd: '/p' };
const patch: JsonObject = { type: 'fileChange', id: 'i', status: 'inProgress', changes: [{ path: '/p/a/tea.md', kind: { type: 'update', move_path: null }, diff: '@@ -1 +1 @@\n-cold\n+hot\n' }, { path: '/p/cup.md', kind: { type: 'add' }, diff: 'one\ntwo\n' }] };
const hunks = ['@@ -1 +1 @@\n-cold\n+hot\n', '@@ -0,0 +1,2 @@\n+one\n+two\n'] as const;
const changes = [{ path: '/p/a/tea.md', kind: 'update', diff: hunks[0] }, { path: '/p/cup.md', kind: 'add', diff: hunks[1] }];
const files = [{ path: '/p/a/tea.md', change: 'modified', unifiedDiff: hunks[0] }, { path: '/p/cup.md', change: 'added', unifiedDiff: hunks[1] }];
const ask = (more: JsonObject = {}): JsonObject => ({ id: 0, ...note('item/commandExecution/requestApproval', { itemId: 'i', command: "/bin/bash -lc 'make tea'", cwd: '/p', reason: 'thirst', ...more }) });
const options = ['approve', 'approve_for_session', 'deny', 'abort'];
const approval = { turnId: 't1', requestId: 'u1:i:0', kind: 'approval' } as const;
const terminal = { turnId: 't1', providerTurnId: 'u1', phase: 'completed' } as const;

test.each<[string, Json[], Rows]>([
  ['a turn that begins', [note('turn/started', { turn: { id: 'u1' } })], { rootProviderTurn: { turnId: 't1', providerTurnId: 'u1', phase: 'running' } }],
  ['a turn that ends', [ended('completed')], { rootProviderTurn: { ...terminal, outcome: 'completed' } }],
  ['a turn that somebody else stopped', [ended('interrupted')], { rootProviderTurn: { ...terminal, outcome: 'interrupted' } }],
  ['a turn that fails', [ended('failed', { error: { message: 'too hot', codexErrorInfo: 'contextWindowExceeded' } })], { rootProviderTurn: { ...terminal, outcome: 'failed', error: { code: 'context_window_exceeded', message: 'too hot' } } }],
  ['an error with facts', [ended('failed', { error: { message: 'm', codexErrorInfo: { httpConnectionFailed: { httpStatusCode: 500 } } } })], { rootProviderTurn: { ...terminal, outcome: 'failed', error: { code: 'http_connection_failed', message: 'm' } } }],
  ['an error without a name', [ended('failed', { error: { message: 'm', codexErrorInfo: null } })], { rootProviderTurn: { ...terminal, outcome: 'failed', error: { code: 'provider_error', message: 'm' } } }],
  ['an error that was told before', [note('error', { willRetry: false, error: { message: 'm', codexErrorInfo: 'unauthorized' } }), ended('failed')], { rootProviderTurn: { ...terminal, outcome: 'failed', error: { code: 'unauthorized', message: 'm' } } }],
  ['an error that is tried again', [note('error', { willRetry: true, error: { message: 'm', codexErrorInfo: 'unauthorized' } }), ended('failed')], { rootProviderTurn: { ...terminal, outcome: 'failed', error: { code: 'provider_error', message: 'Codex gave no reason' } } }],
  ['an end in a word of tomorrow', [ended('melted')], { rootProviderTurn: { ...terminal, outcome: 'failed', error: { code: 'provider_error', message: 'Codex gave no reason' } } }],
  ['a text that begins', [item('started', { type: 'agentMessage', id: 'i', text: '' })], { messages: [{ ...text, status: 'running', payload: { text: '' } }] }],
  ['a text that grows', [item('started', { type: 'agentMessage', id: 'i', text: '' }), delta('agentMessage/delta', 'ab')], { messages: [{ ...text, status: 'running', contentDelta: 'ab' }] }],
  ['a text that grows unannounced', [delta('agentMessage/delta', 'ab')], { messages: [{ ...text, status: 'running', payload: { text: 'ab' } }] }],
  ['a text that ends', [item('completed', { type: 'agentMessage', id: 'i', text: 'abc' })], { messages: [{ ...text, status: 'completed', payload: { text: 'abc' } }] }],
  ['a plan', [item('completed', { type: 'plan', id: 'i', text: 'abc' })], { messages: [{ ...text, kind: 'plan', status: 'completed', payload: { text: 'abc' } }] }],
  ['a prompt that comes back', [item('completed', { type: 'userMessage', id: 'i', content: [] })], {}],
  ['a thought that begins', [item('started', { type: 'reasoning', id: 'i', summary: [], content: [] })], {}],
  ['a thought that is told', [delta('reasoning/summaryTextDelta', 'hm')], { messages: [{ ...thought, status: 'running', payload: { text: 'hm' } }] }],
  ['a thought that goes on', [delta('reasoning/summaryTextDelta', 'hm'), note('item/reasoning/summaryPartAdded', { itemId: 'i', summaryIndex: 1 })], { messages: [{ ...thought, status: 'running', contentDelta: '\n\n' }] }],
  ['a first part of a thought', [note('item/reasoning/summaryPartAdded', { itemId: 'i', summaryIndex: 0 })], {}],
  ['a thought behind its summary', [delta('reasoning/summaryTextDelta', 'hm'), delta('reasoning/textDelta', 'long')], {}],
  ['a thought without a summary', [delta('reasoning/textDelta', 'a'), delta('reasoning/textDelta', 'b')], { messages: [{ ...thought, status: 'running', contentDelta: 'b' }] }],
  ['a thought that ends', [item('completed', { type: 'reasoning', id: 'i', summary: ['a', 'b'], content: ['long'] })], { messages: [{ ...thought, status: 'completed', payload: { text: 'a\n\nb' } }] }],
  ['a thought that ends as it was told', [delta('reasoning/textDelta', 'a'), item('completed', { type: 'reasoning', id: 'i', summary: [], content: [] })], { messages: [{ ...thought, status: 'completed', payload: {} }] }],
  ['a thought of nothing', [item('completed', { type: 'reasoning', id: 'i', summary: [], content: [] })], {}],
  ['a command', [item('started', command)], { messages: [{ ...call, status: 'running', payload: { callId: 'i', name: 'command', title: 'make tea', status: 'in_progress', input } }] }],
  ['a command that writes', [item('started', command), delta('commandExecution/outputDelta', 'a'), delta('commandExecution/outputDelta', 'b')], { messages: [{ ...call, status: 'running', payload: { output: { text: 'ab' } } }] }],
  ['a command that ends', [item('completed', { ...command, status: 'completed', aggregatedOutput: 'tea\n', exitCode: 0 })], { messages: [{ ...call, status: 'completed', payload: { callId: 'i', name: 'command', title: 'make tea', status: 'completed', input, output: { text: 'tea\n', exitCode: 0 } } }] }],
  ['a command that fails', [item('completed', { ...command, status: 'failed', exitCode: 2 })], { messages: [{ ...call, status: 'failed', payload: { callId: 'i', name: 'command', title: 'make tea', status: 'failed', input, output: { exitCode: 2 } } }] }],
  ['a command that was declined', [item('completed', { ...command, status: 'declined' })], { messages: [{ ...call, status: 'failed', payload: { callId: 'i', name: 'command', title: 'make tea', status: 'declined', input, output: { exitCode: null } } }] }],
  ['a file change', [item('started', patch)], { messages: [{ ...call, status: 'running', payload: { callId: 'i', name: 'file_change', title: 'Edit 2 files', status: 'in_progress', input: { changes } } }] }],
  ['a file change that grows', [item('started', { ...patch, changes: [] }), note('item/fileChange/patchUpdated', { itemId: 'i', changes: (patch['changes'] as Json[]).slice(0, 1) })], { messages: [{ ...call, status: 'running', payload: { title: 'Edit tea.md', input: { changes: changes.slice(0, 1) } } }] }],
  ['another tool', [item('completed', { type: 'mcpToolCall', id: 'i', server: 'kettle', tool: 'boil', status: 'completed', arguments: { cups: 2 }, result: { content: [{ type: 'text', text: 'done' }] }, error: null, durationMs: 5 })], { messages: [{ ...call, status: 'completed', payload: { callId: 'i', name: 'mcpToolCall', title: 'kettle: boil', status: 'completed', input: { server: 'kettle', tool: 'boil', arguments: { cups: 2 } }, output: { text: 'done' } } }] }],
  ['a search', [item('started', { type: 'webSearch', id: 'i', query: 'leaves' })], { messages: [{ ...call, status: 'running', payload: { callId: 'i', name: 'webSearch', title: 'Search leaves', status: 'in_progress', input: { query: 'leaves' } } }] }],
  ['an item that nobody knows', [item('started', { type: 'teaCeremony', id: 'i' })], {}],
  ['an item without an id', [item('started', { type: 'agentMessage' })], {}],
  ['a turn that leaves messages behind', [item('started', command), item('started', { type: 'agentMessage', id: 'm', text: '' }), ended('interrupted')], { rootProviderTurn: { ...terminal, outcome: 'interrupted' }, messages: [{ ...call, status: 'canceled', payload: { status: 'canceled' } }, { ...text, messageId: 'm', status: 'canceled' }] }],
  ['a turn that changed files', [item('started', patch), item('completed', { ...patch, status: 'completed' }), ended('completed')], { rootProviderTurn: { ...terminal, outcome: 'completed' }, turn: { turnId: 't1', fileChanges: { files } } }],
  ['a turn whose change was declined', [item('started', patch), item('completed', { ...patch, status: 'declined' }), ended('completed')], { rootProviderTurn: { ...terminal, outcome: 'completed' } }],
  ['a question for a command', [item('started', command), ask()], { interactions: [{ ...approval, status: 'pending', toolName: 'command', input: { toolCall: { toolCallId: 'i', title: 'make tea' }, command: "/bin/bash -lc 'make tea'", cwd: '/p', reason: 'thirst' }, metadata: { options } }] }],
  ['a question without its item', [ask({ reason: null })], { interactions: [{ ...approval, status: 'pending', toolName: 'command', input: { toolCall: { toolCallId: 'i', title: 'make tea' }, command: "/bin/bash -lc 'make tea'", cwd: '/p' }, metadata: { options } }] }],
  ['a question for a file change', [item('started', patch), { id: 'x', ...note('item/fileChange/requestApproval', { itemId: 'i', reason: null }) }], { interactions: [{ ...approval, requestId: 'u1:i:x', status: 'pending', toolName: 'file_change', input: { toolCall: { toolCallId: 'i', title: 'Edit 2 files' }, changes }, metadata: { options } }] }],
  ['an old question', [{ id: 4, method: 'execCommandApproval', params: { conversationId: 'T', callId: 'i', command: ['make', 'tea'], cwd: '/p' } }], { interactions: [{ ...approval, requestId: 'u1:i:4', status: 'pending', toolName: 'command', input: { toolCall: { toolCallId: 'i', title: 'make tea' }, command: 'make tea', cwd: '/p' }, metadata: { options } }] }],
  ['a question that is over', [ask(), { method: 'serverRequest/resolved', params: { threadId: 'T', requestId: 0 } }], { interactions: [{ ...approval, status: 'superseded' }] }],
  ['a question that is over after its turn', [ask(), ended('interrupted'), { method: 'serverRequest/resolved', params: { threadId: 'T', requestId: 0 } }], {}],
  ['the end of a question that nobody asked', [{ method: 'serverRequest/resolved', params: { threadId: 'T', requestId: 9 } }], {}],
  ['a title', [{ method: 'thread/name/updated', params: { threadId: 'T', threadName: 'Tea' } }], { session: { title: 'Tea' } }],
  ['another model', [note('model/rerouted', { toModel: 'other' })], { session: { model: 'other' } }],
  ['a message of another thread', [item('started', { type: 'agentMessage', id: 'i', text: '' }), { ...note('item/agentMessage/delta', { itemId: 'i', delta: 'x', threadId: 'child' }) }], {}],
  ['a message of a turn that is not ours', [note('item/agentMessage/delta', { turnId: 'u9', itemId: 'i', delta: 'x' })], {}],
  ['a message after the end', [ended('completed'), item('completed', { type: 'agentMessage', id: 'i', text: 'late' })], {}],
  ['a notice', [{ method: 'warning', params: { threadId: 'T', message: 'm' } }], {}],
  ['parameters of a wrong type', [{ method: 'item/started', params: [1] }, { method: 'turn/completed', params: 'x' }, { method: 'item/started', params: { turnId: 'u1', item: 5 } }], {}],
  ['no message at all', [5, null, [], 'x'], {}],
])('reduce() reports %s', (_title, messages, rows) => check(running, messages, rows));

test('a stop of ours is a cancel', () => check(canceling, [ended('interrupted')], { rootProviderTurn: { ...terminal, outcome: 'canceled' } }));
test('a turn that ends before our stop has ended', () => check(canceling, [ended('completed')], { rootProviderTurn: { ...terminal, outcome: 'completed' } }));

test('the end of the process fails the running turn, and what was open in it', () => {
  const { state } = play(running, [item('started', command)]);
  const { rows, effects, state: after } = reduce(state, { kind: 'exit', exitCode: 3, message: null });
  expect(rows).toEqual({ rootProviderTurn: { ...terminal, outcome: 'failed', error: { code: 'provider_exited', message: 'Codex ended with exit code 3' } }, messages: [{ ...call, status: 'canceled', payload: { status: 'canceled' } }] });
  expect([effects, after.turns.size]).toEqual([[], 0]);
});

const accepted = { turnId: 't1', accepted: { providerSessionId: 'T', providerTurnId: 'u1' } };
const acceptance: Json = { id: 7, result: { turn: { id: 'u1' } } };

test.each<[string, Json[], Rows]>([
  ['by itself', [acceptance], { turn: accepted }],
  ['with what came before it', [note('turn/started', { turn: { id: 'u1' } }), delta('agentMessage/delta', 'a'), delta('agentMessage/delta', 'b'), acceptance], { turn: accepted, rootProviderTurn: { turnId: 't1', providerTurnId: 'u1', phase: 'running' }, messages: [{ ...text, status: 'running', payload: { text: 'a' } }, { ...text, status: 'running', contentDelta: 'b' }] }],
  ['with a whole turn before it', [note('turn/started', { turn: { id: 'u1' } }), item('completed', { ...patch, status: 'completed' }), ended('completed'), acceptance], { turn: { ...accepted, fileChanges: { files } }, rootProviderTurn: { ...terminal, outcome: 'completed' }, messages: [{ ...call, status: 'completed', payload: { callId: 'i', name: 'file_change', title: 'Edit 2 files', status: 'completed', input: { changes } } }] }],
  ['with a question that is over before it', [ask({ reason: null }), { method: 'serverRequest/resolved', params: { threadId: 'T', requestId: 0 } }, acceptance], { turn: accepted, interactions: [{ ...approval, status: 'pending', toolName: 'command', input: { toolCall: { toolCallId: 'i', title: 'make tea' }, command: "/bin/bash -lc 'make tea'", cwd: '/p' }, metadata: { options } }, { ...approval, status: 'superseded' }] }],
  ['without what another turn said', [note('item/agentMessage/delta', { turnId: 'u9', itemId: 'i', delta: 'x' }), acceptance], { turn: accepted }],
])('reduce() reports an acceptance %s', (_title, messages, rows) => {
  check(startingTurn, messages, rows);
  // Nothing of the turn is told before.
  expect(play(startingTurn, messages).rows.slice(0, -1)).toEqual(messages.slice(0, -1).map(() => ({})));
});

test('a turn that was rejected takes what came before it along', () => {
  const { state, rows, effects } = play(startingTurn, [delta('agentMessage/delta', 'a'), { id: 7, error: { code: -32600, message: 'no' } }]);
  expect([rows, state.held, state.starting.size]).toEqual([[{}, {}], [], 0]);
  expect(effects[0]).toEqual({ kind: 'refusal', id: 7, error: { code: -32600, message: 'no', data: null } });
});

test.each<[string, SessionState, Json, Json[]]>([
  ['a method that nobody knows', running, { id: 5, method: 'tea/pour', params: {} }, [{ id: 5, error: { code: -32601, message: 'this client has no such method' } }]],
  ['a question outside of a turn', ready, { ...ask(), id: 'q' }, [{ id: 'q', error: { code: -32000, message: 'no turn of this client asked for that' } }]],
  ['a question of a child thread', running, ask({ threadId: 'child' }), [{ id: 0, error: { code: -32000, message: 'no turn of this client asked for that' } }]],
  ['a question without an item', running, ask({ itemId: null }), [{ id: 0, error: { code: -32602, message: 'itemId was needed' } }]],
  ['more permissions', running, { id: 5, ...note('item/permissions/requestApproval', { itemId: 'i' }) }, [{ id: 5, error: { code: -32000, message: 'this client denies that' } }]],
  ['a file to be written', running, { id: 5, method: 'fs/write_text_file', params: { path: '/etc/x', content: 'x' } }, [{ id: 5, error: { code: -32000, message: 'this client denies that' } }]],
  ['a tool to be run', running, { id: 5, ...note('item/tool/call', { callId: 'c', tool: 'sh', arguments: {} }) }, [{ id: 5, result: { contentItems: [{ type: 'inputText', text: 'This client runs no tools' }], success: false } }]],
])('reduce() refuses %s', (_title, state, message, replies) => checkReplies(state, [message], replies));

test('more than can be held is dropped, and who asks is refused at once', () => {
  const held = Array.from({ length: heldCountMax }, () => ({ providerTurnId: 'u1', message: readMessage(delta('agentMessage/delta', 'a')) }));
  const full: SessionState = { ...startingTurn, held };
  checkReplies(full, [delta('agentMessage/delta', 'b')], []);
  checkReplies(full, [{ ...ask(), id: 'q' }], [{ id: 'q', error: { code: -32000, message: 'no turn of this client asked for that' } }]);
  expect(play(full, [{ ...ask(), id: 'q' }]).state.held).toBe(held);
});

test('two questions with one id on two turns are two', () => {
  const second = (message: JsonObject): JsonObject => ({ ...message, params: { ...(message['params'] as JsonObject), turnId: 'u2' } });
  const both: SessionState = { ...running, turns: new Map([...running.turns, ['u2', { ...turn, turnId: 't2', providerTurnId: 'u2' }]]) };
  const { state, rows } = play(both, [ask(), second(ask()), { method: 'serverRequest/resolved', params: { threadId: 'T', requestId: 0 } }]);
  expect([...state.asks].map(([id, { turnId, disposition }]) => [id, turnId, disposition])).toEqual([['u1:i:0', 't1', 'pending'], ['u2:i:0', 't2', 'superseded']]);
  expect(rows.at(-1)).toEqual({ interactions: [{ turnId: 't2', requestId: 'u2:i:0', kind: 'approval', status: 'superseded' }] });
});
