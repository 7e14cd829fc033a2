/** Where two states differ, depth first with names in byte order (cassette-contract 7.6.3). */

import { childPath, firstDifference } from '../json/compare.ts';
import { isObject, member, type Json } from '../json/exact.ts';
import { compareBytes } from '../json/go-text.ts';
import { conflictingSettings, failingSettings } from './settings.ts';

export type Mismatch = { path: string; expected: Json | undefined; actual: Json | undefined };

/** How composer settings compare: recorded in live, each in the other, or as any other member. */
export type SettingsRule = 'recorded' | 'both' | 'exact';

/** `plain` is the path as the reference writes it, where odd names stand without quotes; the path itself where it is absent. */
type Pair = { expected: Json | undefined; actual: Json | undefined; path: string; plain?: string };

/** Every mismatch in order. A missing member is named itself; lists of unequal length, unequal types and null are named as a whole. */
export function* differences({ expected, actual, path, plain = path }: Pair, rule: SettingsRule): Generator<Mismatch> {
  if (expected === undefined || actual === undefined) {
    if (expected !== actual) yield { path, expected, actual };
  } else if (rule !== 'exact' && isSettingsPath(plain)) yield* settingsDifferences({ expected, actual, path }, rule);
  else if (isObject(expected) && isObject(actual)) {
    for (const key of [...new Set([...Object.keys(expected), ...Object.keys(actual)])].sort(compareBytes))
      yield* differences({ expected: member(expected, key), actual: member(actual, key), path: childPath(path, key), plain: `${plain}.${key}` }, rule);
  } else if (Array.isArray(expected) && Array.isArray(actual) && expected.length === actual.length) {
    for (const [index, item] of expected.entries()) yield* differences({ expected: item, actual: actual[index], path: `${path}[${index}]`, plain: `${plain}[${index}]` }, rule);
  } else if (firstDifference(expected, actual)) yield { path, expected, actual };
}

/** The mismatch that counts, or `null`. */
export function firstMismatch(pair: Pair, rule: SettingsRule): Mismatch | null {
  for (const mismatch of differences(pair, rule)) return mismatch;
  return null;
}

function* settingsDifferences({ expected, actual, path }: Pair, rule: 'recorded' | 'both'): Generator<Mismatch> {
  const names = rule === 'both' ? conflictingSettings(expected, actual) : failingSettings(expected, actual);
  for (const name of names) yield { path: childPath(path, name), expected: member(expected, name), actual: member(actual, name) };
}

// Note: by the text of the path, so it also holds for settings inside a message and for a member named "a.settings" (7.7, 15.9).
function isSettingsPath(plain: string): boolean {
  return plain.endsWith('.settings') && plain.includes('.sessions[');
}
