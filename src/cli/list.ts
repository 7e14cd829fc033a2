import { existsSync } from 'node:fs';
import { cassetteName } from '../core/case/case.ts';
import { Fault, isFault } from '../core/fault.ts';
import { cassetteFolder, findCases, openCassette, readCase, shortPath } from '../runner/case-files.ts';
import { printJson } from './output.ts';

type Listed = { case: string; path: string; product: string | null; drive: string | null; cassettes: { id: string; name: string; provider: string | null; version: string | null; frames: number }[]; problem: string | null };

/** `playhead list`: one line a cassette. */
export async function list(folder: string, options: { json?: boolean }): Promise<number> {
  if (!existsSync(folder)) throw new Fault({ code: 'case_not_found', message: `Cannot list "${folder}": there is no such folder, a folder of cases was needed` });
  const cases = findCases(folder).map(read);
  if (options.json) printJson({ schemaVersion: 1, cases });
  else for (const one of cases) print(one);
  return 0;
}

function read(folder: string): Listed {
  const path = shortPath(folder);
  const name = path.split('/').at(-1) ?? path;
  try {
    const of = readCase(folder);
    const cassettes = of.cassettes.map((cassette) => {
      const { facts, tape } = openCassette({ folder: cassetteFolder(of, cassette), pinned: cassette.manifestSha256 });
      const provider = tape?.manifest.recordedWith?.provider ?? null;
      return { id: facts.id, name: cassetteName(cassette), provider: provider?.name ?? null, version: provider?.version ?? null, frames: tape?.manifest.frameCount ?? 0 };
    });
    return { case: name, path, product: of.product, drive: of.drive, cassettes, problem: null };
  } catch (error) {
    if (!isFault(error)) throw error;
    return { case: name, path, product: null, drive: null, cassettes: [], problem: error.message };
  }
}

function print(one: Listed): void {
  if (one.problem) process.stdout.write(`${one.case.padEnd(24)} ${one.problem}\n`);
  for (const cassette of one.cassettes) process.stdout.write(`${one.case.padEnd(24)} ${cassette.name.padEnd(12)} ${cassette.id}  ${cassette.provider ?? '?'} ${cassette.version ?? '?'}  ${cassette.frames} frames  ${one.product} (${one.drive})\n`);
  if (!one.problem && one.cassettes.length === 0) process.stdout.write(`${one.case.padEnd(24)} no cassette yet: playhead record ${one.path}\n`);
}
