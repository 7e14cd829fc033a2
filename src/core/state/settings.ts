/** Composer settings: what was recorded must hold live, what is live only may be anything (cassette-contract 7.7, readiness `settings.equal`). */

import { firstDifference } from '../json/compare.ts';
import { isObject, member, type Json } from '../json/exact.ts';
import { compareBytes } from '../json/go-text.ts';
import { isBlank, trim } from '../json/read.ts';

/** The recorded names that do not hold live, in byte order. Asymmetric: names that only the live side has are not asked. */
export function failingSettings(recorded: Json | undefined, live: Json | undefined): string[] {
  if (!isObject(recorded)) return [];
  return Object.keys(recorded).sort(compareBytes).filter((name) => !isSettingKept(member(recorded, name), member(live, name)));
}

/** Asked both ways, so that neither side counts as the recorded one (7.10: a merge has no order). */
export function conflictingSettings(a: Json | undefined, b: Json | undefined): string[] {
  return [...new Set([...failingSettings(a, b), ...failingSettings(b, a)])].sort(compareBytes);
}

/** Readiness `settings.equal` (4.8). */
export function areSettingsKept(recorded: Json | undefined, live: Json | undefined): boolean {
  return failingSettings(recorded, live).length === 0;
}

function isSettingKept(recorded: Json | undefined, live: Json | undefined): boolean {
  if (isEmpty(recorded) && isEmpty(live)) return true;
  if (live === undefined) return false;
  if (typeof recorded === 'string' && typeof live === 'string') return trim(recorded) === trim(live);
  return firstDifference(recorded, live) === null;
}

// Zero is a value: a person may have chosen it.
function isEmpty(value: Json | undefined): boolean {
  return value === undefined || value === null || value === false || (typeof value === 'string' && isBlank(value));
}
