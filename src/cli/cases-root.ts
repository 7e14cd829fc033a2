import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readOverrides } from '../runner/options.ts';

/** The folder of cases where none is named: `PLAYHEAD_CASES`, else `cases`. */
export function casesRoot(): string {
  return readOverrides({ PLAYHEAD_CASES: process.env.PLAYHEAD_CASES }).cases ?? 'cases';
}

/** A case by its path, or by its name below the folder of cases. */
export function casePath(named: string): string {
  return existsSync(named) ? named : join(casesRoot(), named);
}
