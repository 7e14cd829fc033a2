/** The observation journal of a candidate, line by line (cassette-contract 6.3). */

import { observationKey, unitKey, type UnitPlace } from '../checkpoint/position.ts';
import type { Report } from '../issue.ts';
import type { Json } from '../json/exact.ts';
import { checkEntry } from './check-entry.ts';
import { journalFile, type CommitCorrelation, type JournalEntry } from './entry.ts';
import { conflictFinding, mergeCorrelation } from './merge.ts';

export type JournalFacts = {
  /** The entry of a unit, `damaged` where it broke a rule, `null` where there is none. */
  entryAt: (unit: UnitPlace) => JournalEntry | 'damaged' | null;
  /** Whether every line could be told from the others: a missing entry is missing only then. */
  isWhole: boolean;
};

export type JournalCheck = {
  entry: (value: Json, line: number) => void;
  /** A line that is no JSON, which its reader has reported. */
  unreadable: () => void;
  end: () => JournalFacts;
};

/** Takes the lines one after another; keeps the entries of the units that are asked for later, all of them by default (6.3). */
export function createJournalCheck(report: Report, units: readonly UnitPlace[] | null = null): JournalCheck {
  const wanted = units && new Set(units.map(unitKey));
  const seen = new Set<string>();
  const kept = new Map<string, JournalEntry | 'damaged'>();
  let isWhole = true;
  return {
    entry: (value, line) => {
      const { unit, entry } = checkEntry(value, line, report);
      if (unit === null) return void (isWhole = false);
      const key = unitKey(unit);
      const isRepeated = seen.has(key);
      if (isRepeated) report({ code: 'journal_position_repeated', file: journalFile, line, path: '$.position', is: 'an earlier entry is of this unit', needed: 'one entry for each unit was needed' });
      seen.add(key);
      const isSound = isRepeated || entry === null || checkRepeats(entry, line, report);
      if (!isRepeated && (wanted === null || wanted.has(key))) kept.set(key, entry && isSound ? entry : 'damaged');
    },
    unreadable: () => void (isWhole = false),
    end: () => ({ entryAt: (unit) => kept.get(unitKey(unit)) ?? null, isWhole }),
  };
}

function checkRepeats({ observations, commitCorrelations }: JournalEntry, line: number, report: Report): boolean {
  let isSound = true;
  const seen = new Set<string>();
  observations.forEach((observation, i) => {
    const key = observationKey(observation.position);
    if (seen.has(key)) {
      isSound = false;
      report({ code: 'journal_position_repeated', file: journalFile, line, path: `$.observations[${i}].position`, is: 'an earlier observation has this position', needed: 'each position once was needed' });
    }
    seen.add(key);
  });
  return checkCorrelations(commitCorrelations, line, report) && isSound;
}

function checkCorrelations(correlations: readonly CommitCorrelation[], line: number, report: Report): boolean {
  let isSound = true;
  const known = new Map<string, CommitCorrelation>();
  correlations.forEach((correlation, i) => {
    const before = known.get(correlation.id);
    const merged = before ? mergeCorrelation(before, correlation, `$.commitCorrelations[${i}]`) : correlation;
    if (!('needed' in merged)) return void known.set(correlation.id, merged);
    isSound = false;
    report(conflictFinding(merged, line));
  });
  return isSound;
}
