import { expect, test } from 'vitest';
import { parentDiscriminator, rootAddress, type EntityAddress } from '../checkpoint/address.ts';
import { parseJson, type Json } from '../json/exact.ts';
import { buildChild, buildInteraction, buildMessage, buildSession, buildState, buildTurn } from '../state/fixtures/states.ts';
import { placeAt, seenAt } from './fixtures/observations.ts';
import { EntityRegistry, type EntityRef } from './registry.ts';
import { seedRegistry } from './seed.ts';

const turn = (turnId: string, sessionId = 'session-a'): EntityRef => ({ kind: 'turn', sessionId, turnId });
const interaction = (interactionKind: string, turnId = 'turn-a'): EntityRef => ({ kind: 'interaction', sessionId: 'session-a', turnId, interactionKind, requestId: 'request-a' });
const withRoot = (sessionId = 'session-a') => {
  const registry = new EntityRegistry();
  registry.bindRoot(sessionId);
  return registry;
};

test('EntityRegistry keeps the first address of an entity', () => {
  const registry = withRoot();
  expect(registry.bind(turn('t'), seenAt('turn', placeAt(1n)))).toEqual(seenAt('turn', placeAt(1n)));
  expect(registry.bind(turn('t'), seenAt('turn', placeAt(1n)))).toEqual(seenAt('turn', placeAt(1n)));
  expect(registry.bind(turn('t'), seenAt('turn', placeAt(2n)))).toEqual(seenAt('turn', placeAt(1n)));
});

test('EntityRegistry keeps the first entity of an address', () => {
  const registry = withRoot();
  registry.bind(turn('t'), seenAt('turn', placeAt(1n)));
  expect(registry.bind(turn('u'), seenAt('turn', placeAt(1n)))).toBeNull();
  expect([registry.refOf(seenAt('turn', placeAt(1n))), registry.lookup(turn('u'))]).toEqual([turn('t'), null]);
});

test('EntityRegistry binds one root, once', () => {
  const registry = new EntityRegistry();
  expect([registry.bindRoot('session-a'), registry.bindRoot(' session-a'), registry.bindRoot(''), registry.bindRoot('session-b')]).toEqual([true, true, true, false]);
  expect([registry.rootId, registry.lookup({ kind: 'session', sessionId: 'session-a' }), registry.lookup({ kind: 'session', sessionId: 'session-b' })]).toEqual(['session-a', rootAddress, null]);
});

test('EntityRegistry does not make a child the root', () => {
  const registry = new EntityRegistry();
  registry.bind({ kind: 'session', sessionId: 'session-b' }, seenAt('session', placeAt(1n)));
  expect(registry.bindRoot('session-b')).toBe(false);
});

test('EntityRegistry takes a blank session for the root, before and after it is known', () => {
  const registry = new EntityRegistry();
  registry.bind(turn('t', ''), seenAt('turn', placeAt(1n)));
  registry.bindRoot('session-a');
  expect([registry.lookup(turn('t', 'session-a')), registry.lookup({ kind: 'session', sessionId: ' ' })]).toEqual([seenAt('turn', placeAt(1n)), rootAddress]);
});

test('EntityRegistry finds an interaction without its kind where only one has the request', () => {
  const registry = withRoot();
  const question = { sessionId: 'session-a', turnId: 'turn-a', requestId: 'request-a' };
  expect(registry.lookupInteraction(question)).toBeNull();
  registry.bind(interaction('question'), seenAt('interaction', placeAt(1n)));
  registry.bind(interaction('question', 'turn-b'), seenAt('interaction', placeAt(2n)));
  expect(registry.lookupInteraction(question)).toEqual(seenAt('interaction', placeAt(1n)));
  expect(registry.lookupInteraction({ ...question, interactionKind: 'approval' })).toBeNull();
  registry.bind(interaction('approval'), seenAt('interaction', placeAt(3n)));
  expect(registry.lookupInteraction(question)).toBeNull();
  expect(registry.lookupInteraction({ ...question, interactionKind: 'approval' })).toEqual(seenAt('interaction', placeAt(3n)));
});

test('EntityRegistry finds a goal of the activity lane through its session alone', () => {
  const registry = withRoot();
  const goal: EntityAddress = { kind: 'goal', origin: { source: 'activity-event', activityEventSequence: 9n }, discriminator: parentDiscriminator(rootAddress) };
  expect(registry.refOf(goal)).toEqual({ kind: 'goal', sessionId: 'session-a' });
  expect(registry.refOf({ ...goal, discriminator: 'parent:x' })).toBeNull();
  expect(registry.refOf({ kind: 'turn', origin: { source: 'activity-event', activityEventSequence: 9n } })).toBeNull();
  expect(new EntityRegistry().refOf(goal)).toBeNull();
});

