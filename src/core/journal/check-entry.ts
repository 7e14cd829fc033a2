/** The rules of one line of the observation journal (cassette-contract 6.3). */

import { checkAddress } from '../checkpoint/address.ts';
import { readObservationPlace, zeroMember } from '../checkpoint/check-address.ts';
import { isFingerprint, observationSchemaVersion } from '../checkpoint/fingerprint.ts';
import { unitKinds } from '../checkpoint/kinds.ts';
import { isSameUnit, type ObservationPlace, type UnitPlace } from '../checkpoint/position.ts';
import { zeroInteger, zeroList, zeroText } from '../json/zero.ts';
import type { Report } from '../issue.ts';
import { isObject, member, type Json } from '../json/exact.ts';
import { isBlank, present, shown } from '../json/read.ts';
import { journalFile, type CommitCorrelation, type JournalEntry, type JournalObservation } from './entry.ts';

/** Reports a finding about the line. */
type Complain = (path: string, is: string, needed: string) => void;
type Line = { complain: Complain; line: number; report: Report };

/** The entry, or `null` where a part of it is not usable, and the unit it is about where that much can be read (6.3). */
export function checkEntry(value: Json, line: number, report: Report): { unit: UnitPlace | null; entry: JournalEntry | null } {
  const complain: Complain = (path, is, needed) => report({ code: 'journal_invalid', file: journalFile, line, path, is, needed });
  const version = zeroInteger(value, 'schemaVersion');
  if (version !== null && version !== BigInt(observationSchemaVersion) && (value === null || isObject(value))) complain('$.schemaVersion', `the schema version is ${version}`, `${observationSchemaVersion} was needed`);
  if (!isObject(value)) return { unit: null, entry: null };
  const place = { complain, line, report };
  const unit = checkUnit(member(value, 'position'), complain);
  const unitKind = checkUnitKind(value, complain);
  const observations = zeroList(value, 'observations')?.map((item, i) => checkObservation(item, `$.observations[${i}]`, place));
  const commitCorrelations = zeroList(value, 'commitCorrelations')?.map((item, i) => checkCorrelation(item, `$.commitCorrelations[${i}]`, place));
  const isOneUnit = unit === null || checkUnits(unit, placesIn(observations, commitCorrelations), complain);
  const isWhole = unit && unitKind && version !== null && isOneUnit && observations?.every((item) => item !== null) && commitCorrelations?.every((item) => item !== null);
  return { unit, entry: isWhole ? { position: unit, unitKind, observations, commitCorrelations } : null };
}

function checkUnitKind(value: Json, complain: Complain): JournalEntry['unitKind'] | null {
  const unitKind = zeroText(value, 'unitKind');
  const known = unitKinds.find((candidate) => candidate === unitKind);
  if (unitKind !== null && known === undefined) complain('$.unitKind', `the unit kind is ${unitKind === '' ? 'absent' : shown(unitKind)}`, `one of ${unitKinds.join(', ')} was needed`);
  return known ?? null;
}

function checkObservation(value: Json, path: string, line: Line): JournalObservation | null {
  if (value !== null && !isObject(value)) return null;
  if (value === null) return complainNull(path, line);
  const position = checkPlace({ value: member(value, 'position'), path: `${path}.position`, isUnit: false }, line.complain);
  const type = zeroText(value, 'type');
  if (type !== null && isBlank(type)) line.complain(`${path}.type`, 'the type is blank or absent', 'the type of an observation was needed');
  const fingerprint = checkFingerprint(value, { path, key: 'fingerprint' }, line.complain);
  const address = checkJournalAddress(value, path, line);
  return position === null || type === null || isBlank(type) || fingerprint === null || address === null ? null : { position, type, fingerprint, address };
}

