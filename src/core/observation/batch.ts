/** What an adapter observed in one provider input unit, and the batches that travel with one commit (cassette-contract 6.1). */

import type { ObservationPlace, UnitPlace } from '../checkpoint/position.ts';
import { isBlank, trim } from '../json/read.ts';
import type { UnitKind } from '../ports.ts';

/** Texts of an event; empty where there is nothing to say. Ids stay in memory, only addresses are written. */
const eventTexts = [
  'agentSessionId',
  'sessionKind',
  'rootAgentSessionId',
  'rootTurnId',
  'parentAgentSessionId',
  'parentTurnId',
  'parentToolCallId',
  'turnId',
  'messageId',
  'messageKind',
  'noticeCommand',
  'noticeCommandStatus',
  'callId',
  'interactionId',
  'interactionKind',
  'turnPhase',
  'turnOutcome',
  'status',
] as const;
export type EventText = (typeof eventTexts)[number];

/** `eventIndex` counts from 1 in its unit. */
export type ObservationEvent = { eventIndex: bigint; type: string; attachmentCount: number } & { [Name in EventText]: string };

/** `recordingId` is blank while nothing is recorded. */
export type ObservationBatch = UnitPlace & { recordingId: string; unitKind: UnitKind; events: readonly ObservationEvent[] };

/** The batches that one transaction of the store commits. */
export type CommitContext = { recordingId: string; batches: readonly ObservationBatch[] };
export type ContextRefusal = { refusal: 'generation_mixed' | 'generation_missing' | 'batch_missing'; reason: string };

/** An event with everything empty that is not given (cassette-contract 6.1). */
export function createObservation(parts: Pick<ObservationEvent, 'eventIndex' | 'type'> & Partial<ObservationEvent>): ObservationEvent {
  const empty = Object.fromEntries(eventTexts.map((name) => [name, ''])) as { [Name in EventText]: string };
  return { ...empty, attachmentCount: 0, ...parts };
}

/** The batches as one context, or why they are none: they belong to one recording, or to none at all (cassette-contract 6.1). */
export function createCommitContext(batches: readonly ObservationBatch[]): CommitContext | ContextRefusal {
  const context = { recordingId: trim(batches[0]?.recordingId ?? ''), batches };
  return refuseContext(context) ?? context;
}

/** Why a context cannot be, or `null`: a commit never mixes two generations (cassette-contract 6.1). */
export function refuseContext({ recordingId, batches }: CommitContext): ContextRefusal | null {
  const stranger = batches.find((batch) => trim(batch.recordingId) !== trim(recordingId));
  if (stranger) return { refusal: 'generation_mixed', reason: `A commit of ${named(recordingId)} holds observations of ${named(stranger.recordingId)}` };
  if (batches.length === 0 && !isBlank(recordingId)) return { refusal: 'batch_missing', reason: `A commit of ${named(recordingId)} holds no observations` };
  return null;
}

/** Whether a session was started by another one; a kind or a parent says so (cassette-contract 6.2, 6.6). */
export function isChild({ sessionKind, parentAgentSessionId }: Pick<ObservationEvent, 'sessionKind' | 'parentAgentSessionId'>): boolean {
  return trim(sessionKind) === 'child' || !isBlank(parentAgentSessionId);
}

/** Where in its batch an event stands. */
export function placeOf({ connectionId, chunkSeq, unitIndex }: UnitPlace, { eventIndex }: Pick<ObservationEvent, 'eventIndex'>): ObservationPlace {
  return { connectionId, chunkSeq, unitIndex, eventIndex };
}

function named(recordingId: string): string {
  return isBlank(recordingId) ? 'no recording' : `recording "${trim(recordingId)}"`;
}
