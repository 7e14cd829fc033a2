// Writes docs/contract.md from the issue catalogue and from the damages in fixtures/cassettes; a test compares.
import { readFileSync, writeFileSync } from 'node:fs';
import { damages } from '../fixtures/cassettes/damages.ts';
import { shapes } from '../fixtures/cassettes/shapes.ts';
import { issueCatalogue } from '../src/core/issue-catalogue.ts';

const path = new URL('../docs/contract.md', import.meta.url);
const levels = ['publish', 'resolve', 'tape_load', 'runner'];

export function contractDocument() {
  const rules = new Map();
  for (const damage of damages) rules.set(damage.rule, [...(rules.get(damage.rule) ?? []), damage]);
  const codes = Object.entries(issueCatalogue);
  const differing = codes.filter(([, entry]) => entry.levels.includes('runner') !== entry.levels.includes('resolve'));
  return [
    '# The cassette contract, as it is checked\n',
    'A cassette is judged by four readers, and they do not ask the same things: `publish` reads a recording before it is sealed, `resolve` a sealed folder, `tape_load` what a player needs of the tape, `runner` what our runner and players need beyond. `playhead validate` asks all of them, which is the stricter of every two; `playhead validate --level <name>` asks one alone. Written by `node scripts/contract-doc.mjs`; a test compares.\n',
    '## Where the readers differ\n',
    'Each row is a rule that one side of the reference has and the other has not: its Go core (`publish`, `resolve`, `tape_load`), its JavaScript runner and audit script (`runner`).\n',
    '| code | publish | resolve | tape_load | runner | what is wrong |\n|---|---|---|---|---|---|',
    ...differing.map(([code, entry]) => `| \`${code}\` | ${levels.map((level) => (entry.levels.includes(level) ? 'refused' : 'accepted')).join(' | ')} | ${entry.means} |`),
    '\nThree differences are not kept. A link in the place of `cassette.json` is refused at every level, because a link may lead anywhere. A member of a wrong type is refused at every level that reads its file, also where the reference never looks at it. Member names are compared exactly: the reference folds their case, and writes one spelling only.\n',
    'Of a repeated member the last value counts, and a warning says so; the reference merges repeated objects. Limits of our own, so that no folder takes the machine with it: 1,000 values inside one another, 4,000,000 values in a document, 64 MiB for one provider message, 8 MiB for a tape manifest, 10,000 entries in a folder, 16,384 pixels a side and 100 megapixels for an image. No recording comes near them.\n',
    '## What is broken, and what is said of it\n',
    `Every damage is applied to one of ${shapes.length} valid cassettes and hashed again, so that it breaks its rule alone; beside its code stand those that cannot be avoided. A rule is a section of the contract, or a number in it. Line and path are where the issue points.\n`,
    '| rule | damage | code | at | beside it |\n|---|---|---|---|---|',
    ...[...rules].sort(([a], [b]) => a.localeCompare(b, 'en', { numeric: true })).flatMap(([rule, found]) => found.map((damage) => row(rule, damage))),
    '',
  ].join('\n');
}

function row(rule, { title, code, file, line, path: at, beside, isCandidate }) {
  const place = [`${file}${line === null ? '' : `:${line}`}`, at].filter(Boolean).map((text) => `\`${text}\``).join(' ');
  return `| ${rule} | ${escape(title)}${isCandidate ? ' (of a recording)' : ''} | \`${code}\` | ${escape(place)} | ${[...new Set(beside)].map((one) => `\`${one}\``).join(' ')} |`;
}

function escape(text) {
  return text.replaceAll('\\', '\\\\').replaceAll('|', '\\|').replaceAll('<', '&lt;').replaceAll('\u00a0', ' ').replace(/[0-9a-f]{64}/g, '…');
}

if (process.argv[1] === new URL(import.meta.url).pathname) {
  if (!process.argv.includes('--check')) writeFileSync(path, contractDocument());
  else if (readFileSync(path, 'utf8') !== contractDocument()) {
    console.error('Cannot accept docs/contract.md: it is not what the catalogue and the damages say, node scripts/contract-doc.mjs was needed');
    process.exitCode = 1;
  }
}
