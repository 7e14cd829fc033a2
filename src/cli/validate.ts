import colors from 'picocolors';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Issue } from '../core/issue.ts';
import { cassetteFolder, checkCase, openCassette, readCase } from '../runner/case-files.ts';
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

function judge(folder: string): Judged[] {
  if (!existsSync(join(folder, 'case.json'))) return [judged(folder, openCassette({ folder: resolve(folder) }).issues)];
  const issues = checkCase(folder);
  if (issues.length > 0) return [judged(folder, issues)];
  const of = readCase(folder);
  return of.cassettes.map((cassette) => judged(`${folder.replace(/\/+$/, '')}/${cassette.dir}`, openCassette({ folder: cassetteFolder(of, cassette), pinned: cassette.manifestSha256, allow: of.allow }).issues));
}

function judged(cassette: string, issues: Issue[]): Judged {
  return { cassette, valid: !issues.some((issue) => issue.severity === 'error'), issues };
}

function print({ cassette, valid, issues }: Judged): void {
  say(`${valid ? colors.green('✓') : colors.red('✗')} ${cassette}`);
  for (const issue of issues) say(`    ${issue.level} ${issue.code}: ${issue.message}`);
}
