/** `checkpoint-plan.json`, schema 2 (cassette-contract 4). */

import { choice, document, filled, fingerprint, i64, list, nullable, object, optional, shared, text, u64, version, when, refused } from './members.ts';
import { address, cursor, positions } from './positions.ts';
import { boundaryKinds, checkpointKinds, observationSchemaVersion, onlyValues, planCassetteSchemaVersion, planSchemaVersion, predicateTypes, triggerSources, unitKinds } from './vocabulary.ts';

const trigger = object('What brings the checkpoint about.', {
  source: choice('The beginning, the end of an activity, or an observation of a provider.', triggerSources),
  afterActivityEventSequence: optional(u64('Of an activity boundary: the event it lies behind.')),
  boundaryKind: optional(choice('Of an activity boundary: what it closes.', boundaryKinds)),
  position: optional(shared('observation')),
  unitKind: optional(choice('Of an observation: what was read.', unitKinds)),
  type: optional(text('Of an observation: what was observed.')),
  fingerprint: optional(fingerprint('Of an observation: hash of what was observed.')),
}, { allOf: [
  when('source', ['bootstrap'], { ...refused('position'), properties: { afterActivityEventSequence: { const: 0 } } }),
  when('source', ['activity-boundary'], { required: ['afterActivityEventSequence', 'boundaryKind'], properties: { afterActivityEventSequence: { minimum: 1 } } }),
  when('source', ['provider-observation'], { required: ['position', 'unitKind', 'type', 'fingerprint'], properties: { type: { pattern: '\\S' } } }),
] });

const predicate = object('Something that has to hold before the checkpoint counts as reached.', {
  type: choice('What is looked at.', predicateTypes),
  subject: i64('The subject of the checkpoint that it is asked of, from 0.', { minimum: 0 }),
  equals: filled('The value it needs.'),
}, { allOf: onlyValues.map(({ type, only }) => when('type', [type], { properties: { equals: { const: only } } })) });

const checkpoint = object('A place at which a replay can stop and be judged.', {
  id: text('`checkpoint-` and the index in four digits or more.', { pattern: '^checkpoint-(?:\\d{4}|[1-9]\\d{4,})$' }),
  index: i64('Its place in the list, from 0.', { minimum: 0 }),
  kind: choice('What has been reached.', checkpointKinds),
  tags: list('Its kind, and whatever else helps to find it.', text('A tag.')),
  cursor,
  trigger,
  subjects: nullable(list('The entities it speaks of, each once.', shared('address'), { uniqueItems: true })),
  readiness: object('When it counts as reached.', { all: nullable(list('All of these have to hold.', predicate)) }),
});

export const planDocument = document('checkpoint-plan', 'Checkpoint plan', 'Where a replay can stop, in the order in which it gets there.', {
  schemaVersion: version(planSchemaVersion, 'the plan'),
  cassetteSchemaVersion: version(planCassetteSchemaVersion, 'the cassette'),
  observationSchemaVersion: version(observationSchemaVersion, 'the observations'),
  checkpoints: list('The checkpoints; the first is triggered by the bootstrap.', checkpoint, { minItems: 1 }),
}, { definitions: { reached: positions.reached, observation: positions.observation, address } });
