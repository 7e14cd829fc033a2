/** Renames a cassette in its folder, and where a case names it, in the hash that the case has of it: both, or neither. */

import { existsSync, lstatSync, realpathSync, renameSync, rmSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import type { Case } from '../core/case/case.ts';
import { replacePins } from '../core/case/replace-pin.ts';
import { Fault } from '../core/fault.ts';
import type { Issue } from '../core/issue.ts';
import { findProvider } from '../providers/registry.ts';
import { allowedResidue, checkCase, shortPath } from './case-files.ts';
import { readCassette, type CassetteKind } from './read-cassette.ts';
import { errorsOf, type ResolveCassette } from './store/ports.ts';
import { renameCassetteFolder, type RenamedFolder } from './store/rename.ts';
import { readRegular, syncFolder, writeNew } from './store/safe-files.ts';
import { stagingPath } from './store/staging.ts';

export type RenameRequest = { folder: string; name: string; newId: () => string };
export type RenamedCassette = { id: string; name: string; manifestSha256: string; /** The folder of the case that names it. */ caseFolder: string | null };

/** Renames a published v7 cassette. The pin in the `case.json` above it follows; where that fails, the old name is put back. */
export async function renamePinned({ folder, name, newId }: RenameRequest): Promise<RenamedCassette> {
  if (!existsSync(folder)) throw new Fault({ code: 'case_not_found', message: `Cannot rename "${shortPath(folder)}": there is no such folder, a cassette was needed` });
  const pinned = findPins(folder);
  const judged: Judged = { kind: null, id: '', issues: [] };
  const pinnedSha256 = pinned?.manifestSha256 ?? null;
  const renamed = await renameCassetteFolder({ folder, name, expectedId: null, pinnedSha256, resolveCassette: resolveFor(pinned?.of ?? null, judged), newId });
  if (!renamed.ok) throw refused(folder, renamed.refusal, judged);
  if (pinned) movePins(pinned, renamed.value, newId);
  return { id: judged.id, name: renamed.value.name, manifestSha256: renamed.value.manifestSha256, caseFolder: pinned?.of.folder ?? null };
}

type Pins = { of: Case; path: string; indexes: number[]; manifestSha256: string; text: Buffer };

// Only the nearest case can be the one of the cassette. One that cannot be read could not be changed either.
function findPins(folder: string): Pins | null {
  const real = realpathSync(folder);
  for (let at = dirname(real); ; at = dirname(at)) {
    const path = join(at, 'case.json');
    if (existsSync(path)) return pinsOf(readAbove(at, folder), { path, real });
    if (at === dirname(at)) return null;
  }
}

function readAbove(caseFolder: string, folder: string): Case {
  const { case: of, issues } = checkCase(caseFolder);
  if (of) return of;
  const next = [`playhead validate ${relative(process.cwd(), caseFolder) || '.'}`];
  throw new Fault({ code: 'case_invalid', message: `Cannot rename "${shortPath(folder)}": the case.json above it breaks its contract, one that can be changed was needed`, at: shortPath(caseFolder), facts: { issues: issues.map(({ message }) => message) }, next });
}

function pinsOf(of: Case, { path, real }: { path: string; real: string }): Pins | null {
  const named = of.cassettes.flatMap(({ dir, manifestSha256 }, index) => (realOf(join(of.folder, dir)) === real ? [{ index, manifestSha256 }] : []));
  const [first] = named;
  if (!first) return null;
  return { of, path, indexes: named.map(({ index }) => index), manifestSha256: first.manifestSha256, text: readRegular(realpathSync(path), { shown: 'case.json', bytesMax: caseBytesMax }) };
}

function realOf(path: string): string | null {
  try {
    return realpathSync(path);
  } catch {
    return null;
  }
}

type Judged = { kind: CassetteKind | null; id: string; issues: Issue[] };

function resolveFor(of: Case | null, judged: Judged): ResolveCassette {
  return (folder, { expectedId, pinnedSha256 }) => {
    const { kind, manifest, manifestSha256, issues } = readCassette({ folder, findProvider, expectedId, pinnedSha256, levels: ['resolve'], allow: allowedResidue(of?.allow ?? []) });
    Object.assign(judged, { kind, id: manifest?.id ?? '', issues });
    return { issues, facts: manifest && { ...manifest, manifestSha256 } };
  };
}

function refused(folder: string, refusal: { code: string; message: string }, { kind, issues }: Judged): Fault {
  const shown = shortPath(folder);
  if (refusal.code === 'cassette_name_invalid') return new Fault({ code: 'name_invalid', message: refusal.message, at: shown });
  if (kind === 'tape' || kind === 'candidate') {
    const is = kind === 'tape' ? 'it is a tape, which has no name but that of its folder' : 'it is not yet published';
    return new Fault({ code: 'rename_unsupported', message: `Cannot rename "${shown}": ${is}, a published v7 cassette was needed`, at: shown });
  }
  return new Fault({ code: 'cassette_not_valid', message: refusal.message, at: shown, facts: { issues: errorsOf(issues).slice(0, shownIssuesMax).map(({ code, file }) => `${code} ${file}`) } });
}

function movePins({ path, indexes, text, of }: Pins, renamed: RenamedFolder, newId: () => string): void {
  try {
    const real = realpathSync(path);
    const isAsRead = readRegular(real, { shown: 'case.json', bytesMax: caseBytesMax }).equals(text);
    const after = isAsRead ? replacePins(text, { indexes, manifestSha256: renamed.manifestSha256 }) : null;
    if (!after) throw new Error('case.json was changed meanwhile');
    replaceFile(real, after, newId());
  } catch (error) {
    throw putBack(error, { renamed, shown: shortPath(of.folder) });
  }
}

function putBack(error: unknown, { renamed, shown }: { renamed: RenamedFolder; shown: string }): Fault {
  const first = `Cannot rename cassette: the hash in case.json could not be replaced (${textOf(error)}), both were needed`;
  try {
    renamed.undo();
    return new Fault({ code: 'rename_failed', message: `${first}; the cassette has its old name`, at: shown, cause: error });
  } catch (second) {
    const cause = new AggregateError([error, second], 'neither the hash in case.json nor the old name could be written', { cause: second });
    return new Fault({ code: 'rename_failed', message: `${first}, and its old name could not be put back (${textOf(second)})`, at: shown, facts: { manifestSha256: renamed.manifestSha256 }, cause });
  }
}

function textOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? (error instanceof Error ? error.message : String(error));
}

// Beside it and then over it: whoever reads meanwhile sees the old file or the new one.
function replaceFile(path: string, bytes: Buffer, id: string): void {
  const staging = stagingPath(dirname(path), id);
  try {
    writeNew(staging, [bytes], undefined, lstatSync(path).mode & 0o777);
    renameSync(staging, path);
  } finally {
    rmSync(staging, { force: true });
  }
  syncFolder(dirname(path));
}

const caseBytesMax = 1_048_576;
const shownIssuesMax = 20;
