/** The real program behind a provider's name, for record mode alone. */

import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { isStandInBin } from './stand-in-folder.ts';

export type RealProgram = { program: string; path: string; env: { [name: string]: string } };

/** The configured one, else the next of that name on PATH that is no stand-in; `null` where there is none. */
export function realProgram(provider: string, configured?: string): RealProgram | null {
  const entries = (process.env.PATH ?? '').split(delimiter).filter((entry) => entry !== '' && !isStandInBin(entry));
  const program = configured ?? entries.map((entry) => join(entry, provider)).find(isExecutable);
  return program && isExecutable(program) ? { program, path: entries.join(delimiter), env: {} } : null;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
