/** The inventory against the folder (cassette-contract 1.6 steps 4 and 5). */

import type { BlobFacts } from '../blobs/facts.ts';
import type { Report } from '../issue.ts';
import { shown } from '../json/read.ts';
import type { ListedFile, ManifestFacts } from './manifest.ts';
import { allowedFiles, blobDigestOf, cassettePolicy, finderFileName, recordingFolder } from './policy.ts';

/** One entry of the folder that is no folder itself; `sha256` is `null` where the content could not be read. */
export type DiskEntry = { path: string; sizeBytes: number; sha256: string | null; kind: 'file' | 'link' | 'other' };

/** Reports what the folder lacks, what it has beside the inventory, and what has changed since the inventory was written. */
export function checkInventory(manifest: ManifestFacts, disk: readonly DiskEntry[], report: Report): void {
  const listed = new Map(manifest.files.map((file) => [file.path, file]));
  const refused = new Set(manifest.refusedPaths);
  const found = new Set<string>();
  const entries = disk.filter((entry) => nameOf(entry.path) !== finderFileName);
  for (const entry of entries) {
    if (isRecording(entry.path)) continue;
    found.add(entry.path);
    checkEntry({ entry, file: listed.get(entry.path), isRefused: refused.has(entry.path), report });
  }
  if (entries.some((entry) => isRecording(entry.path))) report({ code: 'recording_left', file: recordingFolder, is: 'the folder of an unfinished recording is there', needed: 'publication removes it' });
  for (const file of manifest.files) if (!isOfTape(file.path) && !isThere(file.path, found)) report({ code: 'file_missing', file: file.path, is: 'the file is not there', needed: 'the inventory lists it' });
  checkCollisions([...new Set([...found, ...listed.keys(), ...refused])], report);
}

/** Reports what a candidate lacks and what it has too much, before there is an inventory (9.9). */
export function checkCandidateFiles(disk: readonly DiskEntry[], blobs: readonly BlobFacts[] | null, report: Report): void {
  const entries = disk.filter(({ path }) => nameOf(path) !== finderFileName && !isRecording(path));
  const allowed = allowedFiles(blobs?.map(({ sha256 }) => sha256) ?? []);
  const found = new Set(entries.map(({ path }) => path));
  for (const entry of entries) {
    const isKnown = allowed.has(entry.path) || (blobs === null && blobDigestOf(entry.path) !== null);
    if (entry.kind === 'file' && !isKnown) report({ code: 'file_unexpected', file: entry.path, is: 'no cassette holds such a file', needed: 'files of the cassette policy alone were expected' });
  }
  const sumBytes = entries.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  if (sumBytes > cassettePolicy.limits.maxCassetteBytes) report({ code: 'cassette_too_large', file: '.', is: `the files have ${sumBytes} bytes together`, needed: `at most ${cassettePolicy.limits.maxCassetteBytes} were allowed` });
  for (const [path, { required }] of allowed) if (required && !isOfTape(path) && !isThere(path, found)) report({ code: 'file_missing', file: path, is: 'the file is not there', needed: 'every cassette needs it' });
  reportIrregular(disk, report);
}

/** Reports links, pipes and devices, whatever the manifest says. */
export function reportIrregular(disk: readonly DiskEntry[], report: Report): void {
  for (const entry of disk) if (entry.kind !== 'file' && nameOf(entry.path) !== finderFileName) reportKind(entry, report);
}

function reportKind(entry: DiskEntry, report: Report): void {
  report({ code: 'file_not_regular', file: entry.path, is: entry.kind === 'link' ? 'it is a link' : 'it is a device, a pipe or a socket', needed: 'a regular file was needed' });
}

function checkEntry(options: { entry: DiskEntry; file: ListedFile | undefined; isRefused: boolean; report: Report }): void {
  const { entry, file, isRefused, report } = options;
  if (entry.kind !== 'file') reportKind(entry, report);
  else if (entry.path === cassettePolicy.files.cassetteManifest.path || isRefused) return;
  else if (isBelowFinderName(entry.path)) report({ code: 'finder_folder_not_empty', file: entry.path, is: `it stands in a folder named ${finderFileName}`, needed: 'only a file of that name is passed over' });
  else if (!file) report({ code: 'file_unexpected', file: entry.path, is: 'the inventory does not list it', needed: 'listed files alone were expected' });
  else checkContent(file, entry, report);
}

// Another size is another content: the hash is not reported beside it.
function checkContent(file: ListedFile, entry: DiskEntry, report: Report): void {
  if (file.sizeBytes !== null && file.sizeBytes !== entry.sizeBytes) report({ code: 'file_size_mismatch', file: entry.path, is: `it has ${entry.sizeBytes} bytes`, needed: `the inventory says ${file.sizeBytes}` });
  else if (file.sha256 !== null && entry.sha256 !== null && file.sha256.toLowerCase() !== entry.sha256.toLowerCase())
    report({ code: 'file_sha256_mismatch', file: entry.path, is: `its SHA-256 is ${entry.sha256}`, needed: `the inventory says ${shown(file.sha256)}` });
}

function checkCollisions(paths: readonly string[], report: Report): void {
  const first = new Map<string, string>();
  for (const path of paths.toSorted()) {
    const folded = path.normalize('NFC').toLowerCase();
    const other = first.get(folded);
    if (other === undefined) first.set(folded, path);
    else report({ code: 'file_name_colliding', file: path, is: `"${other}" is there too`, needed: 'names that differ by more than the case of letters were needed' });
  }
}

// Where a link or a file stands in the place of a folder, that is the finding, not each file that the folder would hold.
function isThere(path: string, found: ReadonlySet<string>): boolean {
  return path.split('/').some((_name, depth, names) => found.has(names.slice(0, depth + 1).join('/')));
}

// A tape without one of its files has a finding of its own, which players raise too.
function isOfTape(path: string): boolean {
  return path === cassettePolicy.files.providerManifest.path || path === cassettePolicy.files.providerFrames.path;
}

function isRecording(path: string): boolean {
  return path.startsWith(`${recordingFolder}/`);
}

function isBelowFinderName(path: string): boolean {
  return path.split('/').slice(0, -1).includes(finderFileName);
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
