import { expect, test } from 'vitest';
import { type Json, type JsonObject } from '../json/exact.ts';
import { projectState, type CaptureFacts } from './capture.ts';
import { buildChild, buildInteraction, buildMessage, buildSession, buildState, buildTurn } from './fixtures/states.ts';

// One link: `/link` is `/work`. Relative paths belong to the recorder's own folder.
const facts: CaptureFacts = {
  normalisePath: (path) => (path.startsWith('/') ? path : `/recorder/${path}`).replace(/^\/link(?=\/|$)/, '/work').replace(/\/$/, ''),
  stateFolder: '/state',
  homeFolderOf: (name) => new Map([['codex', 'codex-home'], ['claude-code', 'claude-home'], ['local:codex', 'codex-home']]).get(name) ?? null,
};
type Change = { [name: string]: Json };
const check = (change: Change, projected: Change) => {
  const source = buildState([buildSession({ cwd: '/work', ...change })]);
  const before = structuredClone(source);
  const once = projectState(source, facts);
  expect(once).toEqual(buildState([buildSession(projected)]));
  expect(source).toEqual(before);
};
const call = (payload: Change, change: Change = {}) => ({ messages: [buildMessage({ kind: 'tool_call', payload, ...change })] });
const turn = (change: Change) => ({ turns: [buildTurn(change)] });
const project = (folder: string) => ({ railSectionKind: 'project', railProjectPath: folder, railSectionKey: `project:${folder}` });
const images = (folder: string) => call({ output: { savedPath: `${folder}/generated_images/a.png`, savedPaths: [`${folder}/generated_images/b/c.png`, 5] } });

