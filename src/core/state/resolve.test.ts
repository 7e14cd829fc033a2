import { expect, test } from 'vitest';
import type { Finding } from '../issue.ts';
import type { Json } from '../json/exact.ts';
import { buildInteraction, buildMessage, buildSession, buildState, buildTurn } from './fixtures/states.ts';
import { resolveState } from './resolve.ts';

type Change = { [name: string]: Json };
const check = (change: Change, resolved: Change, escapes: string[] = []) => {
  const findings: Finding[] = [];
  const source = buildState([buildSession(change)]);
  const before = structuredClone(source);
  expect(resolveState(source, { replayCwd: '/live/', file: 'initial-state.json' }, (finding) => findings.push(finding))).toEqual(buildState([buildSession({ cwd: '/live', ...resolved })]));
  expect(findings.map(({ code, path }) => `${code} ${path}`)).toEqual(escapes.map((place) => `state_path_escapes $.agent.sessions[0].${place}`));
  expect(source).toEqual(before);
};
const everywhere = (path: string) => ({
  turns: [buildTurn({ fileChanges: { files: [{ path, body: '${REPLAY_CWD}' }] } })],
  messages: [buildMessage({ kind: 'tool_call', payload: { paths: [path] } }), buildMessage({ payload: { path: '${REPLAY_CWD}/text' } })],
  interactions: [buildInteraction({ input: { path } })],
});
const places = ['cwd', 'turns[0].fileChanges.files[0].path', 'messages[0].payload.paths[0]', 'interactions[0].input.path', 'railSectionKey'];

test.each<[string, Change, Change, string[]?]>([
  ['the folder itself', {}, {}],
  ['a project', { railSectionKind: 'project', railProjectPath: '${REPLAY_CWD}/a', railSectionKey: 'project:${REPLAY_CWD}/a' }, { railSectionKind: 'project', railProjectPath: '/live/a', railSectionKey: 'project:/live/a' }],
  ['all that is projected', everywhere('${REPLAY_CWD}/a/./b/../c'), everywhere('/live/a/c')],
  ['what is no token', everywhere('${REPLAY_HOME}/a'), everywhere('${REPLAY_HOME}/a')],
  ['what only begins like the token', { cwd: '${REPLAY_CWD}x' }, { cwd: '${REPLAY_CWD}x' }],
  ['a path that leaves the folder', { cwd: '${REPLAY_CWD}/..', railSectionKey: 'project:${REPLAY_CWD}/../x', ...everywhere('${REPLAY_CWD}/a/../../b') }, { cwd: '${REPLAY_CWD}/..', railSectionKey: 'project:${REPLAY_CWD}/../x', ...everywhere('${REPLAY_CWD}/a/../../b') }, places],
])('resolveState() with %s', (_title, change, resolved, escapes) => check(change, resolved, escapes));

test.each([['C:\\live', 'C:\\live\\a'], ['/', '/a']])('resolveState() in %s', (replayCwd, cwd) => {
  expect(resolveState(buildState([buildSession({ cwd: '${REPLAY_CWD}/a' })]), { replayCwd, file: 'initial-state.json' }, () => {})).toEqual(buildState([buildSession({ cwd })]));
});

test('resolveState() needs an absolute folder', () => {
  expect(() => resolveState(buildState(), { replayCwd: 'live', file: 'initial-state.json' }, () => {})).toThrow('absolute');
});
