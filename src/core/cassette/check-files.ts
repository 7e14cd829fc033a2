/** The rules of the inventory in `cassette.json` (cassette-contract 1.3, 2.4). */

import type { BlobFacts } from '../blobs/facts.ts';
import type { IssueCode } from '../issue-catalogue.ts';
import type { Report } from '../issue.ts';
import { isObject, type Json } from '../json/exact.ts';
import { shown, trim } from '../json/read.ts';
import type { CassetteMode, ListedFile } from './manifest.ts';
import { allowedFiles, blobDigestOf, blobPathOf, blobRole, cassettePolicy, digestOf, type AllowedFile } from './policy.ts';
import { zeroInteger, zeroText } from '../json/zero.ts';

export type InventoryContext = { mode: CassetteMode | null; blobs: readonly BlobFacts[] | null };
export type Inventory = {
  files: ListedFile[];
  refusedPaths: string[];
  /** `null` where a size could not be read. */
  sumBytes: bigint | null;
  /** False where an entry could not be read at all, so that nothing can be said of what is missing. */
  isWhole: boolean;
};

/** Checks `files` of a manifest; without the blob manifest every content address is taken for allowed. */
export function checkFiles(entries: readonly Json[], context: InventoryContext, report: Report): Inventory {
  const allowlist = allowlistOf(context.blobs);
  const inventory: Inventory = { files: [], refusedPaths: [], sumBytes: 0n, isWhole: true };
  const walk: Walk = { allowlist, inventory, seen: new Set(), mode: context.mode };
  entries.forEach((entry, index) => {
    const say: Say = (code, member, is, needed) => report({ code, file: manifestPath, path: `$.files[${index}]${member}`, is, needed });
    if (entry === null) say('cassette_invalid', '', 'the entry is null', 'a file was needed');
    else if (isObject(entry)) checkFile(entry, walk, say);
    else Object.assign(inventory, { sumBytes: null, isWhole: false });
  });
  checkTotal(inventory.sumBytes, report);
  if (inventory.isWhole) checkRequired(walk, report);
  return inventory;
}

type Say = (code: IssueCode, member: string, is: string, needed: string) => void;
type Allowlist = { files: ReadonlyMap<string, AllowedFile>; blobSizes: ReadonlyMap<string, ReadonlySet<number>>; find: (path: string) => AllowedFile | undefined };
type Walk = { allowlist: Allowlist; inventory: Inventory; seen: Set<string>; mode: CassetteMode | null };

function allowlistOf(blobs: readonly BlobFacts[] | null): Allowlist {
  const files = allowedFiles(blobs?.map((blob) => blob.sha256) ?? []);
  const anyBlob = { role: blobRole, required: false };
  const blobSizes = new Map<string, Set<number>>();
  for (const { sha256, sizeBytes } of blobs ?? []) {
    const sizes = blobSizes.get(blobPathOf(sha256)) ?? new Set();
    if (sizeBytes !== null) blobSizes.set(blobPathOf(sha256), sizes.add(sizeBytes));
  }
  return { files, blobSizes, find: (path) => files.get(path) ?? (blobs === null && blobDigestOf(path) !== null ? anyBlob : undefined) };
}

function checkFile(entry: Json, walk: Walk, say: Say): void {
  const { allowlist, inventory, seen, mode } = walk;
  const path = zeroText(entry, 'path');
  const sizeBytes = checkSize(entry, path, say);
  inventory.sumBytes = sizeBytes === null || inventory.sumBytes === null ? null : inventory.sumBytes + sizeBytes;
  const sha256 = checkSha256(entry, say);
  if (path === null) {
    inventory.isWhole = false;
    return;
  }
  const allowed = checkPath(path, walk, say);
  if (!allowed) inventory.refusedPaths.push(path);
  if (!allowed || seen.has(path)) return;
  seen.add(path);
  checkRole(entry, allowed.role, say);
  if (path === initialState.path && mode === 'create-session') say('initial_state_forbidden', '.path', 'a cassette that creates its session lists an initial state', 'none was expected');
  if (sizeBytes !== null) checkBlobSize(sizeBytes, allowlist.blobSizes.get(path) ?? new Set(), say);
  inventory.files.push({ path, role: allowed.role, sizeBytes: sizeBytes === null ? null : Number(sizeBytes), sha256 });
}

