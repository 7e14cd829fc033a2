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
  /**
   * Process groups that the janitor ends if we cannot. One guarded as `last` is asked to end when the others have been
   * killed: a display, which takes its own files away and whose loss would crash the windows on it (desktop-order b12).
   */
  guardGroup: (pid: number, order?: 'last') => void;
  releaseGroup: (pid: number) => void;
  /** Removes everything; the janitor ends by itself. */
  remove: () => void;
};

export const workroomPrefix = 'playhead-';

export function createWorkroom(): Workroom {
  sweepAbandoned();
  const path = realpathSync(mkdtempSync(join(tmpdir(), workroomPrefix)));
  for (const list of ['groups', 'last']) mkdirSync(join(path, list));
  writeFileSync(join(path, ownerFile), JSON.stringify({ pid: process.pid, startedAt: startOf(process.pid), marker: 'playhead' }));
  const janitor = startJanitor(path);
  let folderCount = 0;
  const groups = new Map<number, 'groups' | 'last'>();
  const remove = () => {
    // The janitor finds no list any more: who leaves in a hurry ends its groups itself.
    for (const [pid, list] of groups) if (list === 'groups') signalGroup(pid, 'SIGKILL');
    for (const [pid, list] of groups) if (list === 'last') signalGroup(pid, 'SIGTERM');
    groups.clear();
    rmSync(join(path, 'last'), { recursive: true, force: true });
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
    guardGroup(pid, order) {
      const list = order ?? 'groups';
      groups.set(pid, list);
      writeFileSync(join(path, list, String(pid)), '');
    },
    releaseGroup(pid) {
      groups.delete(pid);
      for (const list of ['groups', 'last']) rmSync(join(path, list, String(pid)), { force: true });
    },
    remove,
  };
}

// The pipe ends when we do, however we end. A shell, because it costs a millisecond and a megabyte; in a group of its own,
// because Ctrl-C goes to ours. Note: dash knows no `--` behind a named signal, and says so to nobody here.
function startJanitor(path: string): ChildProcess {
  const script = [
    'cat >/dev/null; for g in "$1"/groups/*; do [ -e "$g" ] && kill -KILL "-${g##*/}" 2>/dev/null; done',
    'last=; for g in "$1"/last/*; do [ -e "$g" ] && last="$last -${g##*/}" && kill -TERM "-${g##*/}" 2>/dev/null; done',
    'rm -rf -- "$1"; [ -z "$last" ] || { sleep 1; kill -KILL $last 2>/dev/null; }',
  ].join('; ');
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
