import { expect, test } from 'vitest';
import { HostError } from '../../../src/core/agent/host.ts';
import type { Finding } from '../../../src/core/issue.ts';
import type { Json } from '../../../src/core/json/exact.ts';
import { checkShape } from '../../../src/core/schema/check-shape.ts';
import { projectState } from '../../../src/core/state/capture.ts';
import { checkState } from '../../../src/core/state/check.ts';
import { compareState } from '../../../src/core/state/compare.ts';
import { buildChild, buildInteraction, buildMessage, buildSession, buildState, buildTurn, changeAt } from '../../../src/core/state/fixtures/states.ts';
import { approve, askApproval, codeOf, countsOf, createDesk, createInput, finishTurn, prompted, ref, sendInput } from './desk.ts';

/** A graph with an approval, a tool, a file change and two turns. */
const played = async () => {
  const desk = createDesk({ start: ({ ref: { agentSessionId } }) => ({ isCreated: true, providerSessionId: `thread:${agentSessionId}`, model: 'scripted', resumeCheckpoint: { rollout: 'r1' } }) });
  const first = (await desk.host.create(prompted({ railPlacement: { version: 1, kind: 'project', projectPath: '/work/project' } }))).turnId!;
  await askApproval(desk, first);
  await desk.host.respond({ ref, turnId: first, requestId: 'request-1', answer: approve });
  await desk.sink.report({
    ref, unit: null, turn: { turnId: first, phase: 'running', fileChanges: { files: [{ path: '/work/project/a.txt', change: 'added', unifiedDiff: '@@ -0,0 +1 @@\n+a' }] } },
    messages: [{ messageId: 'call:1', turnId: first, role: 'tool', kind: 'tool_call', status: 'completed', payload: { callId: '1', name: 'command', input: { command: 'ls', cwd: '/work/project' }, output: { text: 'a', exitCode: 0 } } }],
  });
  await finishTurn(desk, first);
  const { turnId } = await desk.host.send(sendInput());
  await desk.host.cancel(ref, turnId);
  return desk;
};
const codeOfSync = (run: () => unknown) => {
  try {
    run();
    return 'no error';
  } catch (error) {
    return error instanceof HostError ? error.code : String(error);
  }
};

