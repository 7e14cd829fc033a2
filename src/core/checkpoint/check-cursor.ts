/** The rules of vector cursors: each is compared with the one before it (cassette-contract 4.4). */

import type { IssueCode } from '../issue-catalogue.ts';
import { isObject, type Json } from '../json/exact.ts';
import { compareBytes } from '../json/go-text.ts';
import { isBlank, present, shown } from '../json/read.ts';
import { isSameCursor, type VectorCursor } from './plan.ts';
import { compareUnits, type UnitPlace } from './position.ts';
import { zeroList, zeroNatural, zeroText } from '../json/zero.ts';

/** Reports a finding about the plan. */
export type Complain = (code: IssueCode, path: string, is: string, needed: string) => void;

export type CursorFacts = {
  /** As written, `null` where a part of it cannot be read. */
  cursor: VectorCursor | null;
  activity: bigint | null;
  /** Of this chain of cursors alone: the next one may add to it. */
  places: Map<string, UnitPlace>;
  /** The activity part was reported: what follows from it is not reported again. */
  isActivityFaulty: boolean;
  /** Some connection was reported, so another may only seem to be absent. */
  areConnectionsFaulty: boolean;
  backward: ReadonlySet<string>;
};

export type CursorQuestion = {
  value: Json | undefined;
  path: string;
  /** `null` for the first checkpoint. */
  previous: CursorFacts | null;
  /** `null` switches the check off, as a tape without connections does (4.4 C3). */
  connectionIds: ReadonlySet<string> | null;
};

/** Reads a cursor and reports what is wrong with it alone, then against the previous one (cassette-contract 4.4 C1-C7). */
export function checkCursor(question: CursorQuestion, complain: Complain): CursorFacts {
  const { value, path, previous } = question;
  if (previous && (value === undefined || value === null)) {
    complain('plan_invalid', path, 'the cursor is absent', 'a place on every lane was needed');
    return { ...previous, cursor: null, areConnectionsFaulty: true, isActivityFaulty: true };
  }
  if (value !== undefined && value !== null && !isObject(value)) return { ...(previous ?? nothing()), cursor: null, areConnectionsFaulty: true, isActivityFaulty: true };
  const activity = zeroNatural(value, 'activityEventSequence');
  const isBackward = activity !== null && previous?.activity != null && activity < previous.activity;
  if (isBackward) complain('cursor_activity_backward', `${path}.activityEventSequence`, `the activity part is ${activity} after ${previous.activity}`, 'it must not go back');
  const connections = checkConnections(question, complain);
  const cursor = activity === null || connections.list === null ? null : { activityEventSequence: activity, providerConnections: connections.list };
  const facts = { cursor, activity: activity ?? previous?.activity ?? null, isActivityFaulty: isBackward || activity === null, ...connections };
  const isUnchanged = !facts.areConnectionsFaulty && cursor !== null && previous?.cursor != null && isSameCursor(cursor, previous.cursor);
  if (isUnchanged) complain('cursor_unchanged', path, 'the cursor equals the one before it', 'one checkpoint for one cursor was needed');
  // A cursor that stayed where it was lags behind its trigger on every lane, which need not be said once more.
  return isUnchanged ? { ...facts, isActivityFaulty: true, backward: new Set(facts.places.keys()) } : facts;
}

type ConnectionFacts = Pick<CursorFacts, 'places' | 'areConnectionsFaulty' | 'backward'> & { list: UnitPlace[] | null };

function checkConnections(question: CursorQuestion, complain: Complain): ConnectionFacts {
  const path = `${question.path}.providerConnections`;
  const values = zeroList(question.value, 'providerConnections');
  if (values === null) return { places: question.previous?.places ?? new Map(), areConnectionsFaulty: true, backward: new Set(), list: null };
  if (present(question.value, 'providerConnections') === undefined) complain('cursor_connections_null', path, 'the list of connections is absent', 'a list was needed, an empty one where there is no connection');
  const read = values.map(readPlace);
  const list = read.every((place) => place !== null) ? read : null;
  const named = checkNames(read, { ...question, path }, complain);
  const backward = checkProgress(read.map((place) => (place && named.places.get(place.connectionId) === place ? place : null)), { ...question, path }, complain);
  const dropped = named.isFaulty ? [] : [...(question.previous?.places.keys() ?? [])].filter((id) => !named.places.has(id));
  if (dropped.length > 0) complain('cursor_connection_dropped', path, `${names(dropped)} not in it any more`, 'every connection of the cursor before was needed');
  return { places: baseline(named.places, question.previous, { isFaulty: named.isFaulty, isDropped: dropped.length > 0 }), areConnectionsFaulty: named.isFaulty || dropped.length > 0, backward, list };
}

