/** The rules of triggers, and how they bind the cursor (cassette-contract 4.5). */

import { isObject, type Json } from '../json/exact.ts';
import { isBlank, present, shown } from '../json/read.ts';
import type { Boundaries } from './boundary.ts';
import { readObservationPlace } from './check-address.ts';
import type { Complain, CursorFacts } from './check-cursor.ts';
import { isFingerprint } from './fingerprint.ts';
import { boundaryKinds, triggerSources, unitKinds } from './kinds.ts';
import type { Trigger } from './plan.ts';
import { compareUnits, type ObservationPlace } from './position.ts';
import { zeroNatural, zeroText } from '../json/zero.ts';

export type TriggerQuestion = {
  value: Json | undefined;
  path: string;
  isFirst: boolean;
  cursor: CursorFacts;
  /** `null` where the events are not known. */
  boundaries: Boundaries | null;
};

/** The trigger, or `null` where it is not one; findings say why (cassette-contract 4.5). */
export function checkTrigger(question: TriggerQuestion, complain: Complain): Trigger | null {
  const { value, path, isFirst } = question;
  const source = zeroText(value, 'source');
  const isAbsent = value === undefined || value === null;
  if (source === null || !(isAbsent || isObject(value))) return null;
  const known = triggerSources.find((candidate) => candidate === source);
  if (known === undefined) {
    complain('trigger_source_unknown', isAbsent ? path : `${path}.source`, `the source is ${source === '' ? 'absent' : shown(source)}`, `one of ${triggerSources.join(', ')} was needed`);
    return null;
  }
  if (isFirst && known !== 'bootstrap') {
    complain('checkpoint_zero_not_bootstrap', `${path}.source`, `the first checkpoint has the source ${known}`, 'bootstrap was needed');
    return null;
  }
  switch (known) {
    case 'bootstrap':
      return checkBootstrap(question, complain);
    case 'activity-boundary':
      return checkBoundary(question, complain);
    case 'provider-observation':
      return checkProvider(question, complain);
  }
}

function checkBootstrap({ value, path }: TriggerQuestion, complain: Complain): Trigger {
  const sequence = zeroNatural(value, 'afterActivityEventSequence') ?? 0n;
  if (isObject(present(value, 'position'))) complain('trigger_bootstrap_invalid', `${path}.position`, 'a bootstrap has a position', 'none was needed, it comes before everything');
  if (sequence !== 0n) complain('trigger_bootstrap_invalid', `${path}.afterActivityEventSequence`, `a bootstrap comes after event ${sequence}`, '0 was needed, it comes before everything');
  return { source: 'bootstrap' };
}

function checkBoundary(question: TriggerQuestion, complain: Complain): Trigger | null {
  const { value, path } = question;
  const sequence = zeroNatural(value, 'afterActivityEventSequence');
  const kind = zeroText(value, 'boundaryKind');
  const known = boundaryKinds.find((candidate) => candidate === kind);
  if (sequence !== null) checkBoundarySequence(sequence, question, complain);
  // A trigger without all of its members has lost its source, not each of them.
  const isOtherSource = sequence === 0n && kind === '';
  if (kind !== null && known === undefined && !isOtherSource) complain('boundary_kind_unknown', `${path}.boundaryKind`, `the kind is ${kind === '' ? 'absent' : shown(kind)}`, `${boundaryKinds.join(' or ')} was needed`);
  return sequence === null || sequence === 0n || known === undefined ? null : { source: 'activity-boundary', afterActivityEventSequence: sequence, boundaryKind: known };
}

