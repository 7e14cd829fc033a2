/** Paths under a root become a token and back. The separator style of the value is kept (replay-runtime 1.5). */

import type { Root } from './rules.ts';

/** The roots of one launch in the order they apply: project folder, provider home, personal homes. */
export function createRoots(options: { cwds: string[]; cwdToken: string; homes: string[]; homeToken: string }): Root[] {
  const roots: Root[] = [];
  const add = (path: string, token: string) => {
    const bare = path.replace(/[/\\]+$/, '');
    if (bare.length > 0 && !roots.some((root) => root.path === bare)) roots.push({ path: bare, token });
  };
  // Longest first inside a group, so that a symlink's target never hides the deeper name.
  for (const cwd of longestFirst(options.cwds)) add(cwd, options.cwdToken);
  for (const home of options.homes) add(home, options.homeToken);
  for (const cwd of options.cwds) {
    const personal = /^(\/Users\/[^/]+|\/home\/[^/]+)(?=\/|$)/.exec(cwd)?.[1];
    if (personal) add(personal, options.homeToken);
  }
  // A project folder `/` holds every path, so every other root comes before it.
  if (options.cwds.includes('/')) roots.push({ path: '', token: options.cwdToken });
  return roots;
}

/** The value with its root replaced, or the value itself. */
export function toToken(value: string, roots: readonly Root[]): string {
  const scheme = value.startsWith('file://') ? 'file://' : '';
  const path = value.slice(scheme.length);
  for (const root of roots) {
    const rest = restBelow(path, root.path);
    if (rest !== null) return scheme + root.token + (root.path === '' && rest === '/' ? '' : rest);
  }
  return value;
}

/** The inverse: a leading token becomes the live folder. */
export function fromToken(value: string, live: readonly Root[]): string {
  const scheme = value.startsWith('file://') ? 'file://' : '';
  const path = value.slice(scheme.length);
  for (const root of live) {
    const rest = restBelow(path, root.token);
    if (rest !== null) return scheme + (root.path + rest || '/');
  }
  return value;
}

/** Free text: every occurrence of a root, longest first (stderr, stand-in b6). */
export function replaceRootsInText(text: string, roots: readonly Root[]): string {
  const known = [...roots].filter((root) => isSearchable(root.path)).sort((a, b) => b.path.length - a.path.length);
  return known.reduce((current, root) => current.replaceAll(root.path, root.token), text);
}

/** Roots of less than two segments (`/`, `/root`, `/tmp`) are never searched inside a text: they would hit everywhere. */
export function isSearchable(path: string): boolean {
  return path.split(/[/\\]/).filter(Boolean).length >= 2;
}

function restBelow(value: string, folder: string): string | null {
  if (!value.startsWith(folder)) return null;
  const rest = value.slice(folder.length);
  return rest === '' || rest[0] === '/' || rest[0] === '\\' ? rest : null;
}

function longestFirst(paths: string[]): string[] {
  return [...paths].sort((a, b) => b.length - a.length);
}

/** The inverse in free text: tokens become live folders. */
export function replaceTokensInText(text: string, live: readonly Root[]): string {
  return live.reduce((current, root) => current.replaceAll(root.token, root.path), text);
}
