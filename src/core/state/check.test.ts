import { expect, test } from 'vitest';
import type { Finding } from '../issue.ts';
import { parseJson, type Json } from '../json/exact.ts';
import { checkState, checkStateRoot } from './check.ts';
import { buildChild, buildInteraction, buildMessage, buildRichState, buildSession, buildState, buildTurn, buildWorkflow, changeAt } from './fixtures/states.ts';

const check = (_title: string, value: Json, found: string[]) => {
  const findings: Finding[] = [];
  checkState(value, { file: 'expected-state.json' }, (finding) => findings.push(finding));
  expect(findings.map(({ code, path }) => `${code} ${path}`)).toEqual(found);
  expect(findings.every(({ file }) => file === 'expected-state.json')).toBe(true);
};
const withSession = (change: { [name: string]: Json }) => buildState([buildSession(change)]);
const withChild = (change: { [name: string]: Json }) => buildState([buildSession(), buildChild(change)]);

test.each<[string, Json, string[]]>([
  ['one root', buildState(), []],
  ['something of every kind', buildRichState(), []],
  ['a child below a child', buildState([buildSession(), buildChild(), buildChild({ id: 'c', parentSessionId: 'session-b' })]), []],
  ['a child before its root', buildState([buildChild(), buildSession()]), []],
  ['a second root that hangs on the first', withChild({ kind: 'root' }), []],
  ['null for everything that may be absent', withSession({ model: null, settings: null, turns: null, messages: null, interactions: null, goal: null, activeTurnId: null }), []],
  ['unknown members', withSession({ extra: { path: '/of/nobody' } }), []],
  ['phases and outcomes that nobody knows', withSession({ turns: [buildTurn({ phase: 'dreaming', outcome: 'odd' })] }), []],
  ['messages that share an id', withSession({ messages: [buildMessage(), buildMessage()] }), []],
  ['a message of no turn', withSession({ messages: [buildMessage({ turnId: '' })] }), []],
  ['interactions of any kind', withSession({ interactions: [{}, null] }), []],
  ['issues without tasks', buildState(undefined, { issues: [{ id: 'i', title: 't', status: 's', tasks: null }] }), []],
])('checkState() accepts %s', check);

