/** What one provider input unit showed, and which commits confirmed it; only a candidate has a journal (cassette-contract 6.3). */

import { addressJson, type EntityAddress } from '../checkpoint/address.ts';
import { observationSchemaVersion } from '../checkpoint/fingerprint.ts';
import { observationJson, unitJson, type ObservationPlace, type UnitPlace } from '../checkpoint/position.ts';
import type { JsonObject } from '../json/exact.ts';
import { writeGoJson } from '../json/go-text.ts';
import type { UnitKind } from '../ports.ts';

export type JournalObservation = { position: ObservationPlace; type: string; fingerprint: string; address: EntityAddress };

export type CommitCorrelation = {
  id: string;
  kind: string;
  address: EntityAddress;
  observationPosition: ObservationPlace;
  observationFingerprint: string;
  expected: string;
  confirmed: boolean;
  /** Empty until a transaction confirmed it; the first one stays. */
  transactionId: string;
};

export type JournalEntry = {
  position: UnitPlace;
  unitKind: UnitKind;
  observations: readonly JournalObservation[];
  commitCorrelations: readonly CommitCorrelation[];
};

export const journalFile = '.recording/observation-journal.jsonl';

/** One line of the journal, its line feed included (cassette-contract 0.3, 6.3). */
export function writeJournalEntry(entry: JournalEntry): string {
  return `${writeGoJson(entryJson(entry))}\n`;
}

export function entryJson({ position, unitKind, observations, commitCorrelations }: JournalEntry): JsonObject {
  return {
    schemaVersion: observationSchemaVersion,
    position: unitJson(position),
    unitKind,
    observations: observations.map(({ position, type, fingerprint, address }): JsonObject => ({ position: observationJson(position), type, fingerprint, address: addressJson(address) })),
    commitCorrelations: commitCorrelations.map(correlationJson),
  };
}

function correlationJson({ id, kind, address, observationPosition, observationFingerprint, expected, confirmed, transactionId }: CommitCorrelation): JsonObject {
  const identity = { id, kind, address: addressJson(address), observationPosition: observationJson(observationPosition), observationFingerprint, expected, confirmed };
  return transactionId === '' ? identity : { ...identity, transactionId };
}
