import { expect, test } from 'vitest';
import type { Finding } from '../issue.ts';
import type { Json } from '../json/exact.ts';
import { buildIssue, buildSnapshot, buildState, buildWorkflow } from './fixtures/states.ts';
import { checkProfile, semanticProfiles, unsupportedDomains, type SemanticProfile } from './profile.ts';

const check = (state: Json, profile: SemanticProfile, found: string[]) => {
  expect(unsupportedDomains(state, profile).map(({ domain, path }) => `${domain} ${path}`)).toEqual(found);
  const findings: Finding[] = [];
  checkProfile(state, { profile, file: 'expected-state.json' }, (finding) => findings.push(finding));
  expect(findings.map(({ code, path }) => `${code} ${path}`)).toEqual(found.map((place) => `state_domain_unsupported ${place.split(' ')[1]}`));
};
const withMode = (mode: { activations?: Json[]; turnSnapshots?: Json[] }) => buildState(undefined, { tuttiMode: { activations: [], turnSnapshots: [], ...mode } });
const { agent, tutti } = semanticProfiles;
const mode = ['tuttiMode $.tuttiMode.turnSnapshots'];

test.each<[string, Json, SemanticProfile, string[]]>([
  ['the agent profile accepts agents alone', buildState(), agent, []],
  ['the agent profile accepts a snapshot that was never configured', withMode({ turnSnapshots: [buildSnapshot()] }), agent, []],
  ['it may name its session and dispatch', withMode({ turnSnapshots: [buildSnapshot({ dispatchState: 'sent', activationId: null, source: '' })] }), agent, []],
  ['the agent profile refuses an activation', withMode({ activations: [{ id: 'a' }] }), agent, ['tuttiMode $.tuttiMode.activations']],
  ...Object.entries({ activationId: 'a', revisionId: 'r', revision: 1, state: 'active', source: 'user', preferenceVersion: 1, effect: 1, speed: 1 }).map(
    ([name, value]): [string, Json, SemanticProfile, string[]] => [`the agent profile refuses a snapshot with ${name}`, withMode({ turnSnapshots: [buildSnapshot({ [name]: value })] }), agent, mode],
  ),
  ['the agent profile refuses a workflow once', buildState(undefined, { workflows: [buildWorkflow({ issueIds: ['i'] })] }), agent, ['workflows $.workflows']],
  ['the agent profile refuses an issue', buildState(undefined, { issues: [buildIssue()] }), agent, ['issues $.issues']],
  ['the tutti profile accepts them all', buildState(undefined, { workflows: [buildWorkflow({ issueIds: ['i'] })], issues: [buildIssue()] }), tutti, []],
  ['workflows without issues refuse a workflow that depends on one', buildState(undefined, { workflows: [buildWorkflow(), buildWorkflow({ issueIds: ['i'] })] }), { ...tutti, issues: false }, ['issues $.workflows[1].issueIds']],
])('checkProfile(): %s', (_title, state, profile, found) => check(state, profile, found));

test('unsupportedDomains() without the agent domain is a bug of the caller', () => {
  expect(() => unsupportedDomains(buildState(), { ...tutti, agent: false })).toThrow('agent domain');
});
