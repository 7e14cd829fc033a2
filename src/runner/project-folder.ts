/** The project folder of one run: the case's start of the work tree in a fresh git repository (design ruling 24). */

import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import type { RunFacts } from './run.ts';
import type { Workroom } from './workroom.ts';

export function prepareProject(options: { workroom: Workroom; facts: RunFacts }): string {
  const cwd = join(options.workroom.makeFolder('w'), 'project');
  mkdirSync(cwd, { recursive: true });
  const { case: of } = options.facts;
  if (of?.project) cpSync(join(of.folder, of.project), cwd, { recursive: true });
  const git = (...args: string[]) => execFileSync('git', ['-c', 'core.hooksPath=/dev/null', ...args], { cwd, stdio: 'ignore', env: { PATH: process.env.PATH, HOME: '/nonexistent', GIT_CONFIG_NOSYSTEM: '1' } });
  git('init', '-q', '-b', 'main');
  return realpathSync(cwd);
}
