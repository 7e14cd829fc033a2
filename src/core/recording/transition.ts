/** How a recording goes from one status to the next (cassette-contract 9.3). */

import { isBlank, trim } from '../json/read.ts';
import type { Recording, RecordingStatus } from './recording.ts';
import { refuse, type Result } from './refusal.ts';

export type RecordingChange = {
  to: RecordingStatus;
  atUnixMs: number;
  /** For `recording`; the one the recording already has counts where it is absent. */
  rootAgentSessionId?: string;
  /** For `complete`. */
  cassetteId?: string;
  /** For `failed` and `incomplete`. */
  errorCode?: string;
  errorMessage?: string;
};

/** Gives the recording in its next status, or says why it may not go there; the given one stays as it is. */
export function transitionRecording(recording: Recording, change: RecordingChange): Result<Recording> {
  if (recording.status === change.to) return { ok: true, value: recording };
  const next = moved(recording, change);
  const lack = lackOf(next, change);
  const isKnownWay = ways[recording.status].includes(change.to);
  if (!isKnownWay) return refuseChange(recording, change, `it is ${recording.status}`, ways[recording.status].length > 0 ? `${change.to} cannot follow` : 'nothing can follow');
  return lack ? refuseChange(recording, change, lack.is, lack.needed) : { ok: true, value: next };
}

function moved(recording: Recording, change: RecordingChange): Recording {
  const { to, atUnixMs } = change;
  const hasError = to === 'failed' || to === 'incomplete';
  return {
    ...recording,
    status: to,
    updatedAtUnixMs: atUnixMs,
    rootAgentSessionId: change.rootAgentSessionId ?? recording.rootAgentSessionId,
    cassetteId: change.cassetteId ?? recording.cassetteId,
    // Each time is stamped once: a second way into the status would not make the recording younger.
    recordingAtUnixMs: to === 'recording' ? (recording.recordingAtUnixMs ?? atUnixMs) : recording.recordingAtUnixMs,
    stoppedAtUnixMs: to === 'finalizing' ? (recording.stoppedAtUnixMs ?? atUnixMs) : recording.stoppedAtUnixMs,
    errorCode: hasError ? trim(change.errorCode ?? '') : null,
    errorMessage: hasError ? (change.errorMessage ?? '') : null,
  };
}

function lackOf(next: Recording, { atUnixMs }: RecordingChange): { is: string; needed: string } | null {
  if (!(atUnixMs > 0)) return { is: `the time is ${atUnixMs}`, needed: 'a time above 0 was needed' };
  if (next.status === 'recording' && isBlank(next.rootAgentSessionId ?? '')) return { is: 'it has no root session', needed: 'one was needed' };
  if (next.status === 'complete' && isBlank(next.cassetteId ?? '')) return { is: 'it has no cassette', needed: 'one was needed' };
  const needsError = next.status === 'failed' || next.status === 'incomplete';
  return needsError && (isBlank(next.errorCode ?? '') || isBlank(next.errorMessage ?? '')) ? { is: 'the reason is blank', needed: 'a code and a message were needed' } : null;
}

function refuseChange(recording: Recording, change: RecordingChange, is: string, needed: string): Result<never> {
  return refuse('recording_state_invalid', `Cannot make recording "${recording.id}" ${change.to}: ${is}, ${needed}`);
}

const ways: { readonly [from in RecordingStatus]: readonly RecordingStatus[] } = {
  preparing: ['ready', 'recording', 'failed', 'canceled', 'incomplete'],
  ready: ['recording', 'failed', 'canceled', 'incomplete'],
  recording: ['finalizing', 'failed', 'canceled', 'incomplete'],
  finalizing: ['complete', 'failed', 'canceled', 'incomplete'],
  complete: [],
  failed: [],
  canceled: [],
  incomplete: [],
};
