/** The rules of an entity address (cassette-contract 4.6). */

import { childPath } from '../json/compare.ts';
import { isObject, type Json, type JsonObject } from '../json/exact.ts';
import { isBlank, present, shown, trim } from '../json/read.ts';
import type { Report } from '../issue.ts';
import { entityKinds, originSources, type EntityAddress, type EntityOrigin, type OriginSource } from './entity.ts';
import type { ObservationPlace } from './position.ts';
import { zeroNatural, zeroObject, zeroText } from '../json/zero.ts';

export type ValuePlace = { file: string; line?: number; path: string };

/** The address, or `null` after one finding, or without one where a member has a wrong type (cassette-contract 4.6). */
export function checkAddress(value: Json | undefined, place: ValuePlace, report: Report): EntityAddress | null {
  const found = readAddress(value);
  if (found === null || 'kind' in found) return found;
  const path = found.at.reduce(childPath, place.path);
  report({ code: 'address_invalid', ...place, path, is: found.is, needed: found.needed });
  return null;
}

type Defect = { at: string[]; is: string; needed: string };

function readAddress(value: Json | undefined): EntityAddress | Defect | null {
  if (value === undefined || value === null) return { at: [], is: 'the address is absent', needed: 'a kind and an origin were needed' };
  const kind = zeroText(value, 'kind');
  const origin = zeroObject(value, 'origin');
  const discriminator = zeroText(value, 'discriminator');
  if (!isObject(value) || kind === null || origin === null || discriminator === null) return null;
  const known = entityKinds.find((candidate) => candidate === kind);
  if (known === undefined) return { at: ['kind'], is: `the kind is ${named(kind)}`, needed: `one of ${entityKinds.join(', ')} was needed` };
  const found = readOrigin(origin);
  if (found === null || 'at' in found) return found && { ...found, at: ['origin', ...found.at] };
  if (discriminator !== trim(discriminator)) return { at: ['discriminator'], is: `the discriminator is ${shown(discriminator)}`, needed: 'no white space around it was needed' };
  if (found.source === 'recording-root' && known !== 'session') return { at: ['kind'], is: `a ${known} has the recording root as its origin`, needed: 'only a session can be the root' };
  if (found.source === 'recording-root' && discriminator) return { at: ['discriminator'], is: `the root has the discriminator ${shown(discriminator)}`, needed: 'none was needed, there is only one root' };
  return { kind: known, origin: found, ...(discriminator ? { discriminator } : {}) };
}

function readOrigin(value: JsonObject): EntityOrigin | Defect | null {
  const source = zeroText(value, 'source');
  const path = zeroText(value, 'initialStatePath');
  const sequence = zeroNatural(value, 'activityEventSequence');
  const position = zeroObject(value, 'providerObservation');
  if (source === null || path === null || sequence === null || position === null) return null;
  const known = originSources.find((candidate) => candidate === source);
  if (known === undefined) return { at: ['source'], is: `the origin is ${named(source)}`, needed: `one of ${originSources.join(', ')} was needed` };
  const members = presentMembers(value, { path, sequence });
  const foreign = members.find((key) => key !== memberOf[known]);
  if (foreign !== undefined) return { at: [foreign], is: `an origin of source ${known} has ${foreign} too`, needed: 'exactly one origin was needed' };
  switch (known) {
    case 'recording-root':
      return { source: known };
    case 'initial-state':
      return path.startsWith('/') ? { source: known, initialStatePath: path } : { at: ['initialStatePath'], is: `the path is ${named(path)}`, needed: 'a path that begins with "/" was needed' };
    case 'activity-event':
      return sequence > 0n ? { source: known, activityEventSequence: sequence } : { at: ['activityEventSequence'], is: 'the sequence is zero or absent', needed: 'the sequence of an event was needed' };
    case 'provider-observation':
      return readObservation(known, position);
  }
}

function presentMembers(value: JsonObject, { path, sequence }: { path: string; sequence: bigint }): string[] {
  // A blank path and a zero count as absent; an empty position does not, it is an object.
  return [isBlank(path) ? [] : ['initialStatePath'], sequence === 0n ? [] : ['activityEventSequence'], present(value, 'providerObservation') === undefined ? [] : ['providerObservation']].flat();
}

function readObservation(source: 'provider-observation', value: JsonObject): EntityOrigin | Defect | null {
  const place = readObservationPlace(value);
  if (place === null) return null;
  const zero = zeroMember(place);
  if (zero === null) return { source, providerObservation: place };
  return { at: ['providerObservation', zero], is: `${zero} is absent or zero`, needed: 'the complete position of an observation was needed' };
}

/** A position as written, zeros included; `null` where a member has a wrong type (cassette-contract 4.5). */
export function readObservationPlace(value: Json | undefined): ObservationPlace | null {
  const connectionId = zeroText(value, 'connectionId');
  const chunkSeq = zeroNatural(value, 'chunkSeq');
  const unitIndex = zeroNatural(value, 'unitIndex');
  const eventIndex = zeroNatural(value, 'eventIndex');
  if (connectionId === null || chunkSeq === null || unitIndex === null || eventIndex === null) return null;
  return { connectionId, chunkSeq, unitIndex, eventIndex };
}

/** The first member of a position that says nothing, or `null` (cassette-contract 4.6). */
export function zeroMember(place: ObservationPlace): 'connectionId' | 'chunkSeq' | 'unitIndex' | 'eventIndex' | null {
  if (isBlank(place.connectionId)) return 'connectionId';
  return (['chunkSeq', 'unitIndex', 'eventIndex'] as const).find((key) => place[key] === 0n) ?? null;
}

const named = (text: string): string => (text === '' ? 'absent' : shown(text));

const memberOf: { [source in OriginSource]: string | null } = {
  'recording-root': null,
  'initial-state': 'initialStatePath',
  'activity-event': 'activityEventSequence',
  'provider-observation': 'providerObservation',
};