function checkBoundarySequence(sequence: bigint, { path, cursor, boundaries }: TriggerQuestion, complain: Complain): void {
  const at = `${path}.afterActivityEventSequence`;
  const isElsewhere = !cursor.isActivityFaulty && cursor.activity !== sequence;
  if (sequence === 0n) complain('boundary_sequence_invalid', at, 'the boundary is 0 or absent', 'the sequence of an event was needed');
  else if (isElsewhere) complain('boundary_sequence_invalid', at, `the boundary is ${sequence}, the cursor ${cursor.activity}`, 'the two must be equal');
  if (boundaries === null) return;
  if (sequence > boundaries.eventCount) complain('boundary_beyond_events', at, `the boundary is ${sequence} and there are ${boundaries.eventCount} events`, 'the sequence of an event was needed');
  const parted = isElsewhere ? null : boundaries.partedBy(sequence);
  if (parted) complain('boundary_splits_effect', at, `it lies between the intent ${shown(parted.cause)} and its effect ${shown(parted.effect)}`, 'both on one side were needed');
}

function checkProvider(question: TriggerQuestion, complain: Complain): Trigger | null {
  const { value, path } = question;
  const position = checkPosition(question, complain);
  const unitKind = zeroText(value, 'unitKind');
  const type = zeroText(value, 'type');
  const fingerprint = zeroText(value, 'fingerprint');
  const known = unitKinds.find((candidate) => candidate === unitKind);
  const isOtherSource = present(value, 'position') === undefined && [unitKind, type, fingerprint].every((text) => text === '');
  if (isOtherSource) return null;
  if (unitKind !== null && known === undefined) complain('trigger_unit_kind_unknown', `${path}.unitKind`, `the unit kind is ${unitKind === '' ? 'absent' : shown(unitKind)}`, `one of ${unitKinds.join(', ')} was needed`);
  if (type !== null && isBlank(type)) complain('trigger_type_blank', `${path}.type`, 'the type is blank or absent', 'the type of an observation was needed');
  if (fingerprint !== null && !isFingerprint(fingerprint)) complain('fingerprint_invalid', `${path}.fingerprint`, `the fingerprint is ${fingerprint === '' ? 'absent' : shown(fingerprint)}`, '"sha256:" and 64 hex digits were needed');
  return position === null || known === undefined || type === null || isBlank(type) || fingerprint === null || !isFingerprint(fingerprint) ? null : { source: 'provider-observation', position, unitKind: known, type, fingerprint };
}

// Note: a chunk or a unit of 0 is accepted here, as in the reference; publication then finds no observation there.
function checkPosition({ value, path, cursor }: TriggerQuestion, complain: Complain): ObservationPlace | null {
  const at = `${path}.position`;
  const given = present(value, 'position');
  if (given === undefined) complain('trigger_position_invalid', at, 'the position is absent', 'the position of an observation was needed');
  const position = isObject(given) ? readObservationPlace(given) : null;
  if (position === null) return null;
  const isBlankConnection = isBlank(position.connectionId);
  if (position.eventIndex === 0n) complain('trigger_position_invalid', `${at}.eventIndex`, 'the event index is absent or zero', 'a number from 1 was needed');
  if (isBlankConnection) complain('trigger_position_invalid', `${at}.connectionId`, 'the connection is blank or absent', 'the id of a connection was needed');
  else checkWithinCursor(position, { at, cursor }, complain);
  return position.eventIndex === 0n || isBlankConnection ? null : position;
}

function checkWithinCursor(position: ObservationPlace, { at, cursor }: { at: string; cursor: CursorFacts }, complain: Complain): void {
  if (cursor.cursor === null) return;
  const id = position.connectionId;
  const place = cursor.cursor.providerConnections.find(({ connectionId }) => connectionId === id);
  if (place === undefined) {
    if (!cursor.areConnectionsFaulty) complain('trigger_beyond_cursor', `${at}.connectionId`, `the cursor has no connection ${shown(id)}`, 'a connection of the cursor was needed');
  } else if (!cursor.backward.has(id) && compareUnits(position, place) > 0) {
    complain('trigger_beyond_cursor', at, `it is at ${position.chunkSeq}, ${position.unitIndex} and the cursor at ${place.chunkSeq}, ${place.unitIndex}`, 'a place that the cursor covers was needed');
  }
}
