import { expect, test } from 'vitest';
import { readDocuments, readEvents } from './documents.ts';
import { at, desktopEvents, desktopDocuments } from './fixtures/documents.ts';

const text = (...events: unknown[]) => events.map((event) => `${JSON.stringify(event)}\n`).join('');

test('readEvents() gives events with the places that hold lanes', () => {
  const events = readEvents(text(...desktopEvents));
  expect(events.map(({ sequence, kind, accepted, started }) => [sequence, kind, accepted, started])).toEqual([
    [1, 'intent', [], null],
    [2, 'effect', null, []],
    [3, 'intent', [at(5)], null],
    [4, 'effect', null, [at(5)]],
    [5, 'intent', [at(7)], null],
    [6, 'effect', null, [at(8)]],
  ]);
});

test('readEvents() knows events without lanes', () => {
  const { lanes: _lanes, ...event } = desktopEvents[0] as { [name: string]: unknown };
  expect(readEvents(text(event))).toMatchObject([{ accepted: null, started: null, json: event }]);
});

test.each([
  ['a line that is no JSON', '{\n'],
  ['an unknown kind', text({ kind: 'other' })],
])('readEvents() refuses %s', (_title, lines) => expect(() => readEvents(lines)).toThrow(expect.objectContaining({ code: 'cassette_not_valid', at: 'activity-events.jsonl:1' })));

test('readDocuments() reads a plan, and no initial state of a created session', () => {
  const documents = desktopDocuments();
  expect([documents.cassetteId, documents.plan.checkpoints.length, documents.initial]).toEqual(['one', 4, null]);
});

test('readDocuments() refuses a cassette without its documents', () => {
  expect(() => readDocuments(() => null)).toThrow('cassette.json cannot be used, it is not there');
});
