/** The manifest of a cassette, `cassette.json` (cassette-contract 1). */

export type CassetteMode = 'create-session' | 'continue-session';

export type ComposerDefaults = { model: string; permissionModeId: string; reasoningEffort: string; speed: string };
export type ReplayPrerequisites = { composerDefaults: ComposerDefaults };

/** The members in the order in which they are written (1.1). */
export type CassetteManifest = {
  schemaVersion: number;
  stateFormat: string;
  id: string;
  name: string;
  sourceRecordingId: string;
  agentTargetId: string;
  replayPrerequisites: ReplayPrerequisites;
  rootAgentSessionId: string;
  mode: CassetteMode;
  totalBytes: number;
  maxTotalBytes: number;
  files: InventoryFile[];
  createdAtUnixMs: number;
};

export type InventoryFile = { path: string; role: string; sizeBytes: number; sha256: string };

/** A listed file as the checks behind need it: `null` is what could not be read and was reported. */
export type ListedFile = { path: string; role: string; sizeBytes: number | null; sha256: string | null };

/** What was read of a manifest; a member that could not be read is empty, and a finding says so. */
export type ManifestFacts = {
  id: string;
  name: string;
  sourceRecordingId: string;
  mode: CassetteMode | null;
  rootAgentSessionId: string;
  agentTargetId: string;
  stateFormat: string;
  totalBytes: number;
  createdAtUnixMs: number;
  prerequisites: ReplayPrerequisites;
  /** The files that may stand in the inventory, each once. */
  files: ListedFile[];
  /** Listed paths that no inventory may hold: they were reported, and the folder is not held against them. */
  refusedPaths: string[];
};

export const cassetteModes: readonly CassetteMode[] = ['create-session', 'continue-session'];
export const composerDefaultNames = ['model', 'permissionModeId', 'reasoningEffort', 'speed'] as const;
