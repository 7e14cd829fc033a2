/** Places on the lanes of a cassette: an input unit, an observation in it, and their order (cassette-contract 4.4, 4.5). */

import { parseJson, type Json } from '../json/exact.ts';

/** One provider input unit; (0, 0) is before the first. */
export type UnitPlace = { connectionId: string; chunkSeq: bigint; unitIndex: bigint };

/** One observation in a unit; `eventIndex` counts from 1. */
export type ObservationPlace = UnitPlace & { eventIndex: bigint };

/** Below, equal or above zero, as (chunkSeq, unitIndex) compare; the connection is not looked at (cassette-contract 4.4 C5). */
export function compareUnits(a: Omit<UnitPlace, 'connectionId'>, b: Omit<UnitPlace, 'connectionId'>): number {
  return Number(a.chunkSeq - b.chunkSeq || a.unitIndex - b.unitIndex);
}

export function isSameUnit(a: UnitPlace, b: UnitPlace): boolean {
  return a.connectionId === b.connectionId && a.chunkSeq === b.chunkSeq && a.unitIndex === b.unitIndex;
}

/** A text that two places share when they are one: the id comes last, so nothing in it can be taken for a number. */
export function unitKey({ connectionId, chunkSeq, unitIndex }: UnitPlace): string {
  return `${chunkSeq}:${unitIndex}:${connectionId}`;
}

export function observationKey(place: ObservationPlace): string {
  return `${place.eventIndex}:${unitKey(place)}`;
}

/** Members in the order of the format (cassette-contract 4.4). */
export function unitJson({ connectionId, chunkSeq, unitIndex }: UnitPlace): { [key: string]: Json } {
  return { connectionId, chunkSeq: integerJson(chunkSeq), unitIndex: integerJson(unitIndex) };
}

export function observationJson(place: ObservationPlace): { [key: string]: Json } {
  return { ...unitJson(place), eventIndex: integerJson(place.eventIndex) };
}

/** An exact integer as JSON, also beyond 2^53 (cassette-contract 0.1 J6). */
export function integerJson(value: bigint): Json {
  return parseJson(String(value)) as Json;
}
