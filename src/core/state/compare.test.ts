import { expect, test } from 'vitest';
import { parseJson, writeJson, type Json } from '../json/exact.ts';
import { compareState, type CompareOptions } from './compare.ts';
import { buildChild, buildInteraction, buildMessage, buildRichState, buildSession, buildSnapshot, buildState, buildTurn, buildWorkflow, changeAt } from './fixtures/states.ts';
import { semanticProfiles } from './profile.ts';

const check = (expected: Json, actual: Json, paths: string[], options: CompareOptions = {}) => {
  const { first, all } = compareState(expected, actual, options);
  expect(all.map(({ path }) => path)).toEqual(paths);
  expect(first).toEqual(all[0] ?? null);
};
type Change = { [name: string]: Json };
const withSession = (change: Change) => buildState([buildSession(change)]);
const withMessage = (change: Change) => withSession({ messages: [buildMessage(change)] });
const withTurn = (change: Change) => withSession({ turns: [buildTurn(change)], messages: [] });
const withGoal = (observed: Json) => withSession({ goal: { desired: { text: 'aim' }, observed, revision: 1, tombstoned: false, syncStatus: 'synced' } });
const session = (place: string) => [`$.agent.sessions[0].${place}`];

test.each<[string, Json, Json]>([
  ['the same state', buildRichState(), buildRichState()],
  ['another session id, and what names it', buildState([buildSession(), buildChild()]), JSON.parse(writeJson(buildState([buildSession(), buildChild()])).replaceAll('session-a', 's1'))],
  ['another turn id and provider turn id', withSession({ turns: [buildTurn({ rootProviderTurnId: 'p' })] }), withSession({ turns: [buildTurn({ id: 't', rootProviderTurnId: 'q' })], messages: [buildMessage({ turnId: 't' })] })],
  ['another operation, message and audit id together', withMessage({ id: 'm', payload: { operationId: 'o', auditId: 'm' } }), withMessage({ id: 'n', payload: { operationId: 'u', auditId: 'n' } })],
  ['another attachment id', withMessage({ payload: { content: [{ attachmentId: 'a' }] } }), withMessage({ payload: { content: [{ attachmentId: 'b' }] } })],
  ['another call and message id', withMessage({ payload: { callId: 'a' } }), withMessage({ id: 'm', payload: { callId: 'b' } })],
  ['another request and call of an interaction', buildState([buildSession(), buildChild({ interactions: [buildInteraction({ input: { toolCall: { toolCallId: 'a' } } })] })]), buildState([buildSession(), buildChild({ interactions: [buildInteraction({ requestId: 'r', input: { toolCall: { toolCallId: 'b' } } })] })])],
  ['an empty call of an interaction', withSession({ interactions: [buildInteraction({ input: { toolCall: { toolCallId: 'a' } } })] }), withSession({ interactions: [buildInteraction({ input: { toolCall: { toolCallId: '' } } })] })],
  ['another place in the stream', withMessage({ payload: { seq: 1 } }), withMessage({ payload: {} })],
  ['a last message that follows its id', withSession({ turns: [buildTurn({ completedCommand: { finalAssistantMessageId: 'message-a' } })] }), withSession({ turns: [buildTurn({ completedCommand: { finalAssistantMessageId: 'm' } })], messages: [buildMessage({ id: 'm' })] })],
  ['goal times', withGoal({ status: 'active', startedAtUnixMs: 1 }), withGoal({ status: 'active', durationMs: 2 })],
  ['settings that only live has', withSession({ settings: { saver: true } }), withSession({ settings: { saver: true, speed: 'fast', other: false } })],
  ['no recorded settings', withSession({ settings: null }), withSession({ settings: { model: 'x' } })],
  ['settings inside a message that only live has', withMessage({ payload: { settings: { a: 1 } } }), withMessage({ payload: { settings: { a: 1, b: 2 } } })],
  ['a body under the name of a diff', withTurn({ fileChanges: { files: [{ path: 'x', change: 'add', diff: 'a', unifiedDiff: 'a' }] } }), withTurn({ fileChanges: { files: [{ path: 'x', change: 'added', newString: 'a\n' }] } })],
  ['a modified body under the name of a diff', withTurn({ fileChanges: { files: [{ path: 'x', change: 'edit', diff: 'a' }] } }), withTurn({ fileChanges: { files: [{ path: 'x', change: 'modified', newString: 'a\n' }] } })],
  ['no file changes in two spellings', withTurn({ fileChanges: { files: [] } }), withTurn({})],
  ['an unknown member', withSession({ extra: 1 }), withSession({})],
  ['null and absent', withSession({ model: null, title: '' }), withSession({})],
  ['an empty semantics object and none', withMessage({ semantics: {} }), withMessage({})],
  ['one number in two spellings', withMessage({ payload: parseJson('{"a":1.0,"b":1e3,"c":-0}') as Json }), withMessage({ payload: { a: 1, b: 1000, c: 0 } })],
])('compareState() holds for %s', (_title, expected, actual) => check(expected, actual, []));

