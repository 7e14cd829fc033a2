/** The rules of subjects and readiness predicates (cassette-contract 4.2, 4.8). */

import type { Report } from '../issue.ts';
import { isObject, type Json } from '../json/exact.ts';
import { isBlank, shown } from '../json/read.ts';
import { checkAddress, entityAddressKey, type EntityAddress } from './address.ts';
import type { Complain } from './check-cursor.ts';
import { isPredicateType } from './kinds.ts';
import { planFile, type Predicate } from './plan.ts';
import { zeroInteger, zeroList, zeroObject, zeroText } from '../json/zero.ts';

/** Each subject, `null` where it is no address; the whole `null` where it is no list. Reports repeated ones (4.2). */
export function checkSubjects({ value, path }: { value: Json | undefined; path: string }, report: Report): (EntityAddress | null)[] | null {
  const list = zeroList(value, 'subjects');
  if (list === null) return null;
  const seen = new Set<string>();
  return list.map((item, i) => {
    const at = `${path}.subjects[${i}]`;
    const address = checkAddress(item, { file: planFile, path: at }, report);
    if (address === null) return null;
    const key = entityAddressKey(address);
    if (seen.has(key)) report({ code: 'subject_repeated', file: planFile, path: at, is: 'the subject is named twice', needed: 'each subject once was needed' });
    seen.add(key);
    return address;
  });
}

export type PredicateQuestion = {
  /** The checkpoint. */
  value: Json | undefined;
  path: string;
  /** `null` where the subjects cannot be counted. */
  subjectCount: number | null;
};

/** Each predicate, `null` where it cannot be evaluated. What its words mean is seen at replay only (4.8). */
export function checkPredicates({ value, path, subjectCount }: PredicateQuestion, complain: Complain): (Predicate | null)[] | null {
  const readiness = zeroObject(value, 'readiness');
  const list = readiness && zeroList(readiness, 'all');
  return list && list.map((item, i) => checkPredicate({ value: item, path: `${path}.readiness.all[${i}]`, subjectCount }, complain));
}

function checkPredicate({ value, path, subjectCount }: PredicateQuestion, complain: Complain): Predicate | null {
  if (value === null || value === undefined) {
    complain('predicate_type_unknown', path, 'the predicate is absent', 'a type, a subject and a value were needed');
    return null;
  }
  const type = zeroText(value, 'type');
  const subject = zeroInteger(value, 'subject');
  const equals = zeroText(value, 'equals');
  if (!isObject(value)) return null;
  if (type !== null && !isPredicateType(type)) complain('predicate_type_unknown', `${path}.type`, `the type is ${type === '' ? 'absent' : shown(type)}`, 'a type of readiness predicate was needed');
  if (subject !== null && subjectCount !== null && (subject < 0n || subject >= subjectCount)) complain('predicate_subject_invalid', `${path}.subject`, `the subject is ${subject} of ${subjectCount}`, 'the place of a subject, from 0, was needed');
  if (equals !== null && isBlank(equals)) complain('predicate_equals_blank', `${path}.equals`, 'the value is blank or absent', 'a value to compare with was needed');
  return type === null || !isPredicateType(type) || subject === null || equals === null ? null : { type, subject: Number(subject), equals };
}
