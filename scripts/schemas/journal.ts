/** One line of `.recording/observation-journal.jsonl`, which only a candidate has (cassette-contract 6.3). */

import { choice, document, filled, fingerprint, flag, list, object, optional, shared, text, version } from './members.ts';
import { address, positions } from './positions.ts';
import { observationSchemaVersion, unitKinds } from './vocabulary.ts';

const observation = object('One thing that was observed in the unit.', {
  position: shared('observation'),
  type: filled('What was observed.'),
  fingerprint: fingerprint('Hash of what was observed.'),
  address: shared('address'),
});

const correlation = object('A change of state that belongs to an observation.', {
  id: filled('The correlation.'),
  kind: filled('What was changed.'),
  address: shared('address'),
  observationPosition: shared('observation'),
  observationFingerprint: fingerprint('Hash of what was observed.'),
  expected: filled('What the change has to come to.'),
  confirmed: flag('Whether a committed transaction has shown it.'),
  transactionId: optional(text('That transaction.')),
});

export const journalEntryDocument = document('observation-journal-entry', 'Observation journal entry', 'One line of the journal: what was observed in one unit of a provider, while a recording is made.', {
  schemaVersion: version(observationSchemaVersion, 'the observations'),
  position: shared('unit'),
  unitKind: choice('What was read.', unitKinds),
  observations: list('What was observed; often nothing.', observation),
  commitCorrelations: list('The changes that belong to it.', correlation),
}, { definitions: { unit: positions.unit, observation: positions.observation, address } });
