/** Recordings and cassettes as rows of a catalog (cassette-contract 9.1, 9.2). */

import type { CassetteMode, ManifestFacts, ReplayPrerequisites } from '../cassette/manifest.ts';

export type ActiveStatus = 'preparing' | 'ready' | 'recording' | 'finalizing';
export type TerminalStatus = 'complete' | 'failed' | 'canceled' | 'incomplete';
export type RecordingStatus = ActiveStatus | TerminalStatus;

/** A mutable task that makes none or one cassette. Blank texts and absent times are `null`. */
export type Recording = {
  id: string;
  name: string;
  cassetteId: string | null;
  scopeId: string;
  agentTargetId: string;
  replayPrerequisites: ReplayPrerequisites;
  mode: CassetteMode;
  rootAgentSessionId: string | null;
  status: RecordingStatus;
  errorCode: string | null;
  errorMessage: string | null;
  createdAtUnixMs: number;
  recordingAtUnixMs: number | null;
  stoppedAtUnixMs: number | null;
  updatedAtUnixMs: number;
};

/** What the catalog knows of a cassette; all of it can be made again from the cassette itself. */
export type CassetteRow = {
  id: string;
  name: string;
  sourceRecordingId: string;
  agentTargetId: string;
  rootAgentSessionId: string;
  mode: CassetteMode;
  totalBytes: number;
  manifestSha256: string;
  createdAtUnixMs: number;
};

export function isActive(status: RecordingStatus): status is ActiveStatus {
  switch (status) {
    case 'preparing':
    case 'ready':
    case 'recording':
    case 'finalizing':
      return true;
    case 'complete':
    case 'failed':
    case 'canceled':
    case 'incomplete':
      return false;
  }
}

/** The catalog row of a sound cassette (9.1). */
export function cassetteRowOf(facts: ManifestFacts, mode: CassetteMode, manifestSha256: string): CassetteRow {
  const { id, name, sourceRecordingId, agentTargetId, rootAgentSessionId, totalBytes, createdAtUnixMs } = facts;
  return { id, name, sourceRecordingId, agentTargetId, rootAgentSessionId, mode, totalBytes, manifestSha256, createdAtUnixMs };
}

/**
 * The recording that an imported cassette stands for: complete, with the times of the manifest. Its prerequisites are empty;
 * they live on in the manifest (9.16, 15.18).
 */
export function importedRecording(cassette: CassetteRow, place: { scopeId: string; nowUnixMs: number }): Recording {
  const { id, name, sourceRecordingId, agentTargetId, rootAgentSessionId, mode, createdAtUnixMs } = cassette;
  return {
    id: sourceRecordingId,
    name,
    cassetteId: id,
    scopeId: place.scopeId,
    agentTargetId,
    replayPrerequisites: { composerDefaults: { model: '', permissionModeId: '', reasoningEffort: '', speed: '' } },
    mode,
    rootAgentSessionId,
    status: 'complete',
    errorCode: null,
    errorMessage: null,
    createdAtUnixMs,
    recordingAtUnixMs: createdAtUnixMs,
    stoppedAtUnixMs: createdAtUnixMs,
    updatedAtUnixMs: place.nowUnixMs,
  };
}
