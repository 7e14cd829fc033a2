/** The final comparison of a replay: the captured state against `expected-state.json` (cassette-contract 7.6). */

import type { Json } from '../json/exact.ts';
import { differences, type Mismatch, type SettingsRule } from './differences.ts';
import { normaliseState } from './normalise.ts';
import { semanticProfiles, stateForProfile, type SemanticProfile } from './profile.ts';
import type { RenameOptions } from './rename.ts';

export type CompareOptions = RenameOptions & {
  /** Which domains the product has; the tutti profile, with all of them, by default. */
  profile?: SemanticProfile;
  /** How many mismatches are listed, default 100; the first is among them whatever the number. */
  mismatchCountMax?: number;
};

/** `first` is the mismatch that the contract names; `all` goes on from there, for the report. Values are those of the normal form. */
export type StateComparison = { first: Mismatch | null; all: Mismatch[] };

/** Compares two states that were checked before: the first mismatch by the contract, and the others up to a limit. */
export function compareState(expected: Json, actual: Json, options: CompareOptions = {}): StateComparison {
  const profile = options.profile ?? semanticProfiles.tutti;
  const normal = (state: Json) => normaliseState(stateForProfile(state, profile), options);
  return collectDifferences({ expected: normal(expected), actual: normal(actual) }, 'recorded', options);
}

/** Compares two states of a format that has no comparison of its own: exactly, as written. */
export function compareExactly(expected: Json, actual: Json, options: CompareOptions = {}): StateComparison {
  return collectDifferences({ expected, actual }, 'exact', options);
}

function collectDifferences({ expected, actual }: { expected: Json; actual: Json }, rule: SettingsRule, { mismatchCountMax = mismatchCountDefault }: CompareOptions): StateComparison {
  const all: Mismatch[] = [];
  for (const mismatch of differences({ expected, actual, path: '$' }, rule)) {
    all.push(mismatch);
    if (all.length >= mismatchCountMax) break;
  }
  return { first: all[0] ?? null, all };
}

const mismatchCountDefault = 100;
