/** Reporting on members of a state. */

import type { Finding } from '../issue.ts';
import type { Json } from '../json/exact.ts';
import { present, shown, textAt } from '../json/read.ts';

/** What is wrong at a place of the state file. */
export type StateReport = (finding: Omit<Finding, 'file'>) => void;

export function isAbsent(value: Json, key: string): boolean {
  return present(value, key) === undefined;
}

/** Whether a member is there and no text, which the shape check has reported. */
export function isWrongText(value: Json, key: string): boolean {
  return !isAbsent(value, key) && textAt(value, key) === undefined;
}

export function reportAbsent(report: StateReport, path: string): void {
  report({ code: 'state_invalid', path, is: 'it is absent', needed: 'it was needed, even if empty' });
}

/** A blank identity, at its place. */
export function reportBlank(report: StateReport, path: string, value: Json | undefined): void {
  report({ code: 'state_identity_blank', path, is: `it is ${value === '' ? 'empty' : shown(value)}`, needed: 'a name was needed' });
}
