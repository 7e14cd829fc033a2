import { existsSync } from 'node:fs';
import { cassetteName } from '../core/case/case.ts';
import { Fault, isFault } from '../core/fault.ts';
import { cassetteFolder, findCases, openCassette, readCase, shortPath } from '../runner/case-files.ts';
import { casesRoot } from './cases-root.ts';
import { print, printJson } from './output.ts';

type Listed = { case: string; path: string; product: string | null; drive: string | null; cassettes: { id: string; name: string; provider: string | null; version: string | null; frames: number }[]; problem: string | null };

/** `playhead list [dir]`: one line a cassette. */
export async function list(named: string | undefined, options: { json?: boolean }): Promise<number> {
  const folder = named ?? casesRoot();
  if (!existsSync(folder)) throw new Fault({ code: 'case_not_found', message: `Cannot list "${folder}": there is no such folder, a folder of cases was needed` });
  const cases = findCases(folder).map(read);
  if (options.json) printJson({ schemaVersion: 1, cases });
  else for (const one of cases) printCase(one);
  return 0;
}

function read(folder: string): Listed {
  const path = shortPath(folder);
  const name = path.split('/').at(-1) ?? path;
  try {
    const of = readCase(folder);
    const cassettes = of.cassettes.map((cassette) => {
      const { facts, tape } = openCassette({ folder: cassetteFolder(of, cassette), pinned: cassette.manifestSha256, allow: of.allow });
      const provider = tape?.manifest.recordedWith?.provider ?? null;
      return { id: facts.id, name: cassetteName(cassette), provider: provider?.name ?? null, version: provider?.version ?? null, frames: tape?.manifest.frameCount ?? 0 };
    });
    return { case: name, path, product: of.product, drive: of.drive, cassettes, problem: null };
  } catch (error) {
    if (!isFault(error)) throw error;
    return { case: name, path, product: null, drive: null, cassettes: [], problem: error.message };
  }
}

function printCase(one: Listed): void {
  const name = one.case.padEnd(24);
  if (one.problem) print(`${name} ${one.problem}`);
  for (const cassette of one.cassettes) print(`${name} ${cassette.name.padEnd(12)} ${cassette.id}  ${cassette.provider ?? '?'} ${cassette.version ?? '?'}  ${cassette.frames} frames  ${one.product} (${one.drive})`);
  if (!one.problem && one.cassettes.length === 0) print(`${name} no cassette yet: npx playhead record ${one.path}`);
}