function readPlace(value: Json): UnitPlace | null {
  const connectionId = zeroText(value, 'connectionId');
  const chunkSeq = zeroNatural(value, 'chunkSeq');
  const unitIndex = zeroNatural(value, 'unitIndex');
  const isTyped = value === null || isObject(value);
  return !isTyped || connectionId === null || chunkSeq === null || unitIndex === null ? null : { connectionId, chunkSeq, unitIndex };
}

type Places = readonly (UnitPlace | null)[];

// A name that nobody knows is left out of the order, so that one wrong name is one finding.
function checkNames(places: Places, { path, connectionIds }: CursorQuestion, complain: Complain): { places: Map<string, UnitPlace>; isFaulty: boolean } {
  const known = new Map<string, UnitPlace>();
  let isFaulty = places.includes(null);
  let last = '';
  places.forEach((place, i) => {
    if (place === null) return;
    const id = place.connectionId;
    const at = `${path}[${i}].connectionId`;
    const isUnknown = connectionIds !== null && !connectionIds.has(id);
    if (isBlank(id)) complain('cursor_connection_order', at, 'the connection is blank', 'the id of a connection was needed');
    else if (known.has(id)) complain('cursor_connection_order', at, `${shown(id)} is named twice`, 'each connection once was needed');
    else if (isUnknown) complain('cursor_connection_unknown', at, `the tape has no connection ${shown(id)}`, 'a connection of the tape was needed');
    else if (compareBytes(id, last) < 0) complain('cursor_connection_order', at, `${shown(id)} comes after ${shown(last)}`, 'the byte order of the ids was needed');
    if (isBlank(id) || known.has(id) || isUnknown) isFaulty = true;
    else known.set((last = id), place);
  });
  return { places: known, isFaulty };
}

function checkProgress(places: Places, { path, previous }: CursorQuestion, complain: Complain): Set<string> {
  const backward = new Set<string>();
  places.forEach((place, i) => {
    const before = place && previous?.places.get(place.connectionId);
    if (!place || !before || compareUnits(place, before) >= 0) return;
    backward.add(place.connectionId);
    complain('cursor_provider_backward', `${path}[${i}]`, `it is at ${place.chunkSeq}, ${place.unitIndex} after ${before.chunkSeq}, ${before.unitIndex}`, 'it must not go back');
  });
  return backward;
}

// What the next cursor is compared with: a connection that seems to have gone, or to have come, may only have a wrong name here.
function baseline(places: Map<string, UnitPlace>, previous: CursorFacts | null, { isFaulty, isDropped }: { isFaulty: boolean; isDropped: boolean }): Map<string, UnitPlace> {
  if (isFaulty) return previous ? addAll(previous.places, places) : places;
  return isDropped ? new Map([...places].filter(([id]) => previous?.places.has(id))) : places;
}

// In place, because the cursor before is not asked again: a copy for each of thousands of faulty cursors takes the square of the time.
function addAll(known: Map<string, UnitPlace>, places: ReadonlyMap<string, UnitPlace>): Map<string, UnitPlace> {
  for (const [id, place] of places) known.set(id, place);
  return known;
}

function names(ids: readonly string[]): string {
  const listed = ids.slice(0, namesMax).map(shown).join(', ');
  return ids.length > namesMax ? `${listed} and ${ids.length - namesMax} more are` : `${listed} ${ids.length > 1 ? 'are' : 'is'}`;
}

const namesMax = 5;
const nothing = (): CursorFacts => ({ cursor: null, activity: null, places: new Map(), isActivityFaulty: false, areConnectionsFaulty: false, backward: new Set() });
