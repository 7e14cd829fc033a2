/** The types of a document's members, judged by the validators that scripts/schemas.mjs writes (cassette-contract 0.1 J4 to J6). */

import type { IssueCode } from '../issue-catalogue.ts';
import type { Report } from '../issue.ts';
import { childPath } from '../json/compare.ts';
import { isRawNumber, member, type Json } from '../json/exact.ts';
import type { JsonPlace } from '../json/document.ts';
import { shown } from '../json/read.ts';
import { activityEvent, blobManifest, cassette, journalEntry, plan, state, type Wanted } from './validators.js';

export type ShapeName = keyof typeof codes;

/**
 * Whether every typed member has its type; each that has not is one finding. Absent and null members, unknown members and every
 * further rule are the affair of other checks; a document that is null is one whose members are all absent (J11).
 */
export function checkShape(document: ShapeName, value: Json, place: JsonPlace, report: Report): boolean {
  let isRight = true;
  const wrong = (pointer: string, found: Json, wanted: Wanted): void => {
    isRight = false;
    report({ code: isMisspelt(found, wanted) ? 'integer_invalid' : codes[document], ...place, path: pathOf(pointer, value), is: describe(found, wanted), needed: needs[wanted] });
  };
  validators[document].call({ wrong }, value);
  return isRight;
}

// A number in the place of an integer is one of another spelling or size; everything else there is of another type.
function isMisspelt(found: Json, wanted: Wanted): boolean {
  return (wanted === 'u64' || wanted === 'i64') && (typeof found === 'number' || isRawNumber(found));
}

/** A text is shown only where it cannot be more than a number or a flag in quotes: elsewhere it may be a secret. */
function describe(found: Json, wanted: Wanted): string {
  if (typeof found !== 'string') return `it is ${shown(found)}`;
  const isHarmless = wanted !== 'object' && wanted !== 'list' && scalar.test(found);
  return isHarmless ? `it is the text ${shown(found)}` : `it is a text of ${found.length} characters`;
}

/** Validators speak in JSON pointers, findings in paths; whether a step is an index follows from the value. */
function pathOf(pointer: string, document: Json): string {
  let path = '$';
  let value: Json | undefined = document;
  for (const step of pointer.split('/').slice(1)) {
    path = Array.isArray(value) ? `${path}[${step}]` : childPath(path, step);
    value = Array.isArray(value) ? value[Number(step)] : member(value, step);
  }
  return path;
}

const validators = { cassette, activityEvent, plan, journalEntry, blobManifest, state };

const codes = {
  cassette: 'cassette_invalid',
  activityEvent: 'activity_event_invalid',
  plan: 'plan_invalid',
  journalEntry: 'journal_invalid',
  blobManifest: 'blob_manifest_invalid',
  state: 'state_invalid',
} as const satisfies { [document: string]: IssueCode };

const needs: { [wanted in Wanted]: string } = {
  object: 'an object was needed',
  list: 'a list was needed',
  text: 'a text was needed',
  flag: 'true or false was needed',
  u64: 'an integer from 0 to 2^64-1, in digits alone, was needed',
  i64: 'an integer from -2^63 to 2^63-1, in digits alone, was needed',
};

const scalar = /^(?:-?[\d.eE+-]{1,24}|true|false|null)$/;
