/** Reads a cassette folder, each file once, through the checks of the contract; whatever is wrong comes back as issues. */

import { statSync } from 'node:fs';
import { join } from 'node:path';
import { CassetteCheck } from '../core/cassette/check-cassette.ts';
import type { DiskEntry } from '../core/cassette/check-inventory.ts';
import type { ManifestFacts } from '../core/cassette/manifest.ts';
import { cassettePolicy, finderFileName } from '../core/cassette/policy.ts';
import { acceptanceLevels, Findings, issuesAt, type Issue, type IssueLevel, type Report } from '../core/issue.ts';
import { readJson } from '../core/json/document.ts';
import { limits } from '../core/limits.ts';
import type { AllowedResidue } from '../core/projection/allow.ts';
import { createSecretScan, type Canary, type SecretScan } from '../core/secrets/scan.ts';
import { createStateFormats, type StateFormat } from '../core/state/format.ts';
import type { SemanticProfile } from '../core/state/profile.ts';
import type { TapeManifest } from '../core/tape/manifest.ts';
import { LineReader, readOnce, type ReadResult } from '../tape/read-once.ts';
import { TapeLoader, type FindProvider, type LoadedTape, type TapeBytes } from '../tape/tape-loader.ts';
import { changedPaths, isStillThere, walkFolder, type FolderEntry } from './walk-folder.ts';

export type CassetteKind = 'cassette' | 'candidate' | 'tape';

export type ReadCassetteOptions = {
  folder: string;
  /** Which readers are asked; all of them where absent, the stricter of every two. */
  levels?: readonly IssueLevel[];
  findProvider: FindProvider;
  /** The id that was asked for. */
  expectedId?: string | null;
  /** SHA-256 of the manifest that somebody has written down. */
  pinnedSha256?: string | null;
  /** Places of messages at which a case accepts a machine path. */
  allow?: readonly AllowedResidue[];
  stateFormats?: readonly StateFormat[];
  profile?: SemanticProfile;
  /** Values known of the recording machine that no cassette may hold. */
  canaries?: readonly Canary[];
  /** Whether the lanes are kept, for whoever plays or compares the tape; `false` by default. */
  withLanes?: boolean;
  /** Whether the tape is to be played: a provider without a player is an issue then. */
  isForPlayback?: boolean;
  /** What a recording accepted; asks for the journal of a candidate. */
  acceptedEventCount?: number | null;
};

export type ReadCassette = {
  kind: CassetteKind | null;
  issues: Issue[];
  /** Of `cassette.json`, or of `provider/manifest.json` where there is only a tape; empty where it cannot be read. */
  manifestSha256: string;
  manifest: ManifestFacts | null;
  tapeManifest: TapeManifest | null;
  /** `null` after an error, and without lanes. */
  tape: LoadedTape | null;
};

export function readCassette(options: ReadCassetteOptions): ReadCassette {
  const findings = new Findings();
  const read = isFolder(options.folder, findings.report) ? new FolderRead(options, findings.report).read() : nothing;
  const issues = issuesAt(findings.all, options.levels ?? acceptanceLevels);
  return { ...read, issues, tape: issues.some(({ severity }) => severity === 'error') ? null : read.tape };
}

type Result = Omit<ReadCassette, 'issues'>;

const nothing: Result = { kind: null, manifestSha256: '', manifest: null, tapeManifest: null, tape: null };

class FolderRead {
  readonly #options: ReadCassetteOptions;
  readonly #report: Report;
  readonly #check: CassetteCheck;
  readonly #tape: TapeLoader;
  readonly #scan: SecretScan | null;
  readonly #hashes = new Map<string, string>();
  #entries: FolderEntry[] = [];