test.each<[string, Json, Json, string[]]>([
  ['a changed text', withMessage({}), withMessage({ payload: { text: 'other' } }), session('messages[0].payload.text')],
  ['a provider session', withSession({}), withSession({ providerSessionId: 'other' }), session('providerSessionId')],
  ['a target', withSession({}), withSession({ agentTargetId: 'other' }), session('agentTargetId')],
  ['a submit id', withMessage({ payload: { clientSubmitId: 'a' } }), withMessage({ payload: { clientSubmitId: 'b' } }), session('messages[0].payload.clientSubmitId')],
  ['a message of another turn', withSession({ turns: [buildTurn(), buildTurn({ id: 'b' })] }), withSession({ turns: [buildTurn(), buildTurn({ id: 'b' })], messages: [buildMessage({ turnId: 'b' })] }), session('messages[0].turnId')],
  ['an audit id that follows no longer', withMessage({ id: 'm', payload: { auditId: 'm' } }), withMessage({ id: 'n', payload: { auditId: 'm' } }), session('messages[0].payload.auditId')],
  ['a recorded setting', withSession({ settings: { saver: true } }), withSession({ settings: { saver: false } }), session('settings.saver')],
  ['a recorded effort', withSession({ settings: { reasoningEffort: 'low' } }), withSession({ settings: { reasoningEffort: 'high' } }), session('settings.reasoningEffort')],
  ['a recorded setting that live lacks', withSession({ settings: { b: 1, a: 2 } }), withSession({ settings: null }), ['$.agent.sessions[0].settings.a', '$.agent.sessions[0].settings.b']],
  ['settings inside a message', withMessage({ payload: { settings: { a: 1 } } }), withMessage({ payload: { settings: { a: 2 } } }), session('messages[0].payload.settings.a')],
  ['settings that are missing inside a message', withMessage({ payload: { settings: {} } }), withMessage({ payload: {} }), session('messages[0].payload.settings')],
  ['settings outside a session', buildState(undefined, { issues: [{ id: 'i', title: 't', status: 's', tasks: [] }] }), buildState(undefined, { issues: [{ id: 'i', title: 'u', status: 's', tasks: [] }] }), ['$.issues[0].title']],
  ['a goal', withGoal({ status: 'active' }), withGoal({ status: 'paused' }), session('goal.observed.status')],
  ['a goal against none', withSession({ goal: {} }), withSession({}), session('goal')],
  ['a missing member', withMessage({ payload: { a: 1, b: 1 } }), withMessage({ payload: { b: 1 } }), session('messages[0].payload.a')],
  ['an extra member', withMessage({ payload: { b: 1 } }), withMessage({ payload: { a: 1, b: 1 } }), session('messages[0].payload.a')],
  ['a list of another length', withSession({}), withSession({ messages: [] }), session('messages')],
  ['null against an empty list', withSession({ interactions: null }), withSession({ interactions: [] }), session('interactions')],
  ['null against an object', withMessage({ payload: null }), withMessage({ payload: {} }), session('messages[0].payload')],
  ['another type', withMessage({ payload: { a: {} } }), withMessage({ payload: { a: [] } }), session('messages[0].payload.a')],
  ['text against number', withMessage({ payload: { a: 1 } }), withMessage({ payload: { a: '1' } }), session('messages[0].payload.a')],
  ['the order of messages', withSession({ messages: [buildMessage({ id: 'a', role: 'user' }), buildMessage({ id: 'b', role: 'tool' })] }), withSession({ messages: [buildMessage({ id: 'b', role: 'tool' }), buildMessage({ id: 'a', role: 'user' })] }), [0, 1].map((index) => `$.agent.sessions[0].messages[${index}].role`)],
  ['another root', buildState([buildSession(), buildChild()]), changeAt(buildState([buildSession(), buildChild()]), 'agent.rootSessionId', 'session-b'), ['$.agent.rootSessionId']],
  ['an issue of a workflow, whose id is raw', buildState(undefined, { workflows: [buildWorkflow({ issueIds: ['a'] })] }), buildState(undefined, { workflows: [buildWorkflow({ issueIds: ['b'] })] }), ['$.workflows[0].issueIds[0]']],
  ['a revision', buildState(undefined, { workflows: [buildWorkflow()] }), buildState(undefined, { workflows: [buildWorkflow({ currentRevisionId: 'x' })] }), ['$.workflows[0].currentRevisionId']],
  ['members in byte order', withMessage({ payload: { '\ud83d\ude00': 1, '\uff5e': 1, B: 1, a: 1 } }), withMessage({ payload: {} }), ['B', 'a', '["\uff5e"]', '["\ud83d\ude00"]'].map((name) => `$.agent.sessions[0].messages[0].payload${name[0] === '[' ? '' : '.'}${name}`)],
  ['integers beyond 2^53', withMessage({ payload: parseJson('{"a":9007199254740993}') as Json }), withMessage({ payload: parseJson('{"a":9007199254740992}') as Json }), session('messages[0].payload.a')],
  ['a member called __proto__', withMessage({ payload: parseJson('{"__proto__":1}') as Json }), withMessage({ payload: {} }), session('messages[0].payload.__proto__')],
  ['everything, in order', withSession({ title: 'a', pinned: true }), withSession({ title: 'b', cwd: 'c' }), ['$.agent.sessions[0].cwd', '$.agent.sessions[0].pinned', '$.agent.sessions[0].title']],
])('compareState() names %s', (_title, expected, actual, paths) => check(expected, actual, paths));

