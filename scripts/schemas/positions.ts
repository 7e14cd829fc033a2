/** Places in a recording: cursors, unit and observation positions, entity addresses (cassette-contract 4.4, 4.6). */

import { choice, filled, implies, list, object, optional, refused, shared, text, u64, when } from './members.ts';
import { entityKinds, originSources } from './vocabulary.ts';

const unit = {
  connectionId: filled('The connection, as the tape manifest names it.'),
  chunkSeq: u64('The chunk that completes the unit, counted on its connection.'),
  unitIndex: u64('The unit among those that the chunk completes, from 1.'),
};

const reached = { chunkSeq: { minimum: 1 }, unitIndex: { minimum: 1 } };

export const positions = {
  reached: object('How far one connection has been read; 0 and 0 is its beginning.', unit),
  unit: object('One complete input of a provider.', unit, { allOf: [{ properties: reached }] }),
  observation: object('One observation made of a unit.', { ...unit, eventIndex: u64('The observation among those of the unit, from 1.') }, { allOf: [{ properties: { ...reached, eventIndex: { minimum: 1 } } }] }),
};

export const cursor = object('What has been consumed of every lane.', {
  activityEventSequence: u64('The last activity event; 0 before the first.'),
  providerConnections: list('Each connection that has been seen, ascending by the bytes of its id.', shared('reached')),
});

export const address = object('An entity, named by the place where it came into the recording.', {
  kind: choice('What the entity is.', entityKinds),
  origin: object('Where it came from: one source, and the one member that belongs to the source.', {
    source: choice('Which part of the recording it came from.', originSources),
    initialStatePath: optional(text('Place in the initial state, from a slash on.', { pattern: '^/' })),
    activityEventSequence: optional(u64('The activity event.', { minimum: 1 })),
    providerObservation: optional(shared('observation')),
  }, { allOf: [
    when('source', ['recording-root'], refused('initialStatePath', 'activityEventSequence', 'providerObservation')),
    when('source', ['initial-state'], { required: ['initialStatePath'], ...refused('activityEventSequence', 'providerObservation') }),
    when('source', ['activity-event'], { required: ['activityEventSequence'], ...refused('initialStatePath', 'providerObservation') }),
    when('source', ['provider-observation'], { required: ['providerObservation'], ...refused('initialStatePath', 'activityEventSequence') }),
  ] }),
  discriminator: optional(text('Tells apart what one place brought forth; without white space around it.', { pattern: '^\\S(?:[\\s\\S]*\\S)?$' })),
}, implies(
  { properties: { origin: { properties: { source: { const: 'recording-root' } }, required: ['source'] } } },
  { properties: { kind: { const: 'session' } }, ...refused('discriminator') },
));
