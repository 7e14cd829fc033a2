/**
 * One temporary folder for everything a process of ours makes, and a janitor that removes it and ends its process groups
 * when that process goes away, also by SIGKILL (design ruling 21).
 */

import { spawn, type ChildProcess } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { signalGroup } from './group.ts';

export type Workroom = {
  path: string;
  /** A new folder with a short name, for a socket path has about a hundred bytes. */
  makeFolder: (name: string) => string;
  /** Process groups that the janitor ends if we cannot. */
  guardGroup: (pid: number) => void;
  releaseGroup: (pid: number) => void;
  /** Removes everything; the janitor ends by itself. */
  remove: () => void;
};

export const workroomPrefix = 'playhead-';

export function createWorkroom(): Workroom {
  sweepAbandoned();
  const path = realpathSync(mkdtempSync(join(tmpdir(), workroomPrefix)));
  mkdirSync(join(path, 'groups'));
  writeFileSync(join(path, ownerFile), JSON.stringify({ pid: process.pid, startedAt: startOf(process.pid), marker: 'playhead' }));
  const janitor = startJanitor(path);
  let folderCount = 0;
  const groups = new Set<number>();
  const remove = () => {
    // The janitor finds no list any more: who leaves in a hurry ends its groups itself.
    for (const pid of groups) signalGroup(pid, 'SIGKILL');
    groups.clear();
    janitor.stdin?.destroy();
    rmSync(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
    process.off('exit', remove);
  };
  process.on('exit', remove);
  return {
    path,
    makeFolder(name) {
      const folder = join(path, `${name}${++folderCount}`);
      mkdirSync(folder, { recursive: true });
      return folder;
    },
    guardGroup(pid) {
      groups.add(pid);
      writeFileSync(join(path, 'groups', String(pid)), '');
    },
    releaseGroup(pid) {
      groups.delete(pid);
      rmSync(join(path, 'groups', String(pid)), { force: true });
    },
    remove,
  };
}

// The pipe ends when we do, however we end. A shell, because it costs a millisecond and a megabyte; in a group of its own,
// because Ctrl-C goes to ours. Note: dash knows no `--` behind a named signal, and says so to nobody here.
function startJanitor(path: string): ChildProcess {
  const script = 'cat >/dev/null; for g in "$1"/groups/*; do [ -e "$g" ] && kill -KILL "-${g##*/}" 2>/dev/null; done; rm -rf -- "$1"';
  const janitor = spawn('/bin/sh', ['-c', script, 'playhead-janitor', path], { detached: true, stdio: ['pipe', 'ignore', 'ignore'], cwd: '/' });
  janitor.stdin?.on('error', () => {});
  janitor.on('error', () => {}); // Without a shell the sweep of the next run does its work.
  janitor.unref();
  (janitor.stdin as unknown as { unref?: () => void } | null)?.unref?.();
  return janitor;
}

// What a run left behind whose janitor was killed too: only folders whose owner is verified to be gone are touched.
function sweepAbandoned(): void {
  for (const name of readdirSync(tmpdir())) {
    if (!name.startsWith(workroomPrefix)) continue;
    const path = join(tmpdir(), name);
    try {
      const owner = JSON.parse(readFileSync(join(path, ownerFile), 'utf8')) as { pid: number; startedAt: string | null; marker: string };
      if (owner.marker !== 'playhead' || owner.startedAt === null || startOf(owner.pid) === owner.startedAt) continue;
      rmSync(path, { recursive: true, force: true });
    } catch {
      // No owner file, or removed meanwhile: not ours to touch.
    }
  }
}

// Field 22 of /proc/<pid>/stat: a process id alone may have been given to somebody else.
function startOf(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? null;
  } catch {
    return null;
  }
}

const ownerFile = 'owner.json';
