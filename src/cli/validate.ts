import { existsSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { createIssue, type Issue } from '../core/issue.ts';
import { cassetteFolder, checkCase, findCases, openCassette, readCase } from '../runner/case-files.ts';
import { printJson, say } from './output.ts';

type Judged = { cassette: string; valid: boolean; issues: Issue[] };

/** `playhead validate <dir…>`: whatever is wrong with a folder is an issue of its entry; exit 2 is for the command line. */
export async function validate(folders: string[], options: { json?: boolean }): Promise<number> {
  const cassettes = folders.flatMap(judge);
  const valid = cassettes.every((cassette) => cassette.valid);
  if (options.json) printJson({ schemaVersion: 1, valid, cassettes });
  else for (const cassette of cassettes) print(cassette);
  return valid ? 0 : 1;
}

// A cassette, a case, or a folder of cases.
function judge(given: string): Judged[] {
  const folder = given.replace(/(?<=.)\/+$/, '');
  const cases = existsSync(join(folder, 'provider')) ? [] : findCases(folder);
  if (cases.length === 0) return [judged(given, openCassette({ folder: resolve(folder) }).issues)];
  return cases.flatMap((found) => judgeCase(found === folder ? folder : `${folder}/${relative(folder, found)}`));
}

function judgeCase(folder: string): Judged[] {
  const issues = checkCase(folder);
  if (issues.length > 0) return [judged(folder, issues)];
  const of = readCase(folder);
  // Nothing was judged: a green without a word would say that something was.
  if (of.cassettes.length === 0) return [judged(folder, [createIssue({ level: 'resolve', severity: 'warning', code: 'cassette_missing', file: 'case.json', path: '$.cassettes', is: 'it names no cassette', needed: 'one is needed before a replay' })])];
  return of.cassettes.map((cassette) => judged(`${folder}/${cassette.dir}`, openCassette({ folder: cassetteFolder(of, cassette), pinned: cassette.manifestSha256, allow: of.allow }).issues));
}

function judged(cassette: string, issues: Issue[]): Judged {
  return { cassette, valid: !issues.some((issue) => issue.severity === 'error'), issues };
}

function print({ cassette, valid, issues }: Judged): void {
  say(cassette, { mark: valid ? 'good' : 'bad' });
  for (const issue of issues) say(`    ${issue.level} ${issue.code}: ${issue.message}`);
}