test.each<[string, Change, Change]>([
  ['the folder of a session', {}, {}],
  ['a project in the folder', project('/work/a'), project('${REPLAY_CWD}/a')],
  ['a project by its link', { cwd: '/link/', ...project('/link/a') }, project('${REPLAY_CWD}/a')],
  ['a key by another spelling of the project', { ...project('/work/a'), railSectionKey: 'project:/link/a' }, project('${REPLAY_CWD}/a')],
  ['a project elsewhere', project('/worker/a'), project('/worker/a')],
  ['a key of another project', { ...project('/work/a'), railSectionKey: 'project:/work/b' }, { ...project('${REPLAY_CWD}/a'), railSectionKey: 'project:/work/b' }],
  ['a key of another kind', { railProjectPath: '/work', railSectionKey: 'project:/work' }, { railProjectPath: '${REPLAY_CWD}', railSectionKey: 'project:/work' }],
  ['file changes', turn({ fileChanges: { files: [{ path: '/work/x', newPath: '/link/y', body: '/work/x', cwd: '/work' }] } }), turn({ fileChanges: { files: [{ path: '${REPLAY_CWD}/x', newPath: '${REPLAY_CWD}/y', body: '/work/x', cwd: '/work' }] } })],
  ['a tool call', call({ FilePaths: ['/work/x', '/else'], input: { path: '/work' }, text: '/work' }), call({ FilePaths: ['${REPLAY_CWD}/x', '/else'], input: { path: '${REPLAY_CWD}' }, text: '/work' })],
  ['a path that is a token already', call({ path: '${REPLAY_CWD}/x', homePath: '${REPLAY_HOME}/y' }), call({ path: '${REPLAY_CWD}/x', homePath: '${REPLAY_HOME}/y' })],
  ['a relative path', call({ path: 'x' }), call({ path: 'x' })],
  ['a message that is no tool call', { messages: [buildMessage({ payload: { path: '/work/x', input: { cwd: '/work' } } })] }, { messages: [buildMessage({ payload: { path: '/work/x', input: { cwd: '/work' } } })] }],
  ['generated images', images('/state/agent/runs/session-a/codex-home'), images('${REPLAY_HOME}')],
  ["generated images in another session's home", images('/state/agent/runs/session-b/codex-home'), images('/state/agent/runs/session-b/codex-home')],
  ['other files of the home', call({ output: { savedPath: '/state/agent/runs/session-a/codex-home/auth' } }), call({ output: { savedPath: '/state/agent/runs/session-a/codex-home/auth' } })],
  ['generated images of an unregistered provider', { provider: 'cursor', ...images('/state/agent/runs/session-a/codex-home') }, { provider: 'cursor', ...images('/state/agent/runs/session-a/codex-home') }],
  ['generated images of a shared target', { agentTargetId: 'shared', ...images('/state/agent/runs/session-a/codex-home') }, { agentTargetId: 'shared', ...images('${REPLAY_HOME}') }],
  ['generated images of a target without a provider', { provider: '', ...images('/state/agent/runs/session-a/codex-home') }, { provider: '', ...images('${REPLAY_HOME}') }],
  [
    'the folders of the runtime in a tool call',
    call({ cwd: '/work', input: { cwd: '/work', command: '/bin/zsh -lc ls', arguments: { cwd: 'sub' }, toolCall: { title: '/usr/bin/git status', cwd: 'kept', input: { cwd: '/work', command: '/bin/ls', deeper: { cwd: 'sub' } } } } }),
    call({ cwd: '/work', input: { command: 'zsh -lc ls', arguments: { cwd: 'sub' }, toolCall: { title: 'git status', cwd: 'kept', input: { command: 'ls', deeper: { cwd: 'sub' } } } } }),
  ],
  ['a command without a folder', call({ input: { command: 'git /bin/ls' } }), call({ input: { command: 'git /bin/ls' } })],
  ['a command on a drive', call({ input: { command: 'C:\\bin\\git.exe status' } }), call({ input: { command: 'git.exe status' } })],
  ['a command that is no text', call({ input: { command: ['/bin/ls'] } }), call({ input: { command: ['/bin/ls'] } })],
  ['an interaction', { interactions: [buildInteraction({ input: { cwd: '/work', command: '/bin/ls', path: '/work/x', toolCall: { input: { cwd: '/work' } } }, output: { path: '/work/x' } })] }, { interactions: [buildInteraction({ input: { command: 'ls', path: '${REPLAY_CWD}/x', toolCall: { input: {} } }, output: { path: '/work/x' } })] }],
  ['a plan decision', { messages: [buildMessage({ id: 'client-submit:user:plan-decision:9', payload: { clientSubmitId: 'plan-decision:9' } })] }, { messages: [buildMessage({ id: 'client-submit:user:plan-decision:<runtime-operation>', payload: { clientSubmitId: 'plan-decision:<runtime-operation>' } })] }],
  ['a plan decision with an id of its own', { messages: [buildMessage({ id: 'own', payload: { clientSubmitId: 'plan-decision:9' } })] }, { messages: [buildMessage({ id: 'own', payload: { clientSubmitId: 'plan-decision:<runtime-operation>' } })] }],
  ['a plan notice', { messages: [buildMessage({ id: 'plan-decision:9:status', payload: { noticeKind: 'plan_implementation_started', operationId: '9' } })] }, { messages: [buildMessage({ id: 'plan-decision:<runtime-operation>:status', payload: { noticeKind: 'plan_implementation_started', operationId: '<runtime-operation>' } })] }],
  ['an ordinary submit and operation', { messages: [buildMessage({ id: 'client-submit:user:9', payload: { clientSubmitId: '9', operationId: '9', noticeKind: 'goal' } })] }, { messages: [buildMessage({ id: 'client-submit:user:9', payload: { clientSubmitId: '9', operationId: '9', noticeKind: 'goal' } })] }],
  ['a canceled turn', turn({ outcome: ' canceled ', completedCommand: { finalAssistantMessageId: 'm', finalAssistantMessageResolved: true, kind: 'k' } }), turn({ outcome: ' canceled ', completedCommand: { kind: 'k' } })],
  ['a canceled turn with nothing else to say', turn({ outcome: 'canceled', completedCommand: { finalAssistantMessageResolved: false } }), turn({ outcome: 'canceled' })],
  ['a turn that ended otherwise', turn({ outcome: 'failed', completedCommand: { finalAssistantMessageId: 'm' } }), turn({ outcome: 'failed', completedCommand: { finalAssistantMessageId: 'm' } })],
])('projectState() with %s', (_title, change, projected) => check(change, projected));

test('projectState() measures children by the folder of the root', () => {
  const projected = projectState(buildState([buildChild({ cwd: '/work/sub' }), buildSession({ cwd: '/work' })]), facts);
  expect((projected as { agent: { sessions: JsonObject[] } }).agent.sessions.map(({ cwd }) => cwd)).toEqual(['${REPLAY_CWD}/sub', '${REPLAY_CWD}']);
});

test('projectState() changes nothing where the root has no folder', () => {
  const state = buildState([buildSession({ cwd: ' ', ...turn({ outcome: 'canceled', completedCommand: { finalAssistantMessageId: 'm' } }), ...project('/work') })]);
  expect(projectState(state, facts)).toEqual(state);
});

test('projectState() twice is once', () => {
  const near: CaptureFacts = { ...facts, normalisePath: (path) => facts.normalisePath(path).replace('/recorder', '/work') };
  const state = buildState([buildSession({ cwd: '/work', ...project('/work/a'), ...images('/state/agent/runs/session-a/codex-home') })]);
  expect(projectState(projectState(state, near), near)).toEqual(projectState(state, near));
});