function checkPath(path: string, { allowlist, seen }: Walk, say: Say): AllowedFile | undefined {
  if (!isPlainPath(path)) {
    say('inventory_path_unsafe', '.path', `the path is ${shown(path)}`, 'a relative path in its only form was needed');
    return undefined;
  }
  const allowed = allowlist.find(path);
  if (!allowed) say('inventory_path_not_allowed', '.path', `${shown(path)} is listed`, 'a file of the cassette policy, or a blob of the blob manifest, was expected');
  else if (seen.has(path)) say('inventory_path_repeated', '.path', `${shown(path)} is listed again`, 'each file once was expected');
  return allowed;
}

/** Relative, with `/` alone between names, and none of them empty, `.` or `..` (14, inventory path syntax). */
export function isPlainPath(path: string): boolean {
  return !path.includes('\\') && !path.includes('\0') && path.split('/').every((name) => name !== '' && name !== '.' && name !== '..');
}

function checkRole(entry: Json, role: string, say: Say): void {
  const found = zeroText(entry, 'role');
  if (found === null || found === role) return;
  if (found === '') say('inventory_role_empty', '.role', 'the role is empty', `"${role}" was needed`);
  else say('inventory_role_mismatch', '.role', `the role is ${shown(found)}`, `"${role}" was needed`);
}

function checkSize(entry: Json, path: string | null, say: Say): bigint | null {
  const sizeBytes = zeroInteger(entry, 'sizeBytes');
  if (sizeBytes === null) return null;
  if (sizeBytes < 0n) {
    say('inventory_size_invalid', '.sizeBytes', `the size is ${sizeBytes}`, '0 or more was needed');
    return null;
  }
  if (path === cassettePolicy.files.providerFrames.path && sizeBytes > BigInt(cassettePolicy.limits.maxProviderTapeBytes))
    say('tape_too_large', '.sizeBytes', `the tape has ${sizeBytes} bytes`, `at most ${cassettePolicy.limits.maxProviderTapeBytes} were allowed`);
  return sizeBytes;
}

// The hash stays as it is written: the comparison with the file ignores the case of letters, but no padding (1.3).
function checkSha256(entry: Json, say: Say): string | null {
  const written = zeroText(entry, 'sha256');
  if (written === null) return null;
  const digest = digestOf(trim(written));
  if (digest === null) say('inventory_sha256_invalid', '.sha256', `the hash is ${shown(written)}`, '64 hex digits were needed');
  else if (digest !== written) say('inventory_sha256_spelling', '.sha256', `the hash is ${shown(written)}`, 'lower case without padding was needed');
  return digest === null ? null : written;
}

function checkBlobSize(sizeBytes: bigint, declared: ReadonlySet<number>, say: Say): void {
  const other = [...declared].find((size) => BigInt(size) !== sizeBytes);
  if (other !== undefined) say('blob_inventory_mismatch', '.sizeBytes', `the inventory says ${sizeBytes} bytes`, `the blob manifest says ${other}`);
}

function checkTotal(sumBytes: bigint | null, report: Report): void {
  if (sumBytes === null || sumBytes <= BigInt(cassettePolicy.limits.maxCassetteBytes)) return;
  report({ code: 'cassette_too_large', file: manifestPath, path: '$.files', is: `the files have ${sumBytes} bytes together`, needed: `at most ${cassettePolicy.limits.maxCassetteBytes} were allowed` });
}

// One finding names them all: they lack in one place.
function checkRequired({ allowlist, seen, mode }: Walk, report: Report): void {
  const needed = [...allowlist.files].filter(([path, { required }]) => required || (path === initialState.path && mode === 'continue-session'));
  const missing = needed.map(([path]) => path).filter((path) => !seen.has(path));
  if (missing.length > 0) report({ code: 'inventory_file_missing', file: manifestPath, path: '$.files', is: `no entry for ${missing.join(', ')}`, needed: `a cassette ${mode ? `of mode ${mode} ` : ''}needs it` });
}

const initialState = cassettePolicy.files.initialState;
const manifestPath = cassettePolicy.files.cassetteManifest.path;
