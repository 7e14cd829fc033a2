import { existsSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { cassetteName, type Case } from '../core/case/case.ts';
import { Fault, isFault } from '../core/fault.ts';
import { cassetteFolder, openCassette, readCase, shortPath, type OpenOptions } from '../runner/case-files.ts';
import { casesRoot } from './cases-root.ts';
import { findFolders, looksLikeCassette } from './find-folders.ts';
import { print, printJson } from './output.ts';

/** `mode` is that of a v7 cassette, and `null` for a tape. */
type ListedCassette = { dir: string; id: string; name: string; mode: string | null; provider: string | null; version: string | null; frames: number; valid: boolean };
type ListedCase = { case: string; path: string; product: string | null; drive: string | null; cassettes: ListedCassette[]; problem: string | null };

/** `playhead list [dir]`: one line a cassette. */
export async function list(named: string | undefined, options: { json?: boolean }): Promise<number> {
  const folder = (named ?? casesRoot()).replace(/(?<=.)\/+$/, '');
  if (!existsSync(folder)) throw new Fault({ code: 'case_not_found', message: `Cannot list "${folder}": there is no such folder, a folder of cases was needed` });
  const found = looksLikeCassette(folder) ? [{ path: folder, isCase: false }] : findFolders(folder);
  const cases = found.filter(({ isCase }) => isCase).map(({ path }) => readListed(path));
  const cassettes = found.filter(({ isCase }) => !isCase).map(({ path }) => listed({ folder: resolve(path) }, { dir: shortPath(resolve(path)), name: basename(resolve(path)) }));
  if (options.json) printJson({ schemaVersion: 1, cases, cassettes });
  else {
    cases.forEach(printCase);
    cassettes.forEach((cassette) => print(`${cassette.dir.padEnd(24)} ${lineOf(cassette, cassette.dir)}`));
  }
  return 0;
}

function readListed(folder: string): ListedCase {
  const path = shortPath(folder);
  const name = path.split('/').at(-1) ?? path;
  try {
    const of = readCase(folder);
    return { case: name, path, product: of.product, drive: of.drive, cassettes: cassettesOf(of), problem: null };
  } catch (error) {
    if (!isFault(error)) throw error;
    return { case: name, path, product: null, drive: null, cassettes: [], problem: error.message };
  }
}

function cassettesOf(of: Case): ListedCassette[] {
  return of.cassettes.map((cassette) => listed({ folder: cassetteFolder(of, cassette), pinned: cassette.manifestSha256, allow: of.allow }, { dir: cassette.dir, name: cassetteName(cassette) }));
}

// A tape has no name but that of its folder.
function listed(options: OpenOptions, { dir, name }: { dir: string; name: string }): ListedCassette {
  const { facts, manifest, tapeManifest, issues } = openCassette({ ...options, withLanes: false });
  const { frameCount = 0, connections = [], recordedWith } = tapeManifest ?? {};
  const providers = [...new Set(connections.map(({ provider }) => String(provider)))];
  return {
    dir,
    id: facts.id,
    name: manifest?.name || name,
    mode: manifest?.mode ?? null,
    provider: recordedWith?.provider?.name ?? (providers.join(', ') || null),
    version: recordedWith?.provider?.version ?? null,
    frames: frameCount,
    valid: !issues.some(({ severity }) => severity === 'error'),
  };
}

function printCase(one: ListedCase): void {
  const name = one.case.padEnd(24);
  if (one.problem) print(`${name} ${one.problem}`);
  for (const cassette of one.cassettes) print(`${name} ${lineOf(cassette, one.path)}  ${one.product} (${one.drive})`);
  if (!one.problem && one.cassettes.length === 0) print(`${name} no cassette yet: npx playhead record ${one.path}`);
}

function lineOf({ id, name, mode, provider, version, frames, valid }: ListedCassette, path: string): string {
  if (!valid) return `${name.padEnd(12)} ${id}  not valid, see npx playhead validate ${path}`;
  return `${name.padEnd(12)} ${id}  ${mode === null ? '' : `${mode}  `}${provider ?? '?'} ${version ?? '?'}  ${frames} frames`;
}
