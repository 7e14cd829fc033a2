/** One folder, read once: files go to their checks in the order in which these need one another, and all text to the secret scan. */

import { join } from 'node:path';
import { CassetteCheck } from '../core/cassette/check-cassette.ts';
import type { DiskEntry } from '../core/cassette/check-inventory.ts';
import { cassettePolicy, finderFileName } from '../core/cassette/policy.ts';
import { acceptanceLevels, type Report } from '../core/issue.ts';
import { readJson } from '../core/json/document.ts';
import { limits } from '../core/limits.ts';
import { createSecretScan, type SecretScan } from '../core/secrets/scan.ts';
import { createStateFormats } from '../core/state/format.ts';
import type { FrameText } from '../core/tape/frame.ts';
import { LineReader, readOnce, type ReadResult } from '../tape/read-once.ts';
import { TapeLoader, type LoadedTape, type TapeBytes } from '../tape/tape-loader.ts';
import type { CassetteKind, CassetteParts, ReadCassetteOptions } from './read-cassette.ts';
import { changedPaths, isStillThere, walkFolder, type FolderEntry } from './walk-folder.ts';

export class FolderRead {
  readonly #options: ReadCassetteOptions;
  readonly #report: Report;
  readonly #kind: CassetteKind;
  readonly #check: CassetteCheck;
  readonly #tape: TapeLoader;
  readonly #scan: SecretScan | null;
  readonly #entries: readonly FolderEntry[];
  readonly #byPath: ReadonlyMap<string, FolderEntry>;
  readonly #hashes = new Map<string, string>();

