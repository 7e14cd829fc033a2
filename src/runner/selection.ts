/** What a command line names: cases, and cassettes of them. */

import { existsSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { cassetteName, type Case } from '../core/case/case.ts';
import { Fault } from '../core/fault.ts';
import { findCases, findCassette, readCase } from './case-files.ts';

/** One cassette of a case; `null` where the case names none, or cannot be read (`of` is `null` then). */
export type Selection = { folder: string; of: Case | null; cassette: string | null };

/** Case folders, folders of cases, or cassettes inside a case; each cassette once. */
export function selectCassettes(paths: readonly string[]): Selection[] {
  const selections = new Map(paths.flatMap(select).map((selection) => [`${selection.folder}#${selection.cassette}`, selection]));
  return [...selections.values()];
}

/** What Playwright calls the tests of a selection, as a regular expression (interface.md, `defineCases`). */
export function titleOf({ folder, of, cassette }: Selection): string {
  const name = escaped(basename(folder));
  return of && of.cassettes.length > 1 && cassette !== null ? `${name} › ${escaped(cassette)}` : `${name}( ›.*)?`;
}

/** For people: `<case>`, or `<case> › <cassette>`. */
export function nameOf({ folder, of, cassette }: Selection): string {
  return of && of.cassettes.length > 1 ? `${basename(folder)} › ${cassette}` : basename(folder);
}

function select(path: string): Selection[] {
  const folder = resolve(path);
  if (!existsSync(folder)) throw notFound(path);
  const cases = findCases(folder);
  if (cases.length > 0) return cases.flatMap(cassettesOf);
  const above = dirname(dirname(folder));
  if (!existsSync(join(above, 'case.json'))) throw notFound(path);
  const of = readOrNull(above);
  return [{ folder: above, of, cassette: of ? cassetteName(findCassette(of, basename(folder))) : basename(folder) }];
}

function cassettesOf(folder: string): Selection[] {
  const of = readOrNull(folder);
  const names = of?.cassettes.map(cassetteName) ?? [];
  return names.length === 0 ? [{ folder, of, cassette: null }] : names.map((cassette) => ({ folder, of, cassette }));
}

function readOrNull(folder: string): Case | null {
  try {
    return readCase(folder);
  } catch {
    return null; // The run itself reports what is wrong, in its verdict.
  }
}

function notFound(path: string): Fault {
  return new Fault({ code: 'case_not_found', message: `Cannot find "${path}": it is no case, no folder of cases and no cassette of a case, one was needed` });
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
