/** Every document, and the files that are written from them. */

import { activityEventDocument } from './activity.ts';
import { blobManifestDocument } from './blobs.ts';
import { caseDocument } from './case.ts';
import { cassetteDocument } from './cassette.ts';
import { activityContractDocument, policyDocument } from './contract.ts';
import { journalEntryDocument } from './journal.ts';
import { planDocument } from './plan.ts';
import { readerOf, validatorsDeclarations, validatorsModule } from './reader.ts';
import { validateDocument, verdictDocument } from './reports.ts';
import { stateDocument } from './state.ts';
import { frameDocument, tapeManifestDocument } from './tape.ts';

const documents = [
  caseDocument, cassetteDocument, activityEventDocument, planDocument, journalEntryDocument, tapeManifestDocument, frameDocument,
  blobManifestDocument, stateDocument, policyDocument, activityContractDocument, verdictDocument, validateDocument,
];

const readers = {
  cassette: cassetteDocument,
  activityEvent: activityEventDocument,
  plan: planDocument,
  journalEntry: journalEntryDocument,
  blobManifest: blobManifestDocument,
  state: stateDocument,
};

/** Path from the root of the repository → content. */
export function generatedFiles(): { [path: string]: string } {
  const schemas = documents.map((document) => [`schemas/${document.$id}`, `${JSON.stringify(document, null, 2)}\n`] as const);
  const variants = Object.fromEntries(Object.entries(readers).map(([name, document]) => [name, readerOf(document)]));
  return { ...Object.fromEntries(schemas), 'src/core/schema/validators.js': validatorsModule(variants), 'src/core/schema/validators.d.ts': validatorsDeclarations(Object.keys(readers)) };
}
