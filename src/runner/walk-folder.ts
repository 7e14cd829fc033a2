/** What lies in a cassette folder, looked at and not followed: its own files, links and devices, in memory for so many entries at most. */

import { lstatSync, opendirSync, type Dir, type Stats } from 'node:fs';
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
  /** In order of their paths; folders themselves are not listed. */
  entries: FolderEntry[];
  /** Paths that could not be looked at, with the system's code. */
  unreadable: { path: string; is: string }[];
  /** There were more entries than `limits.cassetteEntryCountMax`; the rest was not looked at. */
  isTooLarge: boolean;
};

export function walkFolder(folder: string): WalkedFolder {
  const walked: WalkedFolder = { entries: [], unreadable: [], isTooLarge: false };
  const open = [''];
  let left: number = limits.cassetteEntryCountMax;
  for (let at = open.pop(); at !== undefined && !walked.isTooLarge; at = open.pop()) {
    const names = namesIn(join(folder, at), at, { walked, countMax: left });
    left -= names.length;
    walked.isTooLarge = left < 0;
    for (const name of walked.isTooLarge ? [] : names) {
      const path = at === '' ? name : `${at}/${name}`;
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

/** Whether a file is still the one that was seen: a link in the place of its folder leads to another one, which must not be opened. */
export function isStillThere(folder: string, entry: FolderEntry): boolean {
  try {
    return stampOf(lstatSync(join(folder, entry.path))) === entry.stamp;
  } catch {
    return false;
  }
}

// One by one, and one more than there may be: somebody may have put millions there.
function namesIn(folder: string, path: string, options: { walked: WalkedFolder; countMax: number }): string[] {
  const names: string[] = [];
  let opened: Dir | null = null;
  try {
    opened = opendirSync(folder);
    for (let entry = opened.readSync(); entry !== null && names.length <= options.countMax; entry = opened.readSync()) names.push(entry.name);
  } catch (error) {
    options.walked.unreadable.push({ path: path === '' ? '.' : path, is: codeOf(error) });
  } finally {
    opened?.closeSync();
  }
  return names;
}

function lookAt(full: string, path: string, walked: WalkedFolder): FolderEntry | 'folder' | null {
  try {
    const stat = lstatSync(full);
    if (stat.isDirectory()) return 'folder';
    const kind = stat.isFile() ? 'file' : stat.isSymbolicLink() ? 'link' : 'other';
    return { path, kind, sizeBytes: stat.size, stamp: stampOf(stat) };
  } catch (error) {
    walked.unreadable.push({ path, is: codeOf(error) });
    return null;
  }
}

function stampOf({ dev, ino, mode, size, mtimeMs, ctimeMs }: Stats): string {
  return [dev, ino, mode, size, mtimeMs, ctimeMs].join(' ');
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? 'unknown';
}
