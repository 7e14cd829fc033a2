/** The two data files that code, schemas and docs are taken from (cassette-contract 2.1, 3.4, 3.5). */

import { Type } from '@sinclair/typebox';
import { document, filled, flag, i64, list, object, optional, text } from './members.ts';
import { activityContract, policy } from './vocabulary.ts';

const bytes = (description: string) => i64(`${description}, in bytes.`, { minimum: 1 });

const file = object('One file of a cassette.', {
  path: filled('Its path from the folder of the cassette on.'),
  role: filled('What it is for.'),
  required: flag('Whether every cassette has it.'),
  inventory: optional(flag('Whether the manifest lists it. Default: true.')),
});

export const policyDocument = document('cassette-policy', 'Cassette policy', 'Which files a cassette may hold, and how large they may be.', {
  $schema: optional(text('This schema.')),
  schemaVersion: i64('Schema version of the cassettes it speaks of.', { const: policy.schemaVersion }),
  blobManifestSchemaVersion: i64('Schema version of their blob manifests.', { const: policy.blobManifestSchemaVersion }),
  limits: object('Limits.', {
    maxProviderPayloadBytes: bytes('One chunk, decoded'),
    maxProviderTapeBytes: bytes('The frames file'),
    maxCassetteBytes: bytes('All files together'),
    maxPortableBlobBytes: bytes('One image'),
  }),
  files: object('The files by name.', Object.fromEntries(Object.keys(policy.files).map((name) => [name, file]))),
});

const named = (description: string, items: object, about = {}) => Type.Unsafe<object>({ description, type: 'object', propertyNames: { pattern: '\\S' }, additionalProperties: items, ...about });
const names = (description: string) => list(description, filled('A name.'));

const idSource = object('An id that is found in the payload; ours.', {
  member: filled('Where, with dots between the members.'),
  prefix: optional(text('What stands before it.')),
  ifRouting: optional(text('The routing with which alone it is looked for.')),
});

const intent = object('What an intent may bring about.', {
  effects: names('The effects it may cause.'),
  requiresEffect: flag('Whether one of them has to follow.'),
  correlationKeys: optional(names('Members that hold its correlation id, the first that is filled; ours.')),
  extraCandidates: optional(list('Further ids that its effects may carry; ours.', idSource)),
  makesCommandId: optional(flag('Whether a replay makes the id of its command; ours.')),
  boundCommandId: optional(idSource),
  timestamps: optional(filled('How a replay moves its times; ours.')),
  readiness: optional(filled('What a replay waits for before it; ours.')),
});

const effect = object('How an effect is compared; ours.', {
  stableFields: names('The members of its payload that have to be equal.'),
  alternateCorrelation: optional(filled('The member that binds it where ids do not.')),
  internalCommandIdPrefixes: optional(names('Commands that are the own affair of the product.')),
});

export const activityContractDocument = document('activity-contract', 'Activity contract', 'Which effects belong to which intents.', {
  $schema: optional(text('This schema.')),
  schemaVersion: i64('Schema version of the contract.', { const: activityContract.schemaVersion }),
  intents: named('The intents by type.', intent, { minProperties: 1 }),
  effects: optional(named('The effects by type; ours.', effect)),
});
