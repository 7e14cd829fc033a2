import { expect, test } from 'vitest';
import { parseJson, type Json } from '../../core/json/exact.ts';
import { createCodexObserver } from './observe.ts';

type Step = ['out' | 'in', Json];

const note = (method: string, params: Json): Step => ['in', { method, params }];
const item = (stage: 'started' | 'completed', type: string, status = 'completed'): Step => note(`item/${stage}`, { item: { type, id: 'i', status } });
const turn = (stage: 'started' | 'completed', status = 'inProgress', id = 'u'): Step => note(`turn/${stage}`, { turn: { id, status } });
const ask = (id: number): Step => ['in', { id, method: 'item/commandExecution/requestApproval', params: { command: 'ls' } }];
const settled = (requestId: number): Step => note('serverRequest/resolved', { requestId });

const check = (steps: readonly Step[], kinds: string[], open: string[]) => {
  const observer = createCodexObserver();
  const seen = steps.flatMap(([direction, message]) => observer.see(direction === 'out' ? 'outbound' : 'inbound', message));
  expect(seen.map((observation) => observation.kind)).toEqual(kinds);
  expect(observer.open().map((end) => end.code)).toEqual(open);
};

test.each<[string, Step[], string[], string[]]>([
  ['a session that starts', [['out', { id: 2, method: 'thread/start' }], ['in', { id: 2, result: {} }]], ['session.ready'], []],
  ['a session that is resumed under a text id', [['out', { id: 'a', method: 'thread/resume' }], ['in', { id: 'a', result: {} }]], ['session.ready'], []],
  ['a session that fails', [['out', { id: 2, method: 'thread/start' }], ['in', { id: 2, error: {} }]], [], []],
  ['a floating thread/started', [note('thread/started', {})], [], []],
  ['a request without an answer', [['out', { id: 1, method: 'model/list' }]], [], ['request_open']],
  ['a turn', [turn('started'), turn('completed', 'completed')], ['turn.working', 'turn.terminal'], []],
  ['a turn that fails', [turn('started'), turn('completed', 'failed')], ['turn.working', 'turn.terminal'], []],
  ['a turn that is interrupted', [turn('started'), turn('completed', 'interrupted')], ['turn.working', 'turn.canceled'], []],
  ['a turn that another end does not close', [turn('started'), turn('completed', 'completed', 'v')], ['turn.working', 'turn.terminal'], ['turn_open']],
  ['a tool', [item('started', 'commandExecution'), item('completed', 'commandExecution', 'declined')], ['tool.started', 'tool.completed'], []],
  ['a message of the agent', [item('started', 'agentMessage'), item('completed', 'agentMessage')], ['response.committed'], []],
  ['a message of the user', [item('completed', 'userMessage')], [], []],
  ['an approval with id 0', [ask(0), ['out', { id: 0, result: { decision: 'accept' } }], settled(0)], ['interaction.pending', 'interaction.resolved'], []],
  ['an approval that is superseded', [ask(0), settled(0)], ['interaction.pending', 'interaction.superseded'], []],
  ['an approval that stays open', [ask(0)], ['interaction.pending'], ['interaction_open']],
  ['a resolution of nothing', [settled(7)], [], []],
  ['an approval of a patch', [['in', { id: 1, method: 'item/fileChange/requestApproval', params: {} }]], ['interaction.pending'], ['interaction_open']],
  ['an approval without an id', [['in', { method: 'item/fileChange/requestApproval', params: {} }]], [], []],
  ['an unknown notification', [note('warning', {}), ['in', { id: 9, result: {} }]], [], []],
])('the Codex observer sees %s', (_title, steps, kinds, open) => check(steps, kinds, open));

test('a pending interaction carries its method, id and parameters', () => {
  expect(createCodexObserver().see('inbound', ask(0)[1])).toEqual([{ kind: 'interaction.pending', facts: { method: 'item/commandExecution/requestApproval', id: 0, command: 'ls' } }]);
});

test('the Codex observer takes ids and parameters of every type', () => {
  const observer = createCodexObserver();
  for (const value of [parseJson('1.5')!, { toString: 1, valueOf: 1 }, null, [], 'x', 7]) {
    observer.see('inbound', { method: 'turn/started', params: { turn: { id: value } } });
    observer.see('inbound', { method: 'turn/completed', params: { turn: { id: value } } });
    observer.see('inbound', { method: 'item/started', params: { item: { type: value } } });
    expect(observer.see('inbound', { method: 'execCommandApproval', id: value, params: value })[0]?.kind).toBe('interaction.pending');
    observer.see('inbound', { method: 'serverRequest/resolved', params: { requestId: value } });
  }
  // A text is no set of parameters, whatever its length.
  expect(observer.see('inbound', { method: 'execCommandApproval', id: 1, params: 'x'.repeat(100) })[0]?.facts).toEqual({ method: 'execCommandApproval', id: 1 });
  expect(observer.open().map(({ code }) => code)).toEqual(['interaction_open']);
});
