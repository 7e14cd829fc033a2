import { expect, test } from 'vitest';
import type { JsonObject } from '../json/exact.ts';
import { CommandBindings, commandBinding, materializePayload } from './command-id.ts';
import { correlationCandidates, primaryCorrelation } from './correlation-keys.ts';

const checkCorrelation = (type: string, intent: JsonObject, primary: string | null, candidates: string[]) => {
  expect([primaryCorrelation(type, intent), correlationCandidates(type, intent)]).toEqual([primary, candidates]);
};

test.each<[string, string, JsonObject, string | null, string[]]>([
  ['takes the first declared key, whatever the order of the members', 'activation/requested', { requestId: 'r', clientSubmitId: 's' }, 's', ['s', 'r']],
  ['passes over a blank key', 'activation/requested', { requestId: 'r', clientSubmitId: ' ' }, 'r', ['r']],
  ['finds no primary one in a queued prompt, but two candidates', 'queue/enqueued', { prompt: { id: 'p', clientSubmitId: 's' } }, null, ['s', 'p']],
  ['adds the cancel of a send-now', 'queue/sendNowRequested', { promptId: 'p', cancelCommandId: 'x' }, 'p', ['p', 'x']],
  ['derives the cancel of a submit that goes out now', 'submit/requested', { clientSubmitId: 's', routing: 'send_now' }, 's', ['s', 'submit:cancel:s']],
  ['derives no cancel for another routing', 'submit/requested', { clientSubmitId: 's', routing: 'immediate' }, 's', ['s']],
  ['reads own members only', 'queue/removed', { promptId: 3 }, null, []],
  ['finds nothing for an undeclared intent', 'queue/other', { promptId: 'p' }, null, []],
])('correlation %s', (_title, type, intent, primary, candidates) => checkCorrelation(type, intent, primary, candidates));

const checkBinding = (type: string, payload: JsonObject, bound: [string | null, string] | null, correlationId: string | null = 'c') => {
  const binding = commandBinding('cassette', { type, eventId: 'e', correlationId, payload });
  expect(binding && [binding.correlationId, binding.commandId]).toEqual(bound);
};

test.each<[string, string, JsonObject, [string | null, string] | null]>([
  ['makes the id of a stop, scoped to its cassette', 'session/stopRequested', {}, ['c', 'replay:cassette:e']],
  ['takes the cancel of a send-now', 'queue/sendNowRequested', { cancelCommandId: 'x' }, ['c', 'x']],
  ['derives the cancel of a submit that goes out now', 'submit/requested', { routing: 'send_now', clientSubmitId: 's' }, ['c', 'submit:cancel:s']],
  ['leaves other submits free', 'submit/requested', { clientSubmitId: 's' }, null],
  ['leaves an activation free', 'activation/requested', { clientSubmitId: 's' }, null],
])('commandBinding() %s', (_title, type, payload, bound) => checkBinding(type, payload, bound));

test('commandBinding() takes a blank correlation for none', () => checkBinding('session/stopRequested', {}, [null, 'replay:cassette:e'], ' '));

test('materializePayload() puts the command id over a recorded one, and only where the replay makes it', () => {
  const intent = { eventId: 'e', correlationId: 'c', payload: { commandId: 'old', a: 1 } };
  expect(materializePayload('k', { ...intent, type: 'goal/controlRequested' })).toEqual({ commandId: 'replay:k:e', a: 1 });
  expect(materializePayload('k', { ...intent, type: 'submit/canceled' })).toBe(intent.payload);
});

test('CommandBindings refuse a missing correlation and another command for one correlation', () => {
  const bindings = new CommandBindings();
  expect(bindings.bind({ correlationId: null, commandId: 'x' })).toBe('command_correlation_missing');
  expect([bindings.bind({ correlationId: 'c', commandId: 'x' }), bindings.bind({ correlationId: 'c', commandId: 'x' })]).toEqual([null, null]);
  expect(bindings.bind({ correlationId: 'c', commandId: 'y' })).toBe('command_correlation_repeated');
  expect([bindings.commandOf('c'), bindings.commandOf('other'), bindings.commandOf(null)]).toEqual(['x', null, null]);
});
