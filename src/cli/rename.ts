import { randomUUID } from 'node:crypto';
import { relative, resolve } from 'node:path';
import { renamePinned } from '../runner/rename-pinned.ts';
import { print, printJson } from './output.ts';

/** `playhead rename <cassette> <name>`: the name of a v7 cassette, and the hash that the case above it has of its manifest. */
export async function rename(cassette: string, name: string, options: { json?: boolean }): Promise<number> {
  const { id, name: given, manifestSha256, caseFolder } = await renamePinned({ folder: resolve(cassette), name, newId: randomUUID });
  const caseFile = caseFolder === null ? null : relative(process.cwd(), resolve(caseFolder, 'case.json'));
  if (options.json) printJson({ schemaVersion: 1, cassette, id, name: given, manifestSha256, case: caseFile });
  else {
    print(`${cassette} is now ${JSON.stringify(given)}`, { mark: 'good' });
    print(`  manifest  ${manifestSha256}`);
    if (caseFile !== null) print(`  case      ${caseFile} has the new hash`);
  }
  return 0;
}