  constructor(options: ReadCassetteOptions, folder: { kind: CassetteKind; entries: readonly FolderEntry[]; report: Report }) {
    const { allow = [], stateFormats = createStateFormats(), canaries = [], levels = acceptanceLevels } = options;
    const { kind, entries, report } = folder;
    this.#options = options;
    this.#report = report;
    this.#kind = kind;
    this.#entries = entries;
    this.#byPath = new Map(entries.map((entry) => [entry.path, entry]));
    this.#scan = levels.includes('publish') || levels.includes('runner') ? createSecretScan({ canaries, report }) : null;
    this.#check = new CassetteCheck({
      report,
      expectedId: options.expectedId ?? null,
      stateFormats,
      ...(options.profile ? { profile: options.profile } : {}),
      acceptedEventCount: options.acceptedEventCount ?? null,
    });
    this.#tape = new TapeLoader({
      report,
      findProvider: options.findProvider,
      withLanes: options.withLanes ?? false,
      isAlone: kind === 'tape',
      allow,
      ...(this.#scan ? { bytes: this.#scanFrame, text: this.#scanFrameText } : {}),
    });
  }

  read(): CassetteParts {
    this.#reportLackingTape();
    const tape = this.#kind === 'tape' ? this.#readTape() : this.#readAll();
    this.#scan?.end();
    for (const path of changedPaths(this.#entries, walkFolder(this.#options.folder).entries))
      this.#report({ code: 'file_changed', file: path, is: 'it was changed while the cassette was read', needed: 'a cassette that nobody writes was needed' });
    return { kind: this.#kind, manifestSha256: this.#hashes.get(this.#pinned) ?? '', manifest: this.#check.manifest, tapeManifest: this.#tape.check.tapeManifest, tape };
  }

  /** The file whose hash says which cassette it is. */
  get #pinned(): string {
    return this.#kind === 'tape' ? tapeManifest : 'cassette.json';
  }

  #readTape(): LoadedTape | null {
    for (const { path, kind } of this.#entries) {
      if (path.split('/').at(-1) === finderFileName) continue;
      if (kind !== 'file' || path === 'provider') this.#report({ code: 'file_not_regular', file: path, is: kind === 'file' ? 'it is no folder' : 'it is a link or a device', needed: kind === 'file' ? 'the folder of a tape was needed' : 'a plain file was needed' });
      else if (path !== tapeManifest && path !== framesFile) this.#report({ code: 'file_unexpected', file: path, is: 'a tape has no such file', needed: 'the manifest and the frames alone were expected' });
    }
    this.#tapeManifest();
    return this.#frames();
  }

  #readAll(): LoadedTape | null {
    this.#document('blobs/manifest.json', (bytes) => this.#check.blobManifest(bytes));
    this.#document('cassette.json', (bytes) => this.#check.cassetteManifest(bytes));
    this.#tapeManifest();
    const tape = this.#frames();
    const ids = { connectionIds: this.#tape.check.tapeManifest ? this.#tape.check.connectionIds : null, lengths: this.#tape.check.lengths };
    if (this.#activity()) this.#check.activityEnd(ids);
    this.#document('checkpoint-plan.json', (bytes) => this.#check.plan(bytes, ids));
    this.#document('initial-state.json', (bytes) => this.#check.state('initial-state.json', bytes));
    this.#document('expected-state.json', (bytes) => this.#check.state('expected-state.json', bytes));
    if (this.#kind === 'candidate' && this.#journal()) this.#check.journalEnd();
    this.#blobs();
    const disk = this.#entries.map((entry): DiskEntry => ({ path: entry.path, kind: entry.kind, sizeBytes: entry.sizeBytes, sha256: this.#hashes.get(entry.path) ?? null }));
    if (this.#kind === 'cassette') this.#check.folder(disk);
    else this.#check.candidateFolder(disk);
    return tape;
  }

  // Where a link or a file stands in its place, or in that of its folder, that is the finding.
  #reportLackingTape(): void {
    if (this.#byPath.has('provider')) return;
    for (const [code, file] of [['manifest_missing', tapeManifest], ['frames_missing', framesFile]] as const)
      if (!this.#byPath.has(file)) this.#report({ code, file, is: 'it is not there', needed: 'a whole tape was needed' });
  }

  #document(path: string, take: (bytes: Buffer) => void, maxBytes = cassettePolicy.limits.maxCassetteBytes): void {
    const blocks: Buffer[] = [];
    const result = this.#once(path, maxBytes, (block) => void blocks.push(Buffer.from(block)));
    if (!result) return;
    if (path === this.#pinned) this.#checkPin(path, result.sha256);
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
    return this.#lines(file, (line, lineNumber) => this.#check.activityLine(line, lineNumber), () => this.#check.unreadableActivityLine());
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
    const entry = this.#byPath.get(path);
    if (entry?.kind !== 'file') return null;
    const result: ReadResult = isStillThere(this.#options.folder, entry) ? readOnce(join(this.#options.folder, path), { maxBytes, take }) : { problem: 'changed', is: 'it was changed while the cassette was read' };
    if ('sha256' in result) {
      this.#hashes.set(path, result.sha256);
      return result;
    }
    this.#report({ code: result.problem === 'too_large' ? tooLargeCode(path) : problemCodes[result.problem], file: path, is: result.is, needed: result.problem === 'too_large' ? `at most ${maxBytes} bytes were expected` : 'a plain file that nobody writes was needed' });
    return null;
  }

  // Before its content is judged: that somebody has changed a cassette goes before everything that follows from it.
  #checkPin(file: string, manifestSha256: string): void {
    const pinned = this.#options.pinnedSha256 ?? null;
    if (pinned === null || pinned === '' || pinned.toLowerCase() === manifestSha256) return;
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

  readonly #scanFrameText: FrameText = ({ line }, text) => this.#scan?.text({ file: framesFile, line }, text);

  readonly #scanFrame: TapeBytes = ({ connectionId, kind, line }, bytes) => this.#scan?.stream(`${connectionId} ${kind}`).push(bytes, { file: framesFile, line });
}

const framesFile = 'provider/frames.jsonl';
const tapeManifest = 'provider/manifest.json';
const journalFile = '.recording/observation-journal.jsonl';
const problemCodes = { missing: 'file_changed', not_regular: 'file_not_regular', unreadable: 'file_unreadable', changed: 'file_changed' } as const;

function tooLargeCode(path: string): 'tape_too_large' | 'manifest_too_large' | 'cassette_too_large' {
  return path === framesFile ? 'tape_too_large' : path === tapeManifest ? 'manifest_too_large' : 'cassette_too_large';
}
