/** Paths as a capture compares them (cassette-contract 7.5). */

import { realpathSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';

/** Absolute and clean, symlinks resolved as far as the path exists. */
export function normalisePath(path: string): string {
  const absolute = resolve(path);
  try {
    return realpathSync(absolute);
  } catch {
    const folder = dirname(absolute);
    return folder === absolute ? absolute : join(normalisePath(folder), basename(absolute));
  }
}
