import { resolve } from 'node:path';
import { Fault } from '../core/fault.ts';
import { acceptanceLevels, createIssue, type Issue, type IssueLevel } from '../core/issue.ts';
import { cassetteFolder, checkCase, openCassette } from '../runner/case-files.ts';
import { findFolders, looksLikeCassette } from './find-folders.ts';
import { printJson } from './output.ts';
import { sayJudged } from './say-issues.ts';

export type Judged = { cassette: string; valid: boolean; issues: Issue[] };
type ValidateOptions = { json?: boolean; level?: string };

/** `playhead validate <dir…>`: whatever is wrong with a folder is an issue of its entry; exit 2 is for the command line. */
export async function validate(folders: string[], options: ValidateOptions): Promise<number> {
  const levels = levelsOf(options.level);
  const cassettes = folders.flatMap((given) => judge(given, levels));
  const valid = cassettes.every((cassette) => cassette.valid);
  if (options.json) printJson({ schemaVersion: 1, valid, cassettes });
  else sayJudged(cassettes);
  return valid ? 0 : 1;
}

function levelsOf(words: string | undefined): readonly IssueLevel[] {
  if (words === undefined) return acceptanceLevels;
  const named = words.split(',').map((word) => word.trim());
  const unknown = named.find((name) => !(acceptanceLevels as readonly string[]).includes(name));
  if (unknown !== undefined) throw new Fault({ code: 'usage', message: `Cannot validate at level "${unknown}": there is no such level, one of ${acceptanceLevels.join(', ')} was needed`, next: ['playhead validate --help'] });
  return acceptanceLevels.filter((level) => named.includes(level));
}

// A cassette, a case, a folder of cases, or one of cassettes.
function judge(given: string, levels: readonly IssueLevel[]): Judged[] {
  const folder = given.replace(/(?<=.)\/+$/, '');
  try {
    const found = looksLikeCassette(folder) ? [] : findFolders(folder);
    if (found.length > 0) return found.flatMap(({ path, isCase }) => (isCase ? judgeCase(path, levels) : [judged(path, openCassette({ folder: resolve(path), levels, withLanes: false }).issues)]));
  } catch (error) {
    const is = `it cannot be looked through (${(error as NodeJS.ErrnoException).code ?? 'unknown'})`;
    return [judged(given, [createIssue({ code: 'file_unreadable', file: '.', is, needed: 'a readable folder was needed' })])];
  }
  return [judged(given, openCassette({ folder: resolve(folder), levels, withLanes: false }).issues)];
}

function judgeCase(folder: string, levels: readonly IssueLevel[]): Judged[] {
  const { case: of, issues } = checkCase(folder);
  // Whichever reader was asked: nothing can be judged behind it.
  if (of === null) return [judged(folder, issues)];
  // Nothing was judged: a green without a word would say that something was.
  if (of.cassettes.length === 0) return [judged(folder, [createIssue({ level: 'resolve', severity: 'warning', code: 'cassette_missing', file: 'case.json', path: '$.cassettes', is: 'it names no cassette', needed: 'one is needed before a replay' })])];
  return of.cassettes.map((cassette) => judged(`${folder}/${cassette.dir}`, openCassette({ folder: cassetteFolder(of, cassette), pinned: cassette.manifestSha256, allow: of.allow, levels, withLanes: false }).issues));
}

function judged(cassette: string, issues: Issue[]): Judged {
  return { cassette, valid: !issues.some((issue) => issue.severity === 'error'), issues };
}
