/** Cases and cassettes in a folder that somebody has named. */

import { existsSync, readdirSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { findCases } from '../runner/case-files.ts';

export type FoundFolder = { path: string; isCase: boolean };

/** Whether a folder says of itself that it is a cassette, a candidate or a tape. */
export function looksLikeCassette(folder: string): boolean {
  return !existsSync(join(folder, 'case.json')) && (existsSync(join(folder, 'cassette.json')) || existsSync(join(folder, 'provider')));
}

/** The cases below a folder, and the cassettes that lie in it directly, in order of their paths; those of a case are found through it. */
export function findFolders(folder: string): FoundFolder[] {
  const cases = findCases(folder).map((found) => ({ path: found === folder ? folder : `${folder}/${relative(folder, found)}`, isCase: true }));
  if (cases[0]?.path === folder) return cases;
  return [...cases, ...cassettesIn(folder).map((path) => ({ path, isCase: false }))].sort((a, b) => (a.path < b.path ? -1 : 1));
}

function cassettesIn(folder: string): string[] {
  if (!existsSync(folder) || !statSync(folder).isDirectory()) return [];
  const folders = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'));
  return folders.map(({ name }) => `${folder}/${name}`).filter(looksLikeCassette);
}
