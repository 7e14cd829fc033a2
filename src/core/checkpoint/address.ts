/** Entity addresses: what a checkpoint means, named by the fact of the cassette that brought it in (cassette-contract 4.6). */

import { Buffer } from 'node:buffer';
import { parseJson, type Json, type JsonObject } from '../json/exact.ts';
import { writeGoJson } from '../json/go-text.ts';
import { checkAddress } from './check-address.ts';
import type { EntityAddress, EntityOrigin } from './entity.ts';
import { integerJson, observationJson } from './position.ts';

export { checkAddress } from './check-address.ts';
export { entityKinds, originSources, type EntityAddress, type EntityKind, type EntityOrigin, type OriginSource } from './entity.ts';

/** The root session of every cassette. */
export const rootAddress: EntityAddress = { kind: 'session', origin: { source: 'recording-root' } };

/** The address, or `null` where any rule of 4.6 is broken; `checkAddress` says which. */
export function parseAddress(value: Json | undefined): EntityAddress | null {
  return checkAddress(value, { file: '', path: '$' }, () => {});
}

/** Members in the order of the format, those that are zero left out (cassette-contract 4.6). */
export function addressJson({ kind, origin, discriminator }: EntityAddress): JsonObject {
  return { kind, origin: originJson(origin), ...(discriminator ? { discriminator } : {}) };
}

/** Two addresses are the same entity when their keys are the same text (cassette-contract 4.6). */
export function entityAddressKey(address: EntityAddress): string {
  return writeGoJson(addressJson(address));
}

export function isSameAddress(a: EntityAddress, b: EntityAddress): boolean {
  return entityAddressKey(a) === entityAddressKey(b);
}

/** What tells apart the goals that one activity event gave to several sessions (cassette-contract 4.6). */
export function parentDiscriminator(parent: EntityAddress): string {
  return parentPrefix + Buffer.from(entityAddressKey(parent)).toString('base64url');
}

/** The session a goal belongs to, or `null` where its discriminator is not one that `parentDiscriminator` makes. */
export function parentOf(goal: EntityAddress): EntityAddress | null {
  const text = goal.discriminator ?? '';
  if (goal.kind !== 'goal' || !text.startsWith(parentPrefix)) return null;
  const parent = parseAddress(parseJson(Buffer.from(text.slice(parentPrefix.length), 'base64url').toString('utf8')));
  return parent && parentDiscriminator(parent) === text ? parent : null;
}

/** Whether a value built in code keeps the rules of 4.6; parsed values have gone through `checkAddress`. */
export function isAddressValid(address: EntityAddress): boolean {
  return parseAddress(addressJson(address)) !== null;
}

function originJson(origin: EntityOrigin): JsonObject {
  switch (origin.source) {
    case 'recording-root':
      return { source: origin.source };
    case 'initial-state':
      return { source: origin.source, initialStatePath: origin.initialStatePath };
    case 'activity-event':
      return { source: origin.source, activityEventSequence: integerJson(origin.activityEventSequence) };
    case 'provider-observation':
      return { source: origin.source, providerObservation: observationJson(origin.providerObservation) };
  }
}

const parentPrefix = 'parent:';