test.each<[string, Json, Json, string[]]>([
  ['a member whose name ends like the settings', { 'a.settings': { model: ' large ' } }, { 'a.settings': { model: 'large', more: 1 } }, []],
  ['its recorded setting', { 'a.settings': { model: 'large' } }, { 'a.settings': { model: 'small' } }, session('messages[0].payload["a.settings"].model')],
  ['a member whose name only looks like it', { 'my settings': { a: 1 } }, { 'my settings': { a: 1, b: 2 } }, session('messages[0].payload["my settings"].b')],
])('compareState() reads paths as the reference writes them: %s', (_title, expected, actual, paths) => check(withMessage({ payload: expected }), withMessage({ payload: actual }), paths));

test('compareState() gives the values of both sides in their normal form', () => {
  const { first } = compareState(withMessage({ payload: { auditId: 'message-a' } }), withMessage({ payload: { auditId: 'x' } }));
  expect(first).toEqual({ path: '$.agent.sessions[0].messages[0].payload.auditId', expected: 'session:0/message:0', actual: 'x' });
});

test('compareState() lists mismatches up to a limit', () => {
  const many = (value: number) => withMessage({ payload: Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`m${index}`, value])) });
  expect([compareState(many(1), many(2)).all.length, compareState(many(1), many(2), { mismatchCountMax: 1 }).all.length]).toEqual([100, 1]);
});

const inactive = (change: Change) => buildState(undefined, { tuttiMode: { activations: [], turnSnapshots: [buildSnapshot(change)] } });
test.each<[string, CompareOptions, string[]]>([
  ['the agent profile ignores a snapshot that was never configured', { profile: semanticProfiles.agent }, []],
  ['the tutti profile does not', { profile: semanticProfiles.tutti }, ['$.tuttiMode.turnSnapshots']],
])('compareState(): %s', (_title, options, paths) => check(inactive({}), buildState(), paths, options));

const recording = (provider: string, submit: string, checkpoint: Json) => withSession({ providerSessionId: provider, providerResumeCheckpoint: checkpoint, messages: [buildMessage({ id: `client-submit:${submit}`, payload: { clientSubmitId: submit, thread: provider } })] });
test.each<[string, CompareOptions, string[]]>([
  ['two recordings of one scenario agree', { betweenRecordings: true }, []],
  ['a recording and its replay do not', {}, ['messages[0].payload.clientSubmitId', 'messages[0].payload.thread', 'providerResumeCheckpoint', 'providerSessionId'].flatMap(session)],
])('compareState(): %s', (_title, options, paths) => check(recording('p', 's', { cursor: 1 }), recording('q', 't', null), paths, options));

test('compareState() leaves both states as they are', () => {
  const state = buildRichState();
  compareState(state, state);
  expect(state).toEqual(buildRichState());
});

test('compareState() survives states that no check has seen', () => {
  for (const odd of [null, [], 'x', { agent: { sessions: [null, 5, { turns: [[]], messages: {}, goal: [] }] } }, changeAt(buildRichState(), 'agent.sessions.0.messages', { a: 1 })])
    expect(compareState(buildState(), odd as Json).first).not.toBe(null);
});
