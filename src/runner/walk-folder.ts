/** Every entry below a folder, without following links; nothing is opened. */

import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { limits } from '../core/limits.ts';

export type FolderEntry = {
  /** Relative to the folder, with `/`. */
  path: string;
  kind: 'file' | 'link' | 'other';
  sizeBytes: number;
  /** Changes when the file is written or replaced. */
  stamp: string;
};

export type WalkedFolder = {
  /** In byte order of their paths; folders themselves are not listed. */
  entries: FolderEntry[];
  /** Paths that could not be looked at, with the system's code. */
  unreadable: { path: string; is: string }[];
  /** There were more entries than `limits.cassetteEntryCountMax`; the rest was not looked at. */
  isTooLarge: boolean;
};

export function walkFolder(folder: string): WalkedFolder {
  const walked: WalkedFolder = { entries: [], unreadable: [], isTooLarge: false };
  const open = [''];
  let count = 0;
  for (let at = open.pop(); at !== undefined && !walked.isTooLarge; at = open.pop()) {
    const below = at;
    for (const name of namesIn(join(folder, below), below, walked)) {
      if (++count > limits.cassetteEntryCountMax) {
        walked.isTooLarge = true;
        break;
      }
      const path = below === '' ? name : `${below}/${name}`;
      const entry = lookAt(join(folder, path), path, walked);
      if (entry === 'folder') open.push(path);
      else if (entry) walked.entries.push(entry);
    }
  }
  walked.entries.sort((a, b) => (a.path < b.path ? -1 : 1));
  return walked;
}

/** Paths that came, went or were written between two walks. */
export function changedPaths(before: readonly FolderEntry[], after: readonly FolderEntry[]): string[] {
  const stamps = new Map(before.map(({ path, stamp }) => [path, stamp]));
  const changed = after.filter(({ path, stamp }) => stamps.get(path) !== stamp).map(({ path }) => path);
  const left = new Set(after.map(({ path }) => path));
  return [...changed, ...before.filter(({ path }) => !left.has(path)).map(({ path }) => path)];
}

function namesIn(folder: string, path: string, walked: WalkedFolder): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    walked.unreadable.push({ path: path === '' ? '.' : path, is: codeOf(error) });
    return [];
  }
}

function lookAt(full: string, path: string, walked: WalkedFolder): FolderEntry | 'folder' | null {
  try {
    const stat = lstatSync(full);
    if (stat.isDirectory()) return 'folder';
    const kind = stat.isFile() ? 'file' : stat.isSymbolicLink() ? 'link' : 'other';
    return { path, kind, sizeBytes: stat.size, stamp: `${stat.ino} ${stat.size} ${stat.mtimeMs} ${stat.ctimeMs}` };
  } catch (error) {
    walked.unreadable.push({ path, is: codeOf(error) });
    return null;
  }
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? 'unknown';
}