test('capture() gives a state that the contract accepts, portable once it is projected', async () => {
  const { host } = await played();
  const state = projectState(host.capture(ref), { normalisePath: (path) => path, stateFolder: '/state', homeFolderOf: () => null });
  const found: Finding[] = [];
  checkShape('state', state, { file: 'expected-state.json' }, (finding) => found.push(finding));
  checkState(state, { file: 'expected-state.json' }, (finding) => found.push(finding));
  expect(found).toEqual([]);
  expect(JSON.stringify(state)).not.toMatch(/\/work|nixMs|workspace"/);
});

test('capture() of one story told twice is the same but for turn ids', async () => {
  const [one, two] = [await played(), await played()].map(({ host }) => host.capture(ref));
  expect(compareState(one as Json, two as Json).all).toEqual([]);
});

test('capture() refuses a graph that has not settled, and a session that is not there', async () => {
  const { host } = createDesk();
  await host.create(prompted());
  expect([host.isSettled(ref), codeOfSync(() => host.capture(ref)), codeOfSync(() => host.capture({ ...ref, agentSessionId: 'x' }))]).toEqual([false, 'historical_state_unavailable', 'session_not_found']);
});

test('restore() puts a captured graph into an empty store, so that its capture is equal; again it changes nothing', async () => {
  const state = (await played()).host.capture(ref);
  const { host, deltas } = createDesk();
  const input = { workspaceId: 'workspace', userId: 'person', state };
  host.restore(input);
  const count = deltas.length;
  host.restore(input);
  expect([host.capture(ref), deltas.length, host.isSettled(ref)]).toEqual([state, count, true]);
  expect([codeOfSync(() => host.restore({ ...input, userId: 'other' })), codeOfSync(() => host.restore({ ...input, state: changeAt(state, 'agent.sessions.0.title', 'New') }))]).toEqual(['historical_state_conflict', 'historical_state_conflict']);
});

test('restore() before resume and send: the checkpoint reaches the provider, and nothing is started', async () => {
  const state = (await played()).host.capture(ref);
  const { host, world } = createDesk();
  host.restore({ workspaceId: 'workspace', userId: 'person', state });
  await host.recover();
  await host.ensure(ref);
  await host.send(sendInput({ clientSubmitId: 'after' }));
  expect([countsOf(world, 'start', 'resume', 'exec'), world.calls[0]?.id]).toEqual(['start 0 resume 1 exec 1', 'session-a [true,{"rollout":"r1"}]']);
  expect(host.graph(ref)?.turns.map(({ sequence }) => sequence)).toEqual([1, 2, 3]);
});

test.each<[string, Json, string]>([
  ['a child', buildState([buildSession(), buildChild({ parentTurnId: 'turn-a', rootTurnId: 'turn-a', parentToolCallId: 'call' })]), 'no error'],
  ['a child before its root', buildState([buildChild(), buildSession()]), 'no error'],
  ['a message without a kind, and nothing on a rail', buildState([buildSession({ messages: [buildMessage({ kind: '' })], railSectionKind: '', railSectionKey: '' })]), 'no error'],
  ['an answered request', buildState([buildSession({ interactions: [buildInteraction({ output: { action: 'approve' } })] })]), 'no error'],
  ['nulls', buildState([buildSession({ settings: null, interactions: null, messages: [buildMessage({ payload: null })] })]), 'no error'],
  ['a turn under way', changeAt(buildState(), 'agent.sessions.0.activeTurnId', 'turn-a'), 'historical_state_conflict'],
  ['a turn that has not settled', buildState([buildSession({ turns: [buildTurn({ phase: 'running', outcome: '' })] })]), 'historical_state_conflict'],
  ['a settled turn without an outcome', buildState([buildSession({ turns: [buildTurn({ outcome: '' })] })]), 'historical_state_conflict'],
  ['a turn twice', buildState([buildSession({ turns: [buildTurn(), buildTurn()] })]), 'historical_state_conflict'],
  ['a message twice', buildState([buildSession({ messages: [buildMessage(), buildMessage()] })]), 'historical_state_conflict'],
  ['a message of an unknown turn', buildState([buildSession({ messages: [buildMessage({ turnId: 'x' })] })]), 'historical_state_conflict'],
  ['a request of an unknown turn', buildState([buildSession({ interactions: [buildInteraction({ turnId: 'x' })] })]), 'historical_state_conflict'],
  ['a blank provider session', buildState([buildSession({ providerSessionId: '' })]), 'invalid_argument'],
  ['a kind that nobody knows', buildState([buildSession({ kind: 'x' })]), 'invalid_argument'],
  ['no session', buildState([]), 'invalid_argument'],
  ['no state', null, 'invalid_argument'],
  ['a list for a title', buildState([buildSession({ title: [] })]), 'invalid_argument'],
  ['a goal', buildState([buildSession({ goal: { desired: {}, revision: 1 } })]), 'invalid_argument'],
])('restore() of %s', (_title, state, expected) => {
  const { host } = createDesk();
  const restore = () => host.restore({ workspaceId: 'workspace', userId: 'person', state });
  expect([codeOfSync(restore), codeOfSync(restore)]).toEqual([expected, expected]);
  expect(host.graphs('workspace').length > 0).toBe(expected === 'no error');
});

test('restore() wants workspace and user, and all of a graph or nothing', async () => {
  const { host } = createDesk();
  const state = buildState([buildSession({ id: 'session-a' }), buildChild()]);
  expect([codeOfSync(() => host.restore({ workspaceId: 'workspace', userId: ' ', state })), codeOfSync(() => host.restore({ workspaceId: '', userId: 'p', state }))]).toEqual(['invalid_argument', 'invalid_argument']);
  await host.create(createInput());
  expect([codeOfSync(() => host.restore({ workspaceId: 'workspace', userId: 'p', state })), host.session({ ...ref, agentSessionId: 'session-b' })]).toEqual(['historical_state_conflict', null]);
});

test('a child of a restored graph is not resumed, captured or sent to by itself', async () => {
  const { host, world } = createDesk();
  host.restore({ workspaceId: 'workspace', userId: 'p', state: buildState([buildSession(), buildChild({ turns: [buildTurn({ rootProviderTurnId: 'p' })] })]) });
  const child = { ...ref, agentSessionId: 'session-b' };
  expect([await codeOf(host.ensure(child)), await codeOf(host.send(sendInput({ ref: child }))), codeOfSync(() => host.capture(child)), countsOf(world, 'resume')]).toEqual(['session_not_found', 'session_not_found', 'invalid_argument', 'resume 0']);
});