test.each<[string, Json, string[]]>([
  ['null', null, ['state_schema_unsupported $.schemaVersion']],
  ['another schema', buildState(undefined, { schemaVersion: 2 }), ['state_schema_unsupported $.schemaVersion']],
  ['no schema', buildState(undefined, { schemaVersion: null }), ['state_schema_unsupported $.schemaVersion']],
  ['no agent', buildState(undefined, { agent: null }), ['state_invalid $.agent']],
  ['no sessions', changeAt(buildState(), 'agent.sessions', undefined), ['state_invalid $.agent.sessions']],
  ['an empty list of sessions', buildState([]), ['state_invalid $.agent.sessions']],
  ['a session that is null', buildState([buildSession(), null]), ['state_invalid $.agent.sessions[1]']],
  ['no mode', buildState(undefined, { tuttiMode: null }), ['state_invalid $.tuttiMode']],
  ['no activations', changeAt(buildState(), 'tuttiMode.activations', null), ['state_invalid $.tuttiMode.activations']],
  ['no snapshots', changeAt(buildState(), 'tuttiMode.turnSnapshots', undefined), ['state_invalid $.tuttiMode.turnSnapshots']],
  ['no workflows', buildState(undefined, { workflows: null }), ['state_invalid $.workflows']],
  ['no issues', changeAt(buildState(), 'issues', undefined), ['state_invalid $.issues']],
  ['a workflow without a list of issues', buildState(undefined, { workflows: [buildWorkflow({ issueIds: null })] }), ['state_invalid $.workflows[0].issueIds']],
  ['a blank root', changeAt(buildState(), 'agent.rootSessionId', ' \u2003'), ['state_identity_blank $.agent.rootSessionId']],
  ['no root', changeAt(buildState(), 'agent.rootSessionId', undefined), ['state_identity_blank $.agent.rootSessionId']],
  ['a root that is no session', changeAt(withChild({}), 'agent.rootSessionId', 'other'), ['state_root_invalid $.agent.rootSessionId']],
  ['a root session with another id', changeAt(withChild({}), 'agent.sessions.0.id', 'other'), ['state_root_invalid $.agent.rootSessionId']],
  ['a root that is a child', withSession({ kind: 'child' }), ['state_root_invalid $.agent.sessions[0].kind']],
  ['a kind that nobody knows', withSession({ kind: 'Root' }), ['state_session_kind_unknown $.agent.sessions[0].kind']],
  ['no kind', withChild({ kind: '' }), ['state_session_kind_unknown $.agent.sessions[1].kind']],
  ['a blank session id', withChild({ id: '\t' }), ['state_identity_blank $.agent.sessions[1].id']],
  ['a blank root session id', changeAt(withChild({}), 'agent.sessions.0.id', ''), ['state_identity_blank $.agent.sessions[0].id']],
  ['a session twice', withChild({ id: ' session-a ' }), ['state_session_repeated $.agent.sessions[1].id']],
  ['a blank target', withSession({ agentTargetId: ' ' }), ['state_identity_blank $.agent.sessions[0].agentTargetId']],
  ['no provider', withSession({ provider: null }), ['state_identity_blank $.agent.sessions[0].provider']],
  ['no provider session', withSession({ providerSessionId: '' }), ['state_identity_blank $.agent.sessions[0].providerSessionId']],
  ['a child of another root', withChild({ rootSessionId: 'session-b' }), ['state_child_detached $.agent.sessions[1].rootSessionId']],
  ['a child without a root', withChild({ rootSessionId: null }), ['state_child_detached $.agent.sessions[1].rootSessionId']],
  ['a child without a parent', withChild({ parentSessionId: '' }), ['state_child_detached $.agent.sessions[1].parentSessionId']],
  ['a child of an unknown parent', withChild({ parentSessionId: 'other' }), ['state_child_detached $.agent.sessions[1].parentSessionId']],
  ['a second root by itself', buildState([buildSession(), buildSession({ id: 'c' })]), ['state_child_detached $.agent.sessions[1].rootSessionId', 'state_child_detached $.agent.sessions[1].parentSessionId']],
  ['an active turn', withSession({ activeTurnId: ' ' }), ['state_not_settled $.agent.sessions[0].activeTurnId']],
  ['a pending goal', withSession({ goal: { pendingOperationId: 'o' } }), ['state_not_settled $.agent.sessions[0].goal.pendingOperationId']],
  ['a blank turn id', withSession({ turns: [buildTurn(), buildTurn({ id: ' ' })] }), ['state_identity_blank $.agent.sessions[0].turns[1].id']],
  ['a turn that is null', withSession({ turns: [null], messages: [] }), ['state_invalid $.agent.sessions[0].turns[0]']],
  ['a turn twice', withSession({ turns: [buildTurn(), buildTurn()] }), ['state_turn_repeated $.agent.sessions[0].turns[1].id']],
  ['a blank message id', withSession({ messages: [buildMessage({ id: '' })] }), ['state_identity_blank $.agent.sessions[0].messages[0].id']],
  ['a message of an unknown turn', withSession({ messages: [buildMessage({ turnId: 'other' })] }), ['state_turn_unknown $.agent.sessions[0].messages[0].turnId']],
  ["a message of another session's turn", withChild({ messages: [buildMessage()] }), ['state_turn_unknown $.agent.sessions[1].messages[0].turnId']],
])('checkState() refuses %s', check);

test.each<[string, Json]>([
  ['a state that is a list', []],
  ['an agent that is a list', buildState(undefined, { agent: [] })],
  ['sessions that are an object', changeAt(buildState(), 'agent.sessions', {})],
  ['a session that is a number', buildState([buildSession(), 5])],
  ['a root that is a number', changeAt(buildState(), 'agent.rootSessionId', 1)],
  ['an id that is a number', withChild({ id: 1 })],
  ['a kind that is a list', withChild({ kind: [] })],
  ['a provider that is a flag', withSession({ provider: true })],
  ['a schema that is a text', buildState(undefined, { schemaVersion: '1' })],
  ['a schema with a fraction', buildState(undefined, { schemaVersion: parseJson('1.0') as Json })],
  ['a schema beyond its type', buildState(undefined, { schemaVersion: parseJson('9223372036854775808') as Json })],
  ['turns that are an object', withSession({ turns: {}, messages: [] })],
  ['issueIds that are a text', buildState(undefined, { workflows: [buildWorkflow({ issueIds: 'x' })] })],
])('checkState() leaves %s to the shape check', (title, value) => check(title, value, []));