// Note: id, kind and expected may be blank here; publication asks for them only of what triggers a checkpoint (6.4).
function checkCorrelation(value: Json, path: string, line: Line): CommitCorrelation | null {
  if (value !== null && !isObject(value)) return null;
  if (value === null) return complainNull(path, line);
  const observationPosition = checkPlace({ value: member(value, 'observationPosition'), path: `${path}.observationPosition`, isUnit: false }, line.complain);
  const observationFingerprint = checkFingerprint(value, { path, key: 'observationFingerprint' }, line.complain);
  const address = checkJournalAddress(value, path, line);
  const [id, kind, expected, transactionId] = [zeroText(value, 'id'), zeroText(value, 'kind'), zeroText(value, 'expected'), zeroText(value, 'transactionId')];
  const confirmed = present(value, 'confirmed') ?? false;
  if (observationPosition === null || observationFingerprint === null || address === null || typeof confirmed !== 'boolean') return null;
  if (id === null || kind === null || expected === null || transactionId === null) return null;
  return { id, kind, address, observationPosition, observationFingerprint, expected, confirmed, transactionId };
}

function complainNull(path: string, { complain }: Line): null {
  complain(path, 'it is null', 'an object was needed');
  return null;
}

function checkUnit(value: Json | undefined, complain: Complain): UnitPlace | null {
  const place = checkPlace({ value, path: '$.position', isUnit: true }, complain);
  return place && { connectionId: place.connectionId, chunkSeq: place.chunkSeq, unitIndex: place.unitIndex };
}

function checkPlace({ value, path, isUnit }: { value: Json | undefined; path: string; isUnit: boolean }, complain: Complain): ObservationPlace | null {
  if (value === undefined || value === null) complain(path, 'the position is absent', 'a complete position was needed');
  const read = isObject(value) ? readObservationPlace(value) : null;
  if (read === null) return null;
  const zero = zeroMember(isUnit ? { ...read, eventIndex: 1n } : read);
  if (zero !== null) complain(`${path}.${zero}`, `${zero} is absent or zero`, 'a complete position was needed');
  return zero === null ? read : null;
}

function checkFingerprint(value: Json, { path, key }: { path: string; key: string }, complain: Complain): string | null {
  const fingerprint = zeroText(value, key);
  if (fingerprint === null || isFingerprint(fingerprint)) return fingerprint;
  complain(`${path}.${key}`, `the fingerprint is ${fingerprint === '' ? 'absent' : shown(fingerprint)}`, '"sha256:" and 64 hex digits were needed');
  return null;
}

// Anywhere in the journal a broken address is a broken journal, also where nothing is triggered by it (6.4).
function checkJournalAddress(value: Json, path: string, { line, report }: Line): JournalObservation['address'] | null {
  return checkAddress(member(value, 'address'), { file: journalFile, line, path: `${path}.address` }, (finding) => report({ ...finding, code: 'journal_invalid' }));
}

type Placed = { path: string; position: ObservationPlace };

function placesIn(observations: readonly (JournalObservation | null)[] | undefined, correlations: readonly (CommitCorrelation | null)[] | undefined): Placed[] {
  const observed = observations?.map((item, i) => item && { path: `$.observations[${i}].position`, position: item.position }) ?? [];
  const confirmed = correlations?.map((item, i) => item && { path: `$.commitCorrelations[${i}].observationPosition`, position: item.observationPosition }) ?? [];
  return [...observed, ...confirmed].filter((item) => item !== null);
}

// Where everything in an entry agrees on another unit, it is the entry that has the wrong one: one finding, not one each.
function checkUnits(unit: UnitPlace, places: readonly Placed[], complain: Complain): boolean {
  const strangers = places.filter(({ position }) => !isSameUnit(position, unit));
  const [first] = strangers;
  if (first === undefined) return true;
  const areOne = strangers.length === places.length && places.length > 1 && strangers.every(({ position }) => isSameUnit(position, first.position));
  if (areOne) complain('$.position', 'everything in the entry is of another unit', 'one unit was needed');
  else for (const { path } of strangers) complain(path, 'it is of another unit than its entry', 'the unit of the entry was needed');
  return false;
}
