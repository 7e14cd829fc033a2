/** The `$schema` that a new `case.json` names, so that editors know its members. */

import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

/** From the case folder to the schema of the installed package, or of our own repository; `null` where neither lies above. */
export function caseSchemaFrom(caseFolder: string): string | null {
  for (let folder = caseFolder, above = dirname(folder); folder !== above; folder = above, above = dirname(folder)) {
    const installed = join(above, 'node_modules', 'playhead', schema);
    if (existsSync(installed)) return relative(caseFolder, installed);
    if (isOurs(above) && existsSync(join(above, schema))) return relative(caseFolder, join(above, schema));
  }
  return null;
}

function isOurs(folder: string): boolean {
  try {
    return (JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { name?: string }).name === 'playhead';
  } catch {
    return false;
  }
}

const schema = 'schemas/case.schema.json';