const path = (place: string) => [`state_path_absolute $.agent.sessions[0].${place}`];
const payload = (value: Json) => withSession({ messages: [buildMessage({ payload: value })] });
test.each<[string, Json, string[]]>([
  ['a folder of the recording machine', withSession({ cwd: '/home/someone' }), path('cwd')],
  ['a project of it', withSession({ railProjectPath: '/srv/p' }), path('railProjectPath')],
  ['a drive', payload({ filePath: 'C:\\p' }), path('messages[0].payload.filePath')],
  ['a drive with slashes', payload({ filePath: 'c:/p' }), path('messages[0].payload.filePath')],
  ['a share', payload({ XPATHS: '\\\\host\\p' }), path('messages[0].payload.XPATHS')],
  ['a file address', payload({ savedpath: 'file://p' }), path('messages[0].payload.savedpath')],
  ['a path in a list', payload({ paths: ['a', ['/b']] }), path('messages[0].payload.paths[1][0]')],
  ['a path in an object below a path', payload({ path: { cwd: '/b', other: '/c' } }), path('messages[0].payload.path.cwd')],
  ['a path in semantics', withSession({ messages: [buildMessage({ semantics: { path: '/b' } })] }), path('messages[0].semantics.path')],
  ['a path in settings', withSession({ settings: { path: '/b' } }), path('settings.path')],
  ['a path in a file change', withSession({ turns: [buildTurn({ fileChanges: { files: [{ path: '/b' }] } })] }), path('turns[0].fileChanges.files[0].path')],
  ['a path in an interaction', withSession({ interactions: [buildInteraction({ output: { path: '/b' } })] }), path('interactions[0].output.path')],
  ['a path in a goal', withSession({ goal: { lastEvidence: { path: '/b' } } }), path('goal.lastEvidence.path')],
  ['a padded path', payload({ path: ' /b' }), []],
  ['a path under another name', payload({ file: '/b', cwds: '/c' }), []],
  ['a relative path and a token', payload({ path: 'a/../b', cwd: '${REPLAY_CWD}/x' }), []],
  ['a drive without a folder', payload({ path: 'C:p' }), []],
  ['a project key, which the runner asks for', withSession({ railSectionKey: 'project:/b' }), []],
  ['a path member that is __proto__', payload(parseJson('{"__proto__":{"path":"/b"}}') as Json), path('messages[0].payload.__proto__.path')],
])('checkState() with %s', check);

const scope = (place: string) => [`state_scope_present ${place}`];
test.each<[string, Json, string[]]>([
  ['in a payload', payload({ a: [{ workspaceId: null }] }), scope('$.agent.sessions[0].messages[0].payload.a[0].workspaceId')],
  ['in settings', withSession({ settings: { workspaceId: 'w' } }), scope('$.agent.sessions[0].settings.workspaceId')],
  ['in a session', withSession({ workspaceId: 'w' }), scope('$.agent.sessions[0].workspaceId')],
  ['in the state itself', buildState(undefined, { workspaceId: '' }), scope('$.workspaceId')],
  ['in a workflow', buildState(undefined, { workflows: [buildWorkflow({ workspaceId: 1 })] }), scope('$.workflows[0].workspaceId')],
  ['below an unknown member', withSession({ extra: { workspaceId: 1 } }), scope('$.agent.sessions[0].extra.workspaceId')],
  ['in other letters', payload({ workspaceID: 'w', scopeId: 's' }), []],
])('checkState() with a workspace %s', check);

const checkRoot = (state: Json, root: string, found: string[]) => {
  const findings: Finding[] = [];
  checkStateRoot(state, root, (finding) => findings.push(finding));
  expect(findings.map(({ code, file, path }) => `${code} ${file} ${path}`)).toEqual(found);
};
test.each<[string, Json, string, string[]]>([
  ['accepts the root of the cassette', buildState(), 'session-a', []],
  ['refuses another root', buildState(), 'session-b', ['state_root_mismatch initial-state.json $.agent.rootSessionId']],
  ['leaves a blank root to the check of the state', changeAt(buildState(), 'agent.rootSessionId', ''), 'session-a', []],
])('checkStateRoot() %s', (_title, state, root, found) => checkRoot(state, root, found));
