/** A folder for one test, and a cassette in it that a test may spoil on disk. */

import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { writeDraft, type Draft, type Files } from '../../../fixtures/cassettes/draft.ts';
import { writeFiles } from '../../../fixtures/cassettes/on-disk.ts';
import { asCandidate, findShape } from '../../../fixtures/cassettes/shapes.ts';
import { limits } from '../../../src/core/limits.ts';
import { findProvider } from '../../../src/providers/registry.ts';
import { readCassette, type ReadCassetteOptions } from '../../../src/runner/read-cassette.ts';
import type { Issue } from '../../../src/core/issue.ts';

export function makeRoom(): string {
  const room = realpathSync(mkdtempSync(join(tmpdir(), 'playhead-folders-')));
  // Note: Node removes by whole paths, and some of these are longer than the system takes.
  onTestFinished(() => void execFileSync('rm', ['-rf', room]));
  return room;
}

/** The files of a shape after a change of its values. */
export function filesOf(change: (draft: Draft) => void = () => {}, options: { shape?: string; isCandidate?: boolean } = {}): Files {
  const made = findShape(options.shape ?? 'create-session').make();
  change(made);
  return writeDraft(options.isCandidate ? asCandidate(made) : made);
}

/** A cassette in a room of its own: `room/cassette`. */
export function makeCassette(files: Files = filesOf()): { room: string; folder: string; at: (path: string) => string } {
  const room = makeRoom();
  const folder = join(room, 'cassette');
  mkdirSync(folder);
  writeFiles(folder, files);
  return { room, folder, at: (path) => join(folder, path) };
}

/** Every finding as `code file:line path`, warnings in brackets. */
export function found(folder: string, options: Partial<ReadCassetteOptions> = {}): string[] {
  return readCassette({ folder, findProvider, levels: ['resolve', 'tape_load', 'runner'], ...options }).issues.map(shownIssue);
}

function shownIssue({ code, file, line, path, severity }: Issue): string {
  const text = `${code} ${file}${line === null ? '' : `:${line}`}${path === null ? '' : ` ${path}`}`;
  return severity === 'warning' ? `(${text})` : text;
}

/** A file or folder is replaced by what `make` puts there. */
export function replace(path: string, make: (path: string) => void): void {
  rmSync(path, { recursive: true });
  make(path);
}

export function runProgram(program: string, ...args: string[]): boolean {
  try {
    execFileSync(program, args, { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** Limits that are small for one test: at the real ones it would write gigabytes. */
export function withLimits(changed: Partial<Record<keyof typeof limits, number>>): void {
  const before = { ...limits };
  Object.assign(limits, changed);
  onTestFinished(() => void Object.assign(limits, before));
}

export function fill(path: string, bytes: number): void {
  writeFileSync(path, Buffer.alloc(bytes, 32));
}
