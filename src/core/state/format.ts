/** State formats by name: Tutti's own, and those that a product registers (cassette-contract 1.1, issue 3). */

import { assert } from '../assert.ts';
import type { Report } from '../issue.ts';
import type { Json } from '../json/exact.ts';
import { checkState } from './check.ts';
import { compareExactly, compareState, type CompareOptions, type StateComparison } from './compare.ts';
import { mergeStates, type MergeOptions, type MergeOutcome } from './merge.ts';
import type { StateFile } from './walk.ts';

/** What a product says of its states. Without `compare` they compare exactly; without `merge` only equal ones share a batch. */
export type StateFormat = {
  id: string;
  check: (value: Json, options: { file: StateFile }, report: Report) => void;
  compare?: (expected: Json, actual: Json, options: CompareOptions) => StateComparison;
  merge?: (states: readonly Json[], options: MergeOptions) => MergeOutcome<unknown>;
};

export const tuttiStateFormat = {
  id: 'tutti.agent-session-replay-state.v1',
  check: checkState,
  compare: compareState,
  merge: mergeStates,
} as const satisfies StateFormat;

/** All formats of a product: Tutti's, then its own, each name once. */
export function createStateFormats(foreign: readonly StateFormat[] = []): readonly StateFormat[] {
  const formats = [tuttiStateFormat, ...foreign];
  assert(new Set(formats.map(({ id }) => id)).size === formats.length, 'every state format is registered once');
  return formats;
}

/** The format of exactly this name, untrimmed; the caller refuses the others (`state_format_unknown`). */
export function findStateFormat(formats: readonly StateFormat[], name: string): StateFormat | undefined {
  return formats.find(({ id }) => id === name);
}

/** Compares by the format, or exactly where it has no comparison. */
export function compareByFormat(format: StateFormat, { expected, actual }: { expected: Json; actual: Json }, options: CompareOptions = {}): StateComparison {
  return (format.compare ?? compareExactly)(expected, actual, options);
}

/** Merges by the format. Where it has no merge, equal states are one and others conflict at their first difference. */
export function mergeByFormat(format: StateFormat, states: readonly Json[], options: MergeOptions = {}): MergeOutcome<unknown> {
  if (format.merge) return format.merge(states, options);
  const [first = null, ...others] = states;
  const conflicts = others.flatMap((other) => compareExactly(first, other).all.slice(0, 1));
  return conflicts.length === 0 ? { merged: first, conflicts: [] } : { merged: null, conflicts };
}
