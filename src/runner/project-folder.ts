/** The project folder of one run: the case's start of the work tree in a fresh git repository (design ruling 24). */

import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Case } from '../core/case/case.ts';
import { Fault } from '../core/fault.ts';
import type { RunFacts } from './run.ts';
import type { Workroom } from './workroom.ts';

/** `path` is where git is looked for; default PATH. */
export function prepareProject(options: { workroom: Workroom; facts: RunFacts; path?: string }): string {
  const { workroom, facts } = options;
  const start = facts.case && startOf(facts.case);
  const cwd = join(workroom.makeFolder('w'), 'project');
  mkdirSync(cwd, { recursive: true });
  if (start !== null) cpSync(start, cwd, { recursive: true });
  cpSync(emptyRepository(workroom, options.path ?? process.env.PATH), join(cwd, '.git'), { recursive: true });
  return realpathSync(cwd);
}

function startOf(of: Case): string | null {
  if (!of.project) return null;
  const folder = join(of.folder, of.project);
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return folder;
  throw new Fault({
    code: 'case_invalid',
    message: `Cannot prepare the project of case "${of.name}": case.json names "${of.project}", which is no folder of the case, an existing one was needed`,
    at: `${of.name}/case.json`,
    facts: { path: of.project },
  });
}

// Made once for each process and copied: starting git blocks the other lane for 25 ms.
function emptyRepository(workroom: Workroom, path: string | undefined): string {
  const folder = join(workroom.path, 'repository');
  const repository = join(folder, '.git');
  if (existsSync(repository)) return repository;
  try {
    execFileSync('git', ['init', '-q', '-b', 'main', '--template=', folder], { stdio: 'ignore', env: { PATH: path, HOME: '/nonexistent', GIT_CONFIG_NOSYSTEM: '1' } });
  } catch (error) {
    const { code, status } = error as NodeJS.ErrnoException & { status?: number | null };
    throw new Fault({ code: 'git_missing', message: `Cannot prepare the project folder: ${code === 'ENOENT' ? 'PATH has no git' : `git init ended with ${code ?? `code ${status}`}`}, a new repository was needed`, cause: error });
  }
  return repository;
}
