/** Folders and processes of one bench run: big files in the system's temp folder, what must import the package in `.cache/` here. All goes at the end. */

import type { ChildProcess } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export const repository = join(import.meta.dirname, '..');

const made: string[] = [];

export function makeTemp(name: string): string {
  return keep(realpathSync(mkdtempSync(join(tmpdir(), `playhead-bench-${name}-`))));
}

/** Inside the repository, where `playhead/playwright` and the configuration are found. */
export function makeNearby(name: string): string {
  const cache = join(repository, '.cache');
  mkdirSync(cache, { recursive: true });
  return keep(mkdtempSync(join(cache, `bench-${name}-`)));
}

let programs: string | null = null;

/** The built stand-ins, copied: a build beside us must not pull them away in the middle of a measurement. */
export function standIns(): string {
  if (programs !== null) return programs;
  programs = makeTemp('d');
  copyFileSync(join(repository, 'dist', 'stand-in-replay.cjs'), join(programs, 'stand-in-replay.cjs'));
  return programs;
}

const running = new Set<ChildProcess>();

export function endWithUs<T extends ChildProcess>(child: T): T {
  running.add(child);
  child.once('exit', () => running.delete(child));
  return child;
}

export function removeScratch(): void {
  for (const child of running) child.kill('SIGKILL');
  for (const path of made.splice(0)) rmSync(path, { recursive: true, force: true });
}

function keep(path: string): string {
  made.push(path);
  return path;
}
