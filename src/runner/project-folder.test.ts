import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Case } from '../core/case/case.ts';
import { prepareProject } from './project-folder.ts';
import type { RunFacts } from './run.ts';
import { createWorkroom, type Workroom } from './workroom.ts';

let workroom: Workroom;
let folder: string;
beforeEach(() => {
  workroom = createWorkroom();
  folder = mkdtempSync(join(tmpdir(), 'case-'));
});
afterEach(() => {
  workroom.remove();
  rmSync(folder, { recursive: true });
});

const prepare = (project: string | null, path?: string) => prepareProject({ workroom, facts: { case: { name: 'hello', folder, project } as Case } as RunFacts, ...(path === undefined ? {} : { path }) });

test('the project folder starts as the case says, in a repository of its own', () => {
  mkdirSync(join(folder, 'project'));
  writeFileSync(join(folder, 'project', 'a.txt'), 'a');
  const [first, second] = [prepare('project'), prepare(null)];
  expect([readFileSync(join(first, 'a.txt'), 'utf8'), existsSync(join(first, '.git/HEAD')), existsSync(join(second, '.git/HEAD')), first === second]).toEqual(['a', true, true, false]);
});

test.each(['project', 'file.txt'])('a project "%s" that is no folder of the case is an invalid case', (project) => {
  writeFileSync(join(folder, 'file.txt'), '');
  expect(() => prepare(project)).toThrow(expect.objectContaining({ code: 'case_invalid', at: 'hello/case.json', facts: { path: project }, message: expect.stringContaining(`case.json names "${project}"`) }));
});

test('a PATH without git is named as such, and a later one is tried anew', () => {
  expect(() => prepare(null, folder)).toThrow(expect.objectContaining({ code: 'git_missing', exitCode: 3, message: 'Cannot prepare the project folder: PATH has no git, a new repository was needed' }));
  writeFileSync(join(folder, 'git'), '#!/bin/sh\nexit 129\n', { mode: 0o755 });
  expect(() => prepare(null, `${folder}:/bin`)).toThrow(expect.objectContaining({ code: 'git_missing', message: expect.stringContaining('git init ended with code 129') }));
  expect(existsSync(join(prepare(null), '.git/HEAD'))).toBe(true);
});
