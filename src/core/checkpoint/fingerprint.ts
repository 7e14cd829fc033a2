/** What an observation says, without ids and times, as one hash (cassette-contract 4.7). */

import { createHash } from 'node:crypto';
import { assert } from '../assert.ts';
import type { Json } from '../json/exact.ts';
import { writeGoJson, writeGoMap } from '../json/go-text.ts';
import { isBlank, trim } from '../json/read.ts';
import { entityAddressKey, isAddressValid, type EntityAddress } from './address.ts';
import { integerJson } from './position.ts';

export type Observation = {
  type: string;
  address: EntityAddress;
  /** What does not differ between two runs; blank texts and numbers not above zero count as absent. */
  stable?: StableFields;
};

export type StableFields = { readonly [name: string]: string | number | bigint | undefined };

/** The members that the reference's observations have; no other one belongs in a fingerprint (cassette-contract 4.7). */
export const stableNames = ['attachmentCount', 'interactionKind', 'messageKind', 'noticeCommand', 'noticeCommandStatus', 'sessionKind', 'status', 'turnOutcome', 'turnPhase'] as const;

/** `sha256:` and the hash of the observation as the reference writes it (cassette-contract 4.7). */
export function observationFingerprint(observation: Observation): string {
  return `sha256:${createHash('sha256').update(fingerprintText(observation)).digest('hex')}`;
}

/** The exact text that is hashed: schemaVersion, type, address, stable (cassette-contract 4.7). */
export function fingerprintText({ type, address, stable = {} }: Observation): string {
  assert(!isBlank(type), 'an observation has a type');
  assert(isAddressValid(address), 'an observation has a valid address');
  const members = Object.entries(stable).flatMap(stableMember);
  const tail = members.length > 0 ? `,"stable":${writeGoMap(members)}` : '';
  return `{"schemaVersion":${observationSchemaVersion},"type":${writeGoJson(type.toWellFormed())},"address":${entityAddressKey(address)}${tail}}`;
}

/** `sha256:` and 64 hex digits; upper case and white space around are tolerated when read (cassette-contract 4.7). */
export function isFingerprint(text: string): boolean {
  return /^sha256:[0-9a-f]{64}$/i.test(trim(text)) && trim(text).startsWith('sha256:');
}

// Note: a lone surrogate can only stem from an escape of live JSON, which the reference decodes to U+FFFD before it hashes.
function stableMember([name, value]: [string, string | number | bigint | undefined]): [string, Json][] {
  if (typeof value === 'string') return isBlank(value) ? [] : [[name.toWellFormed(), value.toWellFormed()]];
  return value !== undefined && value > 0 ? [[name.toWellFormed(), integerJson(BigInt(value))]] : [];
}

export const observationSchemaVersion = 2;
