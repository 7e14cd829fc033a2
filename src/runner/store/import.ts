/** Cassettes come in from folders that somebody else made (cassette-contract 9.16). */

import { mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import type { CassetteMode } from '../../core/cassette/manifest.ts';
import { cassettePolicy } from '../../core/cassette/policy.ts';
import { Findings, issuesAt } from '../../core/issue.ts';
import { readJson } from '../../core/json/document.ts';
import { isBlank, textAt, trim } from '../../core/json/read.ts';
import { cassetteRowOf, importedRecording, type CassetteRow, type Recording } from '../../core/recording/recording.ts';
import { refuse, type Refusal, type RefusalCode, type Result } from '../../core/recording/refusal.ts';
import { manifestBytesMax } from './folder-catalog.ts';
import { errorsOf, type Store } from './ports.ts';
import { copyFolder, isThere, readRegular, syncFolder } from './safe-files.ts';
import { removeFolder, stagingPath, sweepStaging } from './staging.ts';

export type Imported = { folder: string; recording: Recording; cassette: CassetteRow };
export type ImportFailure = { folder: string; code: 'invalid' | 'conflict' | 'failed'; refusal: Refusal };
export type ImportReport = { imported: Imported[]; failures: ImportFailure[] };

/** Each folder is imported whole or not at all, and none of them stops the others; the sources stay as they are. */
export async function importCassettes(store: Store, request: { scopeId: string; folders: readonly string[]; isTargetRegistered: (agentTargetId: string) => boolean }): Promise<Result<ImportReport>> {
  const { folders, isTargetRegistered } = request;
  const scopeId = trim(request.scopeId);
  if (scopeId === '') return refuse('import_invalid', 'Cannot import cassettes: the workspace is blank, one was needed');
  if (folders.length < 1 || folders.length > foldersMax) return refuse('import_invalid', `Cannot import cassettes: ${folders.length} folders were given, 1 to ${foldersMax} were expected`);
  mkdirSync(store.cassettesRoot, { recursive: true, mode: 0o700 });
  sweepStaging(store.cassettesRoot, store.nowUnixMs());
  const report: ImportReport = { imported: [], failures: [] };
  const seen = new Set<string>();
  for (const folder of folders.map(trim)) {
    const result = seen.has(folder) ? refuseImport(folder, 'import_invalid', 'it was given before, each folder once was expected') : await importOne({ store, folder, scopeId, isTargetRegistered });
    seen.add(folder);
    if (result.ok) report.imported.push(result.value);
    else report.failures.push({ folder, code: failureCode(result.refusal.code), refusal: result.refusal });
  }
  return { ok: true, value: report };
}

type ImportOne = { store: Store; folder: string; scopeId: string; isTargetRegistered: (agentTargetId: string) => boolean };

async function importOne({ store, folder, scopeId, isTargetRegistered }: ImportOne): Promise<Result<Imported>> {
  if (!isAbsolute(folder)) return refuseImport(folder, 'import_invalid', 'it is no absolute path, one was needed');
  const id = readId(folder);
  if (!id.ok) return id;
  if (isTaken(store.cassettesRoot, id.value)) return refuseImport(folder, 'import_conflict', `cassette "${id.value}" is there already, a new one was needed`);
  const staging = stagingPath(store.cassettesRoot, store.newId());
  try {
    copyFolder(folder, staging, copyBytesMax);
    const judged = await judgeCopy({ store, folder, staging, id: id.value, isTargetRegistered });
    return judged.ok ? land({ store, folder, staging, cassette: judged.value, scopeId }) : judged;
  } catch (error) {
    return refuseImport(folder, 'import_invalid', `${messageOf(error)}, a folder of readable files was needed`);
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
}

// The id becomes the name of a folder: nothing but a UUID may, before anything is written.
function readId(folder: string): Result<string> {
  try {
    const findings = new Findings();
    const name = cassettePolicy.files.cassetteManifest.path;
    const bytes = readRegular(join(folder, name), { shown: name, bytesMax: manifestBytesMax });
    const value = readJson(bytes, { file: name }, findings.report);
    if (value === undefined) return refuse('import_invalid', `Cannot import "${folder}": ${name} is no JSON, a manifest was needed`, issuesAt(findings.all));
    const id = textAt(value, 'id') ?? '';
    return uuid.test(id) ? { ok: true, value: id } : refuseImport(folder, 'import_invalid', `its id is ${isBlank(id) ? 'blank' : JSON.stringify(id)}, a UUID was needed`);
  } catch (error) {
    return refuseImport(folder, 'import_invalid', `${messageOf(error)}, a readable cassette.json was needed`);
  }
}

async function judgeCopy(options: { store: Store; folder: string; staging: string; id: string; isTargetRegistered: (agentTargetId: string) => boolean }): Promise<Result<CassetteRow>> {
  const { store, folder, staging, id, isTargetRegistered } = options;
  const { issues, facts } = await store.resolveCassette(staging, { expectedId: id, pinnedSha256: null });
  const errors = errorsOf(issues);
  if (errors.length > 0 || !facts?.mode) return refuse('import_invalid', `Cannot import "${folder}": the cassette is not valid, ${errors[0]?.message ?? 'it cannot be read'}`, errors);
  if (!uuid.test(facts.sourceRecordingId)) return refuseImport(folder, 'import_invalid', 'the id of its recording is no UUID, one was needed');
  if (!isTargetRegistered(facts.agentTargetId)) return refuse('target_unsupported', `Cannot import "${folder}": target "${facts.agentTargetId}" is not registered, a known one was needed`);
  const isRecorded = store.catalog.recordings().some((recording) => recording.id.toLowerCase() === facts.sourceRecordingId.toLowerCase());
  if (isRecorded || store.catalog.findCassette(id)) return refuseImport(folder, 'import_conflict', 'the catalog has its recording or cassette already, new ones were needed');
  return { ok: true, value: cassetteRowOf(facts, facts.mode satisfies CassetteMode, facts.manifestSha256) };
}

function land(options: { store: Store; folder: string; staging: string; cassette: CassetteRow; scopeId: string }): Result<Imported> {
  const { store, folder, staging, cassette, scopeId } = options;
  const target = join(store.cassettesRoot, cassette.id);
  if (isTaken(store.cassettesRoot, cassette.id)) return refuseImport(folder, 'import_conflict', `cassette "${cassette.id}" came while this one was read, a new one was needed`);
  const recording = importedRecording(cassette, { scopeId, nowUnixMs: store.nowUnixMs() });
  try {
    renameSync(staging, target);
  } catch (error) {
    return refuseImport(folder, 'import_failed', `${messageOf(error)}, it was to become "${cassette.id}"`);
  }
  try {
    syncFolder(store.cassettesRoot);
    store.catalog.commit({ recording, cassette });
  } catch (error) {
    removeFolder(target, staging);
    return refuseImport(folder, 'import_failed', `${messageOf(error)}, its rows were to be written`);
  }
  return { ok: true, value: { folder, recording, cassette } };
}

// UUIDs that differ by the case of their letters would be one folder on some disks.
function isTaken(root: string, id: string): boolean {
  return isThere(join(root, id)) || readdirSync(root).some((name) => name.toLowerCase() === id.toLowerCase());
}

function failureCode(code: RefusalCode): ImportFailure['code'] {
  if (code === 'import_conflict') return 'conflict';
  return code === 'import_failed' ? 'failed' : 'invalid';
}

function refuseImport(folder: string, code: RefusalCode, is: string): Result<never> {
  return refuse(code, `Cannot import ${folder === '' ? 'a folder without a name' : `"${folder}"`}: ${is}`);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const foldersMax = 100;
const copyBytesMax = cassettePolicy.limits.maxCassetteBytes + manifestBytesMax;
