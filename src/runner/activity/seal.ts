/** A candidate becomes a v7 cassette: judged with its journal, given its manifest, copied beside its place, synced, renamed (cassette-contract 1.5, 9.10). */

import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { buildCassetteManifest, writeCassetteManifest } from '../../core/cassette/build-manifest.ts';
import type { Case } from '../../core/case/case.ts';
import type { RecordStatus } from '../../core/control/daemon.ts';
import { Fault } from '../../core/fault.ts';
import type { Issue } from '../../core/issue.ts';
import type { Canary } from '../../core/secrets/scan.ts';
import { tuttiStateFormat } from '../../core/state/format.ts';
import { openCassette, shortPath } from '../case-files.ts';
import { copySynced, syncFolder } from '../seal.ts';

export type SealOptions = {
  candidate: string;
  target: string;
  name: string;
  recordingId: string;
  status: RecordStatus;
  allow: Case['allow'];
  canaries: readonly Canary[];
};

/** Nothing stands at `target` unless the whole cassette does. */
export function sealCassette(options: SealOptions): void {
  const { candidate, target } = options;
  if (existsSync(target)) throw new Fault({ code: 'cassette_exists', message: `Cannot seal cassette: "${shortPath(target)}" exists, a free name was needed` });
  judge(candidate, { ...options, ignored: ['recording_unpublished'], acceptedEventCount: options.status.acceptedCount });
  const staging = join(dirname(target), `.${options.recordingId}.candidate`);
  try {
    for (const path of publishedFiles(candidate)) {
      mkdirSync(dirname(join(staging, path)), { recursive: true });
      copySynced(join(candidate, path), join(staging, path));
    }
    writeFileSync(join(staging, 'cassette.json'), manifestText(staging, options), { flush: true });
    judge(staging, { ...options, ignored: [] });
    for (const folder of new Set([...publishedFiles(staging).map((path) => dirname(join(staging, path))), staging])) syncFolder(folder);
    renameSync(staging, target);
    syncFolder(dirname(target));
  } catch (error) {
    rmSync(staging, { recursive: true, force: true });
    throw error;
  }
}

function manifestText(folder: string, { name, recordingId, status }: SealOptions): string {
  const files = publishedFiles(folder).map((path) => {
    const bytes = readFileSync(join(folder, path));
    return { path, sizeBytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') };
  });
  const { manifest, issues } = buildCassetteManifest({
    stateFormat: tuttiStateFormat.id,
    id: cassetteIdOf(recordingId),
    name,
    sourceRecordingId: recordingId,
    agentTargetId: status.agentTargetId,
    replayPrerequisites: { composerDefaults: status.composerDefaults },
    rootAgentSessionId: status.rootAgentSessionId ?? '',
    mode: existsSync(join(folder, 'initial-state.json')) ? 'continue-session' : 'create-session',
    files,
    blobs: [],
    createdAtUnixMs: status.createdAtUnixMs,
  });
  if (!manifest) throw refused(issues);
  const { recordedWith } = JSON.parse(readFileSync(join(folder, 'provider', 'manifest.json'), 'utf8')) as { recordedWith?: object };
  return writeCassetteManifest({ ...manifest, ...(recordedWith ? { recordedWith } : {}) } as typeof manifest);
}

// One recording makes one cassette, so its id follows from it.
function cassetteIdOf(recordingId: string): string {
  const hex = createHash('sha256').update(`cassette:${recordingId}`).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

function publishedFiles(folder: string): string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return entries.map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1)).filter((path) => !path.startsWith('.recording/') && path !== 'cassette.json').sort();
}

function judge(folder: string, { allow, canaries, ignored, acceptedEventCount }: Pick<SealOptions, 'allow' | 'canaries'> & { ignored: readonly string[]; acceptedEventCount?: number }): void {
  const { issues } = openCassette({ folder, allow, withLanes: false, canaries, ...(acceptedEventCount === undefined ? {} : { acceptedEventCount }) });
  const errors = issues.filter(({ severity, code }) => severity === 'error' && !ignored.includes(code));
  if (errors.length > 0) throw refused(errors);
}

function refused(issues: readonly Issue[]): Fault {
  const text = issues.slice(0, 3).map(({ message, file, line, path }) => `${message} (${file}${line === null ? '' : `:${line}`}${path === null ? '' : ` ${path}`})`).join('; ');
  return new Fault({ code: 'recording_failed', message: `Cannot seal recording: ${text}`, facts: { codes: issues.map(({ code }) => code) } });
}