  constructor(options: ReadCassetteOptions, report: Report) {
    const { allow = [], stateFormats = createStateFormats(), canaries = [], levels = acceptanceLevels } = options;
    this.#options = options;
    this.#report = report;
    this.#scan = levels.includes('publish') || levels.includes('runner') ? createSecretScan({ canaries, report }) : null;
    this.#check = new CassetteCheck({
      report,
      expectedId: options.expectedId ?? null,
      stateFormats,
      ...(options.profile ? { profile: options.profile } : {}),
      acceptedEventCount: options.acceptedEventCount ?? null,
    });
    this.#tape = new TapeLoader({ report, findProvider: options.findProvider, withLanes: options.withLanes ?? false, allow, ...(this.#scan ? { bytes: this.#scanFrame } : {}) });
  }

  read(): Result {
    const walked = walkFolder(this.#options.folder);
    this.#entries = walked.entries;
    for (const { path, is } of walked.unreadable) this.#report({ code: 'file_unreadable', file: path, is: `it cannot be read (${is})`, needed: 'a readable cassette was needed' });
    if (walked.isTooLarge) {
      this.#report({ code: 'folder_too_large', file: '.', is: `it holds more than ${limits.cassetteEntryCountMax} entries`, needed: 'a cassette was needed' });
      return nothing;
    }
    const kind = this.#kind();
    if (kind === null) return nothing;
    const manifestPath = kind === 'tape' ? tapeManifest : 'cassette.json';
    const result = kind === 'tape' ? this.#readTape() : this.#readAll(kind);
    this.#scan?.end();
    for (const path of changedPaths(walked.entries, walkFolder(this.#options.folder).entries))
      this.#report({ code: 'file_changed', file: path, is: 'it was changed while the cassette was read', needed: 'a cassette that nobody writes was needed' });
    const manifestSha256 = this.#hashes.get(manifestPath) ?? '';
    this.#checkPin(manifestPath, manifestSha256);
    return { kind, manifestSha256, manifest: this.#check.manifest, tapeManifest: this.#tape.check.tapeManifest, tape: result };
  }

  // A cassette is told by its manifest, a candidate by its journal, a tape by having nothing else.
  #kind(): CassetteKind | null {
    const has = (path: string) => this.#entries.some((entry) => entry.path === path);
    if (has('cassette.json')) return 'cassette';
    if (has(journalFile)) return 'candidate';
    const others = new Set(this.#entries.map(({ path }) => path.split('/')[0] as string).filter((name) => name !== 'provider' && name !== '.DS_Store'));
    if (others.size === 0) return 'tape';
    this.#report({ code: 'cassette_manifest_missing', file: 'cassette.json', is: `the folder also holds ${[...others].slice(0, 3).join(', ')}`, needed: 'a v7 cassette.json was needed, or provider/ alone' });
    return null;
  }

  #readTape(): LoadedTape | null {
    for (const { path, kind } of this.#entries) {
      if (path.split('/').at(-1) === finderFileName) continue;
      if (kind !== 'file') this.#report({ code: 'file_not_regular', file: path, is: 'it is a link or a device', needed: 'a plain file was needed' });
      else if (path !== tapeManifest && path !== framesFile) this.#report({ code: 'file_unexpected', file: path, is: 'a tape has no such file', needed: 'the manifest and the frames alone were expected' });
    }
    if (!this.#has(tapeManifest)) this.#reportLacking('manifest_missing', tapeManifest);
    if (!this.#has(framesFile)) this.#reportLacking('frames_missing', framesFile);
    this.#tapeManifest();
    return this.#frames();
  }

  #readAll(kind: 'cassette' | 'candidate'): LoadedTape | null {
    this.#document('blobs/manifest.json', (bytes) => this.#check.blobManifest(bytes));
    this.#document('cassette.json', (bytes) => this.#check.cassetteManifest(bytes));
    this.#tapeManifest();
    const tape = this.#frames();
    const ids = { connectionIds: this.#tape.check.tapeManifest ? this.#tape.check.connectionIds : null };
    if (this.#activity()) this.#check.activityEnd(ids);
    this.#document('checkpoint-plan.json', (bytes) => this.#check.plan(bytes, ids));
    this.#document('initial-state.json', (bytes) => this.#check.state('initial-state.json', bytes));
    this.#document('expected-state.json', (bytes) => this.#check.state('expected-state.json', bytes));
    if (kind === 'candidate' && this.#journal()) this.#check.journalEnd();
    this.#blobs();
    const disk = this.#entries.map((entry): DiskEntry => ({ path: entry.path, kind: entry.kind, sizeBytes: entry.sizeBytes, sha256: this.#hashes.get(entry.path) ?? null }));
    if (kind === 'cassette') this.#check.folder(disk);
    else this.#check.candidateFolder(disk);
    return tape;
  }

  #has(path: string): boolean {
    return this.#entries.some((entry) => entry.path === path && entry.kind === 'file');
  }

  // Where a link or a file stands in its place, or in that of its folder, that is the finding.
  #reportLacking(code: 'manifest_missing' | 'frames_missing', file: string): void {
    if (!this.#entries.some(({ path }) => path === file || path === 'provider')) this.#report({ code, file, is: 'it is not there', needed: 'a whole tape was needed' });
  }

  #document(path: string, take: (bytes: Buffer) => void, maxBytes = cassettePolicy.limits.maxCassetteBytes): void {
    const blocks: Buffer[] = [];
    const result = this.#once(path, maxBytes, (block) => void blocks.push(Buffer.from(block)));
    if (!result) return;
    const bytes = blocks.length === 1 ? (blocks[0] as Buffer) : Buffer.concat(blocks);
    take(bytes);
    this.#scanDocument(path, bytes);
  }

  #tapeManifest(): void {
    this.#document(tapeManifest, (bytes) => this.#tape.manifest(readJson(bytes, { file: tapeManifest }, this.#report)), limits.manifestBytesMax);
  }

  #frames(): LoadedTape | null {
    const { lines } = this.#tape;
    const result = this.#once(framesFile, limits.storedBytesMax, (block) => lines.push(block));
    if (result) lines.end();
    if (this.#options.isForPlayback) this.#tape.reportUnplayable();
    return this.#tape.finish({ folder: join(this.#options.folder, 'provider'), manifestSha256: this.#hashes.get(tapeManifest) ?? '', framesSha256: result?.sha256 ?? null });
  }

  #activity(): boolean {
    const file = 'activity-events.jsonl';
    return this.#lines(file, (line, lineNumber) => this.#check.activityLine(line, lineNumber), () => this.#check.skipActivityLine());
  }

  #journal(): boolean {
    return this.#lines(journalFile, (line, lineNumber) => this.#check.journalLine(line, lineNumber), () => {});
  }

  /** Whether the file was read to its end. */
  #lines(file: string, take: (line: Buffer, lineNumber: number) => void, skip: () => void): boolean {
    const refuse = (code: 'line_blank' | 'line_too_long', line: number, is: string) => {
      this.#report({ code, file, line, is, needed: 'one JSON object on each line was needed' });
      // A blank line is no record; what stands in a line over the limit is not known.
      if (code === 'line_too_long') skip();
    };
    const lines = new LineReader({
      lineBytesMax: limits.activityLineBytesMax,
      take: (line, lineNumber) => {
        take(line, lineNumber);
        this.#scan?.text({ file, line: lineNumber }, line);
      },
      blank: (line) => refuse('line_blank', line, 'it is empty'),
      tooLong: (line) => refuse('line_too_long', line, `it has ${limits.activityLineBytesMax} bytes or more`),
    });
    const result = this.#once(file, cassettePolicy.limits.maxCassetteBytes, (block) => lines.push(block));
    if (result) lines.end();
    return result !== null;
  }

  #blobs(): void {
    for (const { path, kind } of this.#entries) {
      const blob = kind === 'file' ? this.#check.blob(path) : null;
      const result = blob && this.#once(path, cassettePolicy.limits.maxCassetteBytes, (block) => blob.update(block));
      if (blob && result) blob.finish(result.sha256);
    }
  }

  // What is absent is for the inventory to say, and what is no plain file as well.
  #once(path: string, maxBytes: number, take: (block: Buffer) => void): { sha256: string } | null {
    const entry = this.#entries.find((one) => one.path === path);
    if (entry?.kind !== 'file') return null;
    const result: ReadResult = isStillThere(this.#options.folder, entry) ? readOnce(join(this.#options.folder, path), { maxBytes, take }) : { problem: 'changed', is: 'it was changed while the cassette was read' };
    if ('sha256' in result) {
      this.#hashes.set(path, result.sha256);
      return result;
    }
    this.#report({ code: result.problem === 'too_large' ? tooLargeCode(path) : problemCodes[result.problem], file: path, is: result.is, needed: result.problem === 'too_large' ? `at most ${maxBytes} bytes were expected` : 'a plain file that nobody writes was needed' });
    return null;
  }

  #checkPin(file: string, manifestSha256: string): void {
    const pinned = this.#options.pinnedSha256 ?? null;
    if (pinned === null || pinned === '' || manifestSha256 === '' || pinned.toLowerCase() === manifestSha256) return;
    this.#report({ code: 'manifest_sha256_mismatch', file, path: '$', is: `its SHA-256 is ${manifestSha256}`, needed: `case.json says ${pinned}` });
  }

  // One stream, so that what a line end cuts is found too, and each line names its number.
  #scanDocument(file: string, bytes: Buffer): void {
    const stream = this.#scan?.stream(file);
    let start = 0;
    for (let line = 1; stream && start < bytes.length; line++) {
      const at = bytes.indexOf(10, start);
      const end = at < 0 ? bytes.length : at + 1;
      stream.push(bytes.subarray(start, end), { file, line });
      start = end;
    }
    stream?.end();
  }

  readonly #scanFrame: TapeBytes = ({ connectionId, kind, line }, bytes) => this.#scan?.stream(`${connectionId} ${kind}`).push(bytes, { file: framesFile, line });
}

function isFolder(folder: string, report: Report): boolean {
  try {
    const stat = statSync(folder);
    if (!stat.isDirectory()) report({ code: 'cassette_missing', file: '.', is: 'it is no folder', needed: 'a cassette was needed' });
    return stat.isDirectory();
  } catch (error) {
    const { code = 'unknown' } = error as NodeJS.ErrnoException;
    if (code === 'EACCES' || code === 'EPERM' || code === 'EIO') report({ code: 'file_unreadable', file: '.', is: `it cannot be read (${code})`, needed: 'a readable cassette was needed' });
    else report({ code: 'cassette_missing', file: '.', is: 'there is no such folder', needed: 'a cassette was needed' });
    return false;
  }
}

const framesFile = 'provider/frames.jsonl';
const tapeManifest = 'provider/manifest.json';
const journalFile = '.recording/observation-journal.jsonl';
const problemCodes = { missing: 'file_changed', not_regular: 'file_not_regular', unreadable: 'file_unreadable', changed: 'file_changed' } as const;

function tooLargeCode(path: string): 'tape_too_large' | 'manifest_too_large' | 'cassette_too_large' {
  return path === framesFile ? 'tape_too_large' : path === tapeManifest ? 'manifest_too_large' : 'cassette_too_large';
}
