import { expect, test } from 'vitest';
import type { Finding } from '../issue.ts';
import type { Json } from '../json/exact.ts';
import { checkProjectBinding, isSameBinding } from './binding.ts';
import { buildSession, buildState } from './fixtures/states.ts';
import { resolveState } from './resolve.ts';

type Change = { [name: string]: Json };

const check = (change: Change, found: string[]) => {
  const findings: Finding[] = [];
  checkProjectBinding(buildState([buildSession(change)]), { file: 'initial-state.json' }, (finding) => findings.push(finding));
  expect(findings.map(({ code, path }) => `${code} ${path?.replace('$.agent.sessions[0].', '')}`)).toEqual(found);
};
const project = (path: string, key = `project:${path}`) => ({ railSectionKind: 'project', railProjectPath: path, railSectionKey: key });

test.each<[string, Change, string[]]>([
  ['accepts conversations', {}, []],
  ['accepts the project folder', project('${REPLAY_CWD}'), []],
  ['accepts a folder in it', project('${REPLAY_CWD}/a/../b'), []],
  ['refuses an absolute key', project('${REPLAY_CWD}', 'project:/srv/p'), ['state_binding_not_portable railSectionKey']],
  ['refuses an absolute key whatever the kind', { railSectionKey: 'project:C:\\p' }, ['state_binding_not_portable railSectionKey']],
  ['refuses a file address', project('${REPLAY_CWD}', 'project:file:///p'), ['state_binding_not_portable railSectionKey']],
  ['refuses a key that names no project', project('${REPLAY_CWD}', 'conversations'), ['state_binding_not_portable railSectionKey']],
  ['refuses a project elsewhere', project('other', 'project:${REPLAY_CWD}'), ['state_binding_not_portable railProjectPath']],
  ['refuses a name that only begins like the token', project('${REPLAY_CWD}', 'project:${REPLAY_CWD}x'), ['state_binding_not_portable railSectionKey']],
  ['refuses a project that leaves the folder', project('${REPLAY_CWD}', 'project:${REPLAY_CWD}/a/../../b'), ['state_binding_not_portable railSectionKey']],
  ['refuses a folder that leaves the folder', { cwd: '${REPLAY_CWD}/..' }, ['state_binding_not_portable cwd']],
  ['leaves absolute paths to the check of the state', { cwd: '/a', railProjectPath: '/a' }, []],
])('checkProjectBinding() %s', (_title, change, found) => check(change, found));

const links = (path: string) => path.replace(/^\/link(?=\/|$)/, '/real');
const bound = { agentTargetId: 't', provider: 'p', cwd: '/real', railSectionKind: 'project', railProjectPath: '/real/a', railSectionKey: 'project:/real/a' };
const same = (change: Change, isSame: boolean) => expect(isSameBinding(bound, { ...bound, ...change }, links)).toBe(isSame);

test.each<[string, Change, boolean]>([
  ['the same binding', {}, true],
  ['other members', { title: 'x' }, true],
  ['another folder', { cwd: '/other' }, false],
  ['another kind', { railSectionKind: 'conversations' }, false],
  ['another project', { railProjectPath: '/real/b' }, false],
  ['another key', { railSectionKey: 'project:/real/b' }, false],
  ['another target', { agentTargetId: 'u' }, false],
  ['another provider', { provider: 'q' }, false],
  ['a folder by its link', { cwd: '/link' }, true],
  ['a key by its link', { railSectionKey: 'project:/link/a' }, true],
])('isSameBinding() with %s', (_title, change, isSame) => same(change, isSame));

test('isSameBinding() holds for a portable state only after its tokens are resolved', () => {
  const expected = buildState([buildSession(project('${REPLAY_CWD}/a'))]);
  const live = buildSession({ cwd: '/work', ...project('/work/a') });
  const resolved = resolveState(expected, { replayCwd: '/work', file: 'expected-state.json' }, () => {});
  const session = (state: Json) => (state as { agent: { sessions: Json[] } }).agent.sessions[0] as Json;
  expect([isSameBinding(session(expected), live, links), isSameBinding(session(resolved), live, links)]).toEqual([false, true]);
});
