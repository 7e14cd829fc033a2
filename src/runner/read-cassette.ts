/** Judges a cassette folder: what it is, then each file once through the checks of the contract; whatever is wrong is an issue. */

import { statSync } from 'node:fs';
import type { ManifestFacts } from '../core/cassette/manifest.ts';
import { finderFileName } from '../core/cassette/policy.ts';
import { acceptanceLevels, Findings, issuesAt, type Issue, type IssueLevel, type Report } from '../core/issue.ts';
import { limits } from '../core/limits.ts';
import type { AllowedResidue } from '../core/projection/allow.ts';
import type { Canary } from '../core/secrets/scan.ts';
import type { StateFormat } from '../core/state/format.ts';
import type { SemanticProfile } from '../core/state/profile.ts';
import type { TapeManifest } from '../core/tape/manifest.ts';
import type { FindProvider, LoadedTape } from '../tape/tape-loader.ts';
import { FolderRead } from './folder-read.ts';
import { guardIssues } from './guard-issues.ts';
import { walkFolder, type FolderEntry } from './walk-folder.ts';

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

/** Reads and judges; `tape` is there only where no issue of the asked levels is an error. */
export function readCassette(options: ReadCassetteOptions): ReadCassette {
  const findings = new Findings();
  const read = isFolder(options.folder, findings.report) ? readFolder(options, findings.report) : nothing;
  const issues = guardIssues(issuesAt(findings.all, options.levels ?? acceptanceLevels), options.canaries ?? noCanaries);
  return { ...read, issues, tape: issues.some(({ severity }) => severity === 'error') ? null : read.tape };
}

/** What there is of a cassette beside its issues. */
export type CassetteParts = Omit<ReadCassette, 'issues'>;

const nothing: CassetteParts = { kind: null, manifestSha256: '', manifest: null, tapeManifest: null, tape: null };

/** What is there and what it is, before anything is opened; `nothing` where there is nothing to read. */
function readFolder(options: ReadCassetteOptions, report: Report): CassetteParts {
  const { entries, unreadable, isTooLarge } = walkFolder(options.folder);
  for (const { path, is } of unreadable) report({ code: 'file_unreadable', file: path, is: `it cannot be read (${is})`, needed: 'a readable cassette was needed' });
  if (isTooLarge) {
    report({ code: 'folder_too_large', file: '.', is: `it holds more than ${limits.cassetteEntryCountMax} entries`, needed: 'a cassette was needed' });
    return nothing;
  }
  const kind = kindOf(entries, report);
  return kind === null ? nothing : new FolderRead(options, { kind, entries, report }).read();
}

// A cassette is told by its manifest, a candidate by its journal, a tape by having nothing else.
function kindOf(entries: readonly FolderEntry[], report: Report): CassetteKind | null {
  if (entries.some(({ path }) => path === 'cassette.json')) return 'cassette';
  if (entries.some(({ path }) => path === journalFile)) {
    report({ code: 'recording_unpublished', file: '.', is: 'it has a journal and no cassette.json', needed: 'a published cassette was needed' });
    return 'candidate';
  }
  const others = new Set(entries.map(({ path }) => path.split('/')[0] as string).filter((name) => name !== 'provider' && name !== finderFileName));
  if (others.size === 0) return 'tape';
  report({ code: 'cassette_manifest_missing', file: '.', is: `the folder holds ${[...others].slice(0, 3).join(', ')}`, needed: 'a v7 cassette.json was needed, or provider/ alone' });
  return null;
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

const noCanaries: readonly Canary[] = [];
const journalFile = '.recording/observation-journal.jsonl';
