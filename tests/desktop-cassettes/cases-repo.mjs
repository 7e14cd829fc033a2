/** Copies of committed desktop cases in a cases repository, each with a cassette of its own. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createCasesRepo } from '../alarms/cases-repo.mjs';
import { root } from '../lib/run.mjs';
import { readCassette, writeCassette } from './cassette.mjs';

export const committed = (name) => join(root, 'cases', name);
export const cassetteOf = (caseFolder) => join(caseFolder, 'cassettes/main');

export function createDesktopRepo(folder) {
  const repo = createCasesRepo(folder);
  // Written when anybody so much as loads the product of that name.
  const trace = join(folder, 'product-was-loaded');
  repo.addModule('desktop', `export { default } from 'playhead/desktop';\n`);
  repo.addModule('tripwire', `import { writeFileSync } from 'node:fs';\nwriteFileSync(${JSON.stringify(trace)}, '');\nthrow new Error('the product was loaded');\n`);
  return {
    ...repo,
    trace,
    /** A committed case, its cassette written anew with `edit` applied, and pinned again; without `edit` as it is. Gives its folder. */
    addCase({ edit, ...facts }) {
      repo.addCase({ group: 'run', ...facts });
      const to = join(folder, 'run', facts.name);
      if (edit) pin(to, writeCassette(cassetteOf(to), readCassette(cassetteOf(committed(facts.base))), edit));
      return to;
    },
  };
}

function pin(caseFolder, manifestSha256) {
  const path = join(caseFolder, 'case.json');
  const described = JSON.parse(readFileSync(path, 'utf8'));
  described.cassettes[0].manifestSha256 = manifestSha256;
  writeFileSync(path, `${JSON.stringify(described, null, 2)}\n`);
}
