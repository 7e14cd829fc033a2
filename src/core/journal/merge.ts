/** A unit that is written again adds to its entry and never changes it (cassette-contract 6.3). */

import { entityAddressKey } from '../checkpoint/address.ts';
import { isSameUnit, observationKey } from '../checkpoint/position.ts';
import type { Finding } from '../issue.ts';
import { shown } from '../json/read.ts';
import { journalFile, type CommitCorrelation, type JournalEntry, type JournalObservation } from './entry.ts';

/** What was written before and would have changed. */
export type JournalConflict = { path: string; is: string; needed: string };
export type Merged = { entry: JournalEntry } | { conflict: JournalConflict };

/** Both entries as one, or the first identity that they disagree about (cassette-contract 6.3). */
export function mergeJournalEntry(existing: JournalEntry, addition: JournalEntry): Merged {
  if (!isSameUnit(existing.position, addition.position)) return { conflict: { path: '$.position', is: 'the entry is of another unit', needed: 'the same unit was needed' } };
  if (existing.unitKind !== addition.unitKind) return { conflict: changed('$.unitKind', existing.unitKind, addition.unitKind) };
  const observations = mergeList(existing.observations, addition.observations, { path: '$.observations', keyOf: ({ position }) => observationKey(position), merge: mergeObservation });
  if ('conflict' in observations) return observations;
  const correlations = mergeList(existing.commitCorrelations, addition.commitCorrelations, { path: '$.commitCorrelations', keyOf: ({ id }) => id, merge: mergeCorrelation });
  if ('conflict' in correlations) return correlations;
  return { entry: { ...existing, observations: observations.list, commitCorrelations: correlations.list } };
}

/** The conflict as a finding about the journal. */
export function conflictFinding({ path, is, needed }: JournalConflict, line?: number): Finding {
  return { code: 'journal_conflict', file: journalFile, ...(line === undefined ? {} : { line }), path, is, needed };
}

/** The same correlation twice: what it is stays, and it may only become confirmed (cassette-contract 6.3). */
export function mergeCorrelation(before: CommitCorrelation, after: CommitCorrelation, path: string): CommitCorrelation | JournalConflict {
  const conflict = firstChange(correlationIdentity(before), correlationIdentity(after), path);
  if (conflict) return conflict;
  const isOtherTransaction = before.transactionId !== '' && after.transactionId !== '' && before.transactionId !== after.transactionId;
  if (isOtherTransaction) return changed(`${path}.transactionId`, before.transactionId, after.transactionId);
  return { ...before, confirmed: before.confirmed || after.confirmed, transactionId: before.transactionId || after.transactionId };
}

function mergeObservation(before: JournalObservation, after: JournalObservation, path: string): JournalObservation | JournalConflict {
  return firstChange(observationIdentity(before), observationIdentity(after), path) ?? before;
}

type ListRules<Item> = { path: string; keyOf: (item: Item) => string; merge: (before: Item, after: Item, path: string) => Item | JournalConflict };

function mergeList<Item extends object>(before: readonly Item[], after: readonly Item[], { path, keyOf, merge }: ListRules<Item>): { list: Item[] } | { conflict: JournalConflict } {
  const list = [...before];
  const places = new Map(before.map((item, i) => [keyOf(item), i]));
  for (const [i, item] of after.entries()) {
    const place = places.get(keyOf(item));
    if (place === undefined) {
      places.set(keyOf(item), list.push(item) - 1);
      continue;
    }
    const merged = merge(list[place] as Item, item, `${path}[${i}]`);
    if ('needed' in merged) return { conflict: merged };
    list[place] = merged;
  }
  return { list };
}

type Identity = { [member: string]: string };

const observationIdentity = ({ type, fingerprint, address }: JournalObservation): Identity => ({ type, fingerprint, address: entityAddressKey(address) });

function correlationIdentity({ kind, expected, observationPosition, observationFingerprint, address }: CommitCorrelation): Identity {
  return { kind, expected, observationPosition: observationKey(observationPosition), observationFingerprint, address: entityAddressKey(address) };
}

function firstChange(before: Identity, after: Identity, path: string): JournalConflict | null {
  const key = Object.keys(before).find((member) => before[member] !== after[member]);
  return key === undefined ? null : changed(`${path}.${key}`, before[key] ?? '', after[key] ?? '');
}

function changed(path: string, before: string, after: string): JournalConflict {
  return { path, is: `it is ${shown(after)} and was ${shown(before)}`, needed: 'what was written once must stay' };
}