test('EntityRegistry does not move the origin of a goal', () => {
  const registry = withRoot();
  const first = registry.introduceGoal('session-a', 2n);
  expect([first?.origin, first?.discriminator]).toEqual([
    { source: 'activity-event', activityEventSequence: 2n },
    'parent:eyJraW5kIjoic2Vzc2lvbiIsIm9yaWdpbiI6eyJzb3VyY2UiOiJyZWNvcmRpbmctcm9vdCJ9fQ',
  ]);
  expect(registry.introduceGoal('', 5n)).toEqual(first);
  expect(registry.introduceGoal('session-unknown', 5n)).toBeNull();
});

const goal = { desired: {}, observed: {}, revision: 1, tombstoned: false, syncStatus: 'synced' };
const content: Json = [{ type: 'text' }, { type: 'image', attachmentId: 'one' }, { type: 'image', attachmentId: 'two' }];
const state = buildState([
  buildSession({ goal, turns: [buildTurn(), buildTurn({ id: 'turn-b' })], messages: [buildMessage({ payload: { content } })] }),
  buildChild({ goal, messages: [buildMessage({ id: 'message-c', kind: 'tool_call', payload: { callId: 'call-c' } })], interactions: [buildInteraction()] }),
]);
const checkSeed = (ref: EntityRef, path: string | null) => {
  const registry = new EntityRegistry();
  seedRegistry(registry, state);
  const origin = registry.lookup(ref)?.origin;
  expect(origin?.source === 'initial-state' ? origin.initialStatePath : (origin?.source ?? null)).toBe(path);
};

test.each<[EntityRef, string | null]>([
  [{ kind: 'session', sessionId: 'session-a' }, 'recording-root'],
  [{ kind: 'session', sessionId: 'session-b' }, '/agent/sessions/1'],
  [{ kind: 'session', sessionId: 'session-c' }, null],
  [turn('turn-a'), '/agent/sessions/0/turns/0'],
  [turn('turn-b', ''), '/agent/sessions/0/turns/1'],
  [{ kind: 'message', sessionId: 'session-a', messageId: 'message-a' }, '/agent/sessions/0/messages/0'],
  [{ kind: 'attachment', sessionId: 'session-a', messageId: 'message-a', ordinal: 1 }, '/agent/sessions/0/messages/0/payload/content/1'],
  [{ kind: 'attachment', sessionId: 'session-a', messageId: 'message-a', ordinal: 2 }, '/agent/sessions/0/messages/0/payload/content/2'],
  [{ kind: 'attachment', sessionId: 'session-a', messageId: 'message-a', ordinal: 3 }, null],
  [{ kind: 'message', sessionId: 'session-b', messageId: 'message-c' }, '/agent/sessions/1/messages/0'],
  [{ kind: 'tool-call', sessionId: 'session-b', turnId: 'turn-a', callId: 'call-c' }, '/agent/sessions/1/messages/0'],
  [{ kind: 'interaction', sessionId: 'session-b', turnId: 'turn-a', interactionKind: 'approval', requestId: 'request-a' }, '/agent/sessions/1/interactions/0'],
  [{ kind: 'goal', sessionId: 'session-a' }, '/agent/sessions/0/goal'],
  [{ kind: 'goal', sessionId: 'session-b' }, '/agent/sessions/1/goal'],
])('seedRegistry() gives %j the address %s', checkSeed);

test('seedRegistry() changes nothing of what was bound before, and nothing when it is repeated', () => {
  const registry = new EntityRegistry();
  registry.bindRoot('session-a');
  registry.bind(turn('turn-a'), seenAt('turn', placeAt(3n)));
  seedRegistry(registry, state);
  const before = registry.lookup(turn('turn-b'));
  seedRegistry(registry, state);
  expect([registry.lookup(turn('turn-a')), registry.lookup(turn('turn-b'))]).toEqual([seenAt('turn', placeAt(3n)), before]);
});

test.each<[string]>([['null'], ['{}'], ['{"agent":{"sessions":[1,{"id":"x"},{"turns":[{}]},null]}}'], ['{"agent":{"sessions":[{"id":"x","turns":[1],"messages":[{"payload":[]}],"interactions":[{}]}]}}']])(
  'seedRegistry() passes over what is no state: %s',
  (text) => expect(() => seedRegistry(new EntityRegistry(), parseJson(text) as Json)).not.toThrow(),
);
