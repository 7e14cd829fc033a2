/** The parts of `npm test`: what guards the repository, in the order it runs. */

import path from 'node:path';

/**
 * Lists the parts. `testFiles` are the names in `tests/`; each `<name>.playwright.config.ts`
 * and each `<name>.run.mjs` there is a part of that name.
 */
export function listParts(testFiles) {
  return [
    ...['types', 'lint', 'directions'].map((name) => ({ name, kind: 'check', shown: `npm run ${name}` })),
    { name: 'unit', kind: 'vitest', shown: 'npm run unit' },
    { name: 'cases', kind: 'playwright', args: [], shown: 'npx playwright test' },
    ...named(testFiles, PLAYWRIGHT_CONFIG).map(({ name, file }) => (
      { name, kind: 'playwright', args: ['--config', file], shown: `npx playwright test --config ${file}` })),
    ...named(testFiles, PROGRAM).map(({ name, file }) => ({ name, kind: 'program', file, shown: `node ${file}` })),
  ];
}

const PLAYWRIGHT_CONFIG = '.playwright.config.ts';
const PROGRAM = '.run.mjs';

function named(files, ending) {
  return files.filter((file) => file.endsWith(ending)).sort()
    .map((file) => ({ name: path.basename(file, ending), file: `tests/${file}` }));
}

/** The parts that `PLAYHEAD_PARTS` names (all where it is absent), and the names it has wrong. */
export function selectParts(parts, selection) {
  if (selection === undefined || selection.trim() === '') return { selected: parts, unknown: [] };
  const names = selection.split(',').map((name) => name.trim());
  return {
    selected: parts.filter((part) => names.includes(part.name)),
    unknown: names.filter((name) => !parts.some((part) => part.name === name)),
  };
}
