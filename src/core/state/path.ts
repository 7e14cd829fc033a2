/** Paths of a state: which members hold them, and what they are below the project folder (cassette-contract 7.4). */

import { cwdToken, homeToken } from '../portable-path.ts';

/** Whether strings under this name are paths that must be portable. */
export function isPathName(name: string): boolean {
  const lower = name.toLowerCase();
  return lower.includes('path') || lower === 'cwd';
}

/** The part behind `${REPLAY_CWD}`, empty for the token alone, `null` where the text is no token path. */
export function belowCwdToken(text: string): string | null {
  if (text === cwdToken) return '';
  return text.startsWith(`${cwdToken}/`) ? text.slice(cwdToken.length + 1) : null;
}

export function isTokenPath(text: string): boolean {
  return [cwdToken, homeToken].some((token) => text === token || text.startsWith(`${token}/`));
}

/** The part of a normal path below a folder, with `/` between; empty for the folder itself, `null` where it lies elsewhere. */
export function belowFolder(path: string, folder: string): string | null {
  // A backslash is a letter of a POSIX name, so the folder says which separator counts.
  const separator = folder.startsWith('/') ? '/' : '\\';
  const base = folder.endsWith(separator) ? folder.slice(0, -1) : folder;
  if (path === folder || path === base) return '';
  return path.startsWith(base + separator) ? path.slice(base.length + 1).replaceAll(separator, '/') : null;
}

/** The segments of a relative path without `.` and `..`; `null` where it leaves its folder. */
export function cleanSegments(relative: string): string[] | null {
  const kept: string[] = [];
  for (const segment of relative.split(/[/\\]/)) {
    if (segment === '' || segment === '.') continue;
    if (segment !== '..') kept.push(segment);
    else if (kept.pop() === undefined) return null;
  }
  return kept;
}

export const projectKeyPrefix = 'project:';
