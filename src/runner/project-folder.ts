/** The project folder of one run: the case's start of the work tree in a fresh git repository (design ruling 24). */

import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import type { RunFacts } from './run.ts';
import type { Workroom } from './workroom.ts';

export function prepareProject(options: { workroom: Workroom; facts: RunFacts }): string {
  const cwd = join(options.workroom.makeFolder('w'), 'project');
  mkdirSync(cwd, { recursive: true });
  const { case: of } = options.facts;
  if (of?.project) cpSync(join(of.folder, of.project), cwd, { recursive: true });
  cpSync(emptyRepository(options.workroom), join(cwd, '.git'), { recursive: true });
  return realpathSync(cwd);
}

// Made once for each process and copied: starting git blocks the other lane for 25 ms.
function emptyRepository(workroom: Workroom): string {
  const folder = join(workroom.path, 'repository');
  if (!existsSync(folder))
    execFileSync('git', ['init', '-q', '-b', 'main', '--template=', folder], { stdio: 'ignore', env: { PATH: process.env.PATH, HOME: '/nonexistent', GIT_CONFIG_NOSYSTEM: '1' } });
  return join(folder, '.git');
}
