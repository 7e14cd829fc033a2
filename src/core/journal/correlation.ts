/** What a commit must confirm of an observation before a checkpoint may be triggered by it (cassette-contract 6.5). */

import { entityAddressKey } from '../checkpoint/address.ts';
import { isBlank } from '../json/read.ts';
import type { CommitCorrelation, JournalObservation } from './entry.ts';

/** The words of the activity layer that came with an observation; empty where there were none. */
export type ObservedState = { status: string; turnPhase: string; turnOutcome: string };

/** The correlation of an observation as it waits for its commit: an exact copy of what was observed (cassette-contract 6.5). */
export function createCorrelation({ position, type, fingerprint, address }: JournalObservation, state: ObservedState): CommitCorrelation {
  const expected = expectedState(type, state);
  const { connectionId, chunkSeq, unitIndex, eventIndex } = position;
  const id = [connectionId, chunkSeq, unitIndex, eventIndex, type, entityAddressKey(address), expected].join(':');
  return { id, kind: correlationKind(type), address, observationPosition: position, observationFingerprint: fingerprint, expected, confirmed: false, transactionId: '' };
}

function correlationKind(type: string): string {
  const prefix = type.slice(0, type.indexOf('.'));
  return kinds.get(prefix) ?? 'turn';
}

// An ended turn may already be idle when it is observed, so that its outcome says more than its status.
function expectedState(type: string, { status, turnPhase, turnOutcome }: ObservedState): string {
  const words = ends.has(type) ? [turnOutcome, status, 'completed'] : [status, turnPhase, turnOutcome, type];
  return words.find((word) => !isBlank(word)) ?? type;
}

const kinds = new Map([
  ['session', 'session'],
  ['interaction', 'interaction'],
  ['call', 'call'],
  ['plan', 'message'],
  ['compaction', 'message'],
  ['attachment', 'message'],
]);
const ends = new Set(['turn.completed', 'turn.failed', 'turn.canceled', 'root_provider_turn.completed']);
