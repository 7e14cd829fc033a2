/** Building and writing `cassette.json` (cassette-contract 1.5). */

import type { BlobFacts } from '../blobs/facts.ts';
import type { Finding, Issue } from '../issue.ts';
import { Findings, issuesAt } from '../issue.ts';
import { writeGoDocument } from '../json/go-text.ts';
import type { Json } from '../json/exact.ts';
import { isBlank, trim } from '../json/read.ts';
import { checkCassetteManifest } from './check-manifest.ts';
import type { CassetteManifest, InventoryFile } from './manifest.ts';
import { allowedFiles, cassettePolicy } from './policy.ts';

export type ManifestInput = Omit<CassetteManifest, 'schemaVersion' | 'totalBytes' | 'maxTotalBytes' | 'files'> & {
  /** A file without a role gets the one of the policy. */
  files: readonly (Omit<InventoryFile, 'role'> & { role?: string })[];
  blobs: readonly BlobFacts[];
};

export type BuiltManifest = { manifest: CassetteManifest; issues: [] } | { manifest: null; issues: Issue[] };

/** Gives the manifest, or everything that forbids to publish it. */
export function buildCassetteManifest(input: ManifestInput): BuiltManifest {
  const manifest = composeManifest(input);
  const findings = new Findings();
  // Whether a format is known is asked by who reads the cassette; here it must only be there.
  checkCassetteManifest(manifest as unknown as Json, { expectedId: null, formats: () => true, blobs: input.blobs }, findings.report);
  const issues = issuesAt([...findings.all, ...checkFormat(manifest.stateFormat)], ['publish']);
  return issues.length > 0 ? { manifest: null, issues } : { manifest, issues: [] };
}

/** The bytes of `cassette.json`; their SHA-256 is the manifest hash (1.4). */
export function writeCassetteManifest(manifest: CassetteManifest): string {
  return writeGoDocument(manifest as unknown as Json);
}

function composeManifest(input: ManifestInput): CassetteManifest {
  const files = composeFiles(input);
  const { model, permissionModeId, reasoningEffort, speed } = input.replayPrerequisites.composerDefaults;
  return {
    schemaVersion: cassettePolicy.schemaVersion,
    stateFormat: trim(input.stateFormat),
    id: input.id,
    name: trim(input.name),
    sourceRecordingId: input.sourceRecordingId,
    agentTargetId: input.agentTargetId,
    replayPrerequisites: { composerDefaults: { model: trim(model), permissionModeId: trim(permissionModeId), reasoningEffort: trim(reasoningEffort), speed: trim(speed) } },
    rootAgentSessionId: input.rootAgentSessionId,
    mode: input.mode,
    totalBytes: files.reduce((sum, file) => sum + file.sizeBytes, 0),
    maxTotalBytes: cassettePolicy.limits.maxCassetteBytes,
    files,
    createdAtUnixMs: input.createdAtUnixMs,
  };
}

function composeFiles(input: ManifestInput): InventoryFile[] {
  const allowed = allowedFiles(input.blobs.map((blob) => blob.sha256));
  const files = input.files.map(({ path, role, sizeBytes, sha256 }) => ({ path, role: role || (allowed.get(path)?.role ?? ''), sizeBytes, sha256: trim(sha256).toLowerCase() }));
  return files.toSorted((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
}

function checkFormat(stateFormat: string): Finding[] {
  if (!isBlank(stateFormat)) return [];
  return [{ code: 'cassette_invalid', file: cassettePolicy.files.cassetteManifest.path, path: '$.stateFormat', is: 'the state format is blank', needed: 'a format was needed' }];
}
