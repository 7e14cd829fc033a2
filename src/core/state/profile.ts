/** Which product domains a product has, and what a state may hold then (cassette-contract 7.9). */

import { assert } from '../assert.ts';
import type { Report } from '../issue.ts';
import { isObject, setMember, type Json, type JsonObject } from '../json/exact.ts';
import { integerAt, listAt, objectAt, present, textAt } from '../json/read.ts';
import { rowsAt, type StateFile } from './walk.ts';

export type SemanticProfile = { agent: boolean; tuttiMode: boolean; workflows: boolean; issues: boolean };
export type UnsupportedDomain = { domain: 'tuttiMode' | 'workflows' | 'issues'; path: string };

export const semanticProfiles = {
  tutti: { agent: true, tuttiMode: true, workflows: true, issues: true },
  agent: { agent: true, tuttiMode: false, workflows: false, issues: false },
} as const satisfies { [name: string]: SemanticProfile };

/** Reports what a state holds of domains that the product does not have (7.9). */
export function checkProfile(state: Json, options: { profile: SemanticProfile; file: StateFile }, report: Report): void {
  for (const { domain, path } of unsupportedDomains(state, options.profile))
    report({ code: 'state_domain_unsupported', file: options.file, path, is: `it holds something of the domain "${domain}"`, needed: 'the profile of the product does not have that domain' });
}

/** What a state holds beyond a profile. A snapshot of a session that never was in the mode does not count. */
export function unsupportedDomains(state: Json, profile: SemanticProfile): UnsupportedDomain[] {
  assert(profile.agent, 'a semantic profile has the agent domain');
  const found: UnsupportedDomain[] = [];
  const mode = objectAt(state, 'tuttiMode');
  if (!profile.tuttiMode && hasItems(mode, 'activations')) found.push({ domain: 'tuttiMode', path: '$.tuttiMode.activations' });
  if (!profile.tuttiMode && (listAt(mode, 'turnSnapshots') ?? []).some((snapshot) => !isUnconfigured(snapshot)))
    found.push({ domain: 'tuttiMode', path: '$.tuttiMode.turnSnapshots' });
  if (!profile.workflows && hasItems(state, 'workflows')) found.push({ domain: 'workflows', path: '$.workflows' });
  if (!profile.issues && hasItems(state, 'issues')) found.push({ domain: 'issues', path: '$.issues' });
  // Without workflows the workflow itself is reported, and once is enough.
  if (!profile.issues && profile.workflows)
    for (const { row, index } of rowsAt(state, 'workflows')) if (hasItems(row, 'issueIds')) found.push({ domain: 'issues', path: `$.workflows[${index}].issueIds` });
  return found;
}

/** The state as the profile sees it: without the mode, its snapshots are gone. The source stays as it is. */
export function stateForProfile(state: Json, profile: SemanticProfile): Json {
  assert(profile.agent, 'a semantic profile has the agent domain');
  const mode = objectAt(state, 'tuttiMode');
  if (profile.tuttiMode || !isObject(state) || !mode || !Array.isArray(mode['turnSnapshots'])) return state;
  const kept = mode['turnSnapshots'].filter((snapshot) => !isUnconfigured(snapshot));
  return withMember(state, 'tuttiMode', withMember(mode, 'turnSnapshots', kept));
}

function withMember(value: JsonObject, name: string, changed: Json): JsonObject {
  const copy: JsonObject = {};
  for (const key of Object.keys(value)) setMember(copy, key, key === name ? changed : (value[key] as Json));
  return copy;
}

function isUnconfigured(snapshot: Json): boolean {
  const isZero = (name: string) => present(snapshot, name) === undefined || textAt(snapshot, name) === '' || integerAt(snapshot, name) === 0n;
  return textAt(snapshot, 'state') === 'inactive' && ['activationId', 'revisionId', 'revision', 'source', 'preferenceVersion', 'effect', 'speed'].every(isZero);
}

function hasItems(value: Json | undefined, key: string): boolean {
  return (listAt(value, key)?.length ?? 0) > 0;
}
