import { expect, test } from 'vitest';
import { type Json } from '../json/exact.ts';
import { buildChild, buildIssue, buildSession, buildSnapshot, buildState, buildWorkflow, changeAt } from './fixtures/states.ts';
import { mergeStates, type MergeOptions } from './merge.ts';
import { semanticProfiles } from './profile.ts';

const check = (states: Json[], conflicts: string[], options: MergeOptions = {}) => {
  const outcome = mergeStates(states, options);
  expect(outcome.conflicts.map(({ path }) => path)).toEqual(conflicts);
  expect(outcome.merged === null).toBe(conflicts.length > 0);
  const reversed = mergeStates([...states].reverse(), options);
  expect(reversed).toEqual(outcome);
  return outcome.merged;
};
const other = (change: { [name: string]: Json } = {}, parts: { [name: string]: Json } = {}) => changeAt(buildState([buildSession({ id: 'session-z', ...change })], parts), 'agent.rootSessionId', 'session-z');
const mode = (...turnSnapshots: Json[]) => ({ tuttiMode: { activations: [], turnSnapshots } });

test('mergeStates() keeps all agents and shared objects once, each by its key', () => {
  const shared = { workflows: [buildWorkflow({ id: 'b' }), buildWorkflow({ id: 'a' })], issues: [buildIssue()], ...mode(buildSnapshot()) };
  const merged = check([other({}, { ...shared, workflows: [buildWorkflow({ id: 'a' })] }), buildState(undefined, shared)], []);
  expect(merged?.agents.map((agent) => agent['rootSessionId'])).toEqual(['session-a', 'session-z']);
  expect([merged?.workflows.map(({ id }) => id), merged?.issues.length, merged?.tuttiMode.turnSnapshots.length]).toEqual([['a', 'b'], 1, 1]);
});

test('mergeStates() of one state twice is that state', () => {
  const state = buildState([buildSession(), buildChild()], { workflows: [buildWorkflow()], ...mode(buildSnapshot()) });
  expect(mergeStates([state, state])).toEqual(mergeStates([state]));
  expect(mergeStates([state]).merged?.agents).toEqual([state['agent']]);
});

test.each<[string, Json[], string[]]>([
  ['no states', [], []],
  ['a workflow with another status', [other({}, { workflows: [buildWorkflow()] }), buildState(undefined, { workflows: [buildWorkflow({ status: 'done' })] })], ['$.workflows[workflow-a].status']],
  ['a session that two states share', [buildState([buildSession(), buildChild()]), other({}, {}), changeAt(other({}), 'agent.sessions', [buildSession({ id: 'session-z' }), buildChild({ title: 'x' })])], ['$.agent.sessions[session-b].title']],
  ['a snapshot of one turn', [other({}, mode(buildSnapshot({ effect: 1 }))), buildState(undefined, mode(buildSnapshot()))], ['$.tuttiMode.turnSnapshots[session-a/turn-a].effect']],
  ['an activation', [other({}, { tuttiMode: { activations: [{ id: 'a', state: 'x' }], turnSnapshots: [] } }), buildState(undefined, { tuttiMode: { activations: [{ id: 'a' }], turnSnapshots: [] } })], ['$.tuttiMode.activations[a].state']],
  ['a task of an issue', [other({}, { issues: [buildIssue()] }), buildState(undefined, { issues: [buildIssue({ tasks: [] })] })], ['$.issues[issue-a].tasks']],
  ['a recorded setting', [buildState(), buildState([buildSession({ settings: { model: 'small' } })])], ['$.agent.sessions[session-a].settings.model']],
  ['a setting that one side lacks', [buildState(), buildState([buildSession({ settings: null })])], ['$.agent.sessions[session-a].settings.model']],
  ['settings that differ in emptiness only', [buildState(), buildState([buildSession({ settings: { model: ' large ', planMode: null } })])], []],
  ['an id that is renamed', [buildState(), buildState([buildSession({ messages: [{ id: 'message-z', turnId: 'turn-a', role: 'user', kind: 'text', payload: { text: 'hello' } }] })])], ['$.agent.sessions[session-a].messages[0].id']],
  ['absent and zero', [other({}, { workflows: [buildWorkflow({ status: '' })] }), buildState(undefined, { workflows: [buildWorkflow({ status: null })] })], []],
  ['several conflicts', [other({}, { workflows: [buildWorkflow()], issues: [buildIssue()] }), buildState(undefined, { workflows: [buildWorkflow({ type: 'x', status: 'done' })], issues: [buildIssue({ title: 'x' })] })], ['$.issues[issue-a].title', '$.workflows[workflow-a].status']],
])('mergeStates() of %s', (_title, states, conflicts) => void check(states, conflicts));

test('mergeStates() tells turns apart whose ids join to one text', () => {
  const merged = check([buildState(undefined, mode(buildSnapshot({ sessionId: 'a/b', turnId: 'c' }), buildSnapshot({ sessionId: 'a', turnId: 'b/c', effect: 1 })))], []);
  expect(merged?.tuttiMode.turnSnapshots.length).toBe(2);
});

test('mergeStates() takes very many rows of one key that differ in very many places', () => {
  const rows = Array.from({ length: 20_000 }, (_, i) => ({ id: 'session-a', settings: i === 0 ? { a: false } : { [`b${i}`]: 1 } }));
  const before = process.cpuUsage();
  const { conflicts } = mergeStates([{ agent: { rootSessionId: 'session-a', sessions: rows } }]);
  const { user, system } = process.cpuUsage(before);
  expect([conflicts.length, conflicts[0]?.path]).toEqual([19_999, '$.agent.sessions[session-a].settings.b1']);
  expect((user + system) / 1_000).toBeLessThan(6_000);
});

test.each<[string, MergeOptions, number]>([
  ['the agent profile drops snapshots that were never configured', { profile: semanticProfiles.agent }, 0],
  ['the tutti profile keeps them', {}, 1],
])('mergeStates(): %s', (_title, options, count) => {
  expect(check([buildState(undefined, mode(buildSnapshot()))], [], options)?.tuttiMode.turnSnapshots.length).toBe(count);
});
