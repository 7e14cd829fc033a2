/** A tape becomes a cassette: copied beside its place, synced, judged, renamed into it (design, a recording). */

import { closeSync, copyFileSync, existsSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Case } from '../core/case/case.ts';
import { Fault } from '../core/fault.ts';
import type { Issue } from '../core/issue.ts';
import type { Canary } from '../core/secrets/scan.ts';
import { openCassette, shortPath, type CassetteFacts } from './case-files.ts';

/** Nothing stands at `target` unless the whole cassette does, and none of these values is in it. */
export function sealTape(options: { tapeFolder: string; target: string; allow?: Case['allow']; canaries: readonly Canary[] }): CassetteFacts {
  const { tapeFolder, target } = options;
  if (existsSync(target)) throw new Fault({ code: 'cassette_exists', message: `Cannot seal cassette: "${shortPath(target)}" exists, a free name was needed` });
  const candidate = join(dirname(target), `.${Date.now().toString(36)}-${process.pid}.candidate`);
  try {
    mkdirSync(join(candidate, 'provider'), { recursive: true });
    for (const name of ['frames.jsonl', 'manifest.json']) copySynced(join(tapeFolder, name), join(candidate, 'provider', name));
    const { facts, issues } = openCassette({ folder: candidate, allow: options.allow ?? [], withLanes: false, canaries: options.canaries });
    const errors = issues.filter((issue) => issue.severity === 'error');
    if (errors.length > 0) throw refused(errors);
    syncFolder(candidate);
    renameSync(candidate, target);
    syncFolder(dirname(target));
    return { ...facts, name: target.split('/').at(-1) ?? facts.name, dir: shortPath(target) };
  } catch (error) {
    rmSync(candidate, { recursive: true, force: true });
    throw error;
  }
}

function refused(issues: readonly Issue[]): Fault {
  const text = issues.slice(0, 3).map((issue) => issue.message).join('; ');
  return new Fault({ code: 'recording_failed', message: `Cannot seal recording: ${text}`, facts: { codes: issues.map((issue) => issue.code) } });
}

export function copySynced(from: string, to: string): void {
  copyFileSync(from, to);
  const file = openSync(to, 'r+');
  fsyncSync(file);
  closeSync(file);
}

export function syncFolder(path: string): void {
  const folder = openSync(path, 'r');
  fsyncSync(folder);
  closeSync(folder);
}
