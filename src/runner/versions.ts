/** The package's own version and the place of what is shipped beside this file. */

import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder with the bundled stand-ins and the scripted model: `dist`, from sources too. */
export function programsFolder(): string {
  const root = packageFolder();
  return join(root, 'dist');
}

export function playheadVersion(): string {
  return (JSON.parse(readFileSync(join(packageFolder(), 'package.json'), 'utf8')) as { version: string }).version;
}

export function packageFolder(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'package.json'))) folder = dirname(folder);
  return folder;
}
