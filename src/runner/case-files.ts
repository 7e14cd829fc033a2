/** Finding and reading cases and cassettes on disk; core judges what was read. */

import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join, relative, resolve } from 'node:path';
import { cassetteName, type Case, type CaseCassette } from '../core/case/case.ts';
import { parseCase } from '../core/case/parse-case.ts';
import { Fault } from '../core/fault.ts';
import type { ManifestFacts } from '../core/cassette/manifest.ts';
import { createIssue, type Issue, type IssueLevel } from '../core/issue.ts';
import type { AllowedResidue } from '../core/projection/allow.ts';
import type { Canary } from '../core/secrets/scan.ts';
import type { TapeManifest } from '../core/tape/manifest.ts';
import type { ProviderAdapter } from '../core/provider/adapter.ts';
import { findProvider } from '../providers/registry.ts';
import type { LoadedTape } from '../tape/tape-loader.ts';
import { readCassette, type CassetteKind } from './read-cassette.ts';

/** Reads a case folder, or throws `case_invalid` with every issue in its text. */
export function readCase(folder: string): Case {
  const path = join(folder, 'case.json');
  if (!existsSync(path)) throw new Fault({ code: 'case_not_found', message: `Cannot read case "${basename(folder)}": it has no case.json, one was needed`, at: shortPath(folder) });
  const { case: parsed, issues } = checkCase(folder);
  if (!parsed) throw invalidCase(basename(folder), issues);
  return parsed;
}

/** A case with everything that is wrong with its `case.json` alone; `null` where anything is. */
export function checkCase(folder: string): { case: Case | null; issues: Issue[] } {
  const text = readCaseText(join(folder, 'case.json'));
  if (typeof text === 'string') return parseCase({ text, name: basename(folder), folder: resolve(folder) });
  return { case: null, issues: [createIssue({ level: 'runner', code: 'case_invalid', file: 'case.json', is: text.is, needed: 'a readable file was needed' })] };
}

// Looked at before it is opened: a pipe in its place would be waited for.
function readCaseText(path: string): string | { is: string } {
  try {
    const stat = statSync(path);
    if (!stat.isFile()) return { is: 'it is no regular file' };
    return stat.size > caseBytesMax ? { is: `it has ${stat.size} bytes` } : readFileSync(path, 'utf8');
  } catch (error) {
    return { is: `it cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown'})` };
  }
}

const caseBytesMax = 1_048_576;

/** Every folder below `root` that holds a `case.json`, in alphabetical order. */
export function findCases(root: string): string[] {
  if (existsSync(join(root, 'case.json'))) return [root];
  if (!existsSync(root) || !statSync(root).isDirectory()) return [];
  const folders = readdirSync(root, { withFileTypes: true }).filter((entry) => entry.isDirectory() && entry.name !== 'node_modules' && !entry.name.startsWith('.'));
  return folders.map((entry) => entry.name).sort().flatMap((name) => findCases(join(root, name)));
}

export type CassetteFacts = { id: string; name: string; dir: string; manifestSha256: string };
/** `manifest` is that of a v7 cassette. */
export type OpenedCassette = { facts: CassetteFacts; kind: CassetteKind | null; manifest: ManifestFacts | null; tapeManifest: TapeManifest | null; tape: LoadedTape | null; issues: Issue[] };
export type OpenOptions = {
  folder: string;
  /** What `case.json` says of its manifest. */
  pinned?: string | null;
  allow?: Case['allow'];
  /** Which readers are asked; all of them by default. */
  levels?: readonly IssueLevel[];
  /** Whether its tape is loaded for players and comparisons; `true` by default, and judging alone needs it not. */
  withLanes?: boolean;
  /** Whether it is to be played: a provider without a player is an issue then. */
  isForPlayback?: boolean;
  /** Values known of the recording machine that no cassette may hold. */
  canaries?: readonly Canary[];
  /** How many activity events a recording accepted; asks for its journal. */
  acceptedEventCount?: number;
};

/** Judges one cassette, and loads its tape where nothing stands against it. */
export function openCassette(options: OpenOptions): OpenedCassette {
  const { folder, pinned = null, allow = [], levels, withLanes = true, isForPlayback = false, canaries, acceptedEventCount } = options;
  const read = readCassette({
    folder,
    pinnedSha256: pinned,
    isForPlayback,
    withLanes,
    findProvider: (name) => withAllowances(findProvider(name), allow),
    allow: allowedResidue(allow),
    ...(levels ? { levels } : {}),
    ...(canaries ? { canaries } : {}),
    ...(acceptedEventCount === undefined ? {} : { acceptedEventCount }),
  });
  const { manifestSha256, manifest } = read;
  const facts = { id: manifest?.id || `tape-${manifestSha256.slice(0, 12)}`, name: basename(folder), dir: shortPath(folder), manifestSha256 };
  return { facts, kind: read.kind, manifest, tapeManifest: read.tapeManifest, tape: read.tape, issues: read.issues };
}

export function cassetteFolder(of: Case, cassette: CaseCassette): string {
  return join(of.folder, cassette.dir);
}

/** The cassette of a case by name; the first one where none is named. */
export function findCassette(of: Case, name: string | null): CaseCassette {
  const found = name === null ? of.cassettes[0] : of.cassettes.find((cassette) => cassetteName(cassette) === name || cassette.dir === name);
  if (!found) throw new Fault({ code: 'case_not_found', message: `Cannot replay case "${of.name}": it has ${name === null ? 'no cassette' : `no cassette "${name}"`}, one of ${of.cassettes.map(cassetteName).join(', ') || 'none'} was expected` });
  return found;
}

/** Relative to the working folder where that is shorter: verdicts must not hold machine paths. */
export function shortPath(path: string): string {
  const short = relative(process.cwd(), path);
  return short === '' ? '.' : short.startsWith('..') ? basename(path) : short;
}

function invalidCase(name: string, issues: Issue[]): Fault {
  return new Fault({
    code: 'case_invalid',
    message: `Cannot read case "${name}": ${issues.map((issue) => `${issue.path ?? issue.file} ${issue.is}, ${issue.needed}`).join('; ')}`,
    at: `${name}/case.json`,
  });
}

/** Places of a tape at which a case accepts a machine path. */
export function allowedResidue(allow: Case['allow']): AllowedResidue[] {
  return allow.filter((rule) => rule.layer === 'cassette').map((rule) => ({ method: rule.method ?? null, rule: rule.rule }));
}

// What a case allows beyond the provider's own rules, each with its reason and its date (interface.md, `allow`).
function withAllowances(adapter: ProviderAdapter | null, allow: Case['allow']): ProviderAdapter | null {
  const methods = allow.filter((rule) => rule.layer === 'protocol' && rule.rule === 'observer_only' && rule.method).map((rule) => rule.method as string);
  return adapter === null || methods.length === 0 ? adapter : { ...adapter, rules: { ...adapter.rules, observerOnlyMethods: [...adapter.rules.observerOnlyMethods, ...methods] } };
}
