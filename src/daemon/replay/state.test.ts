import { expect, test } from 'vitest';
import type { Json } from '../../core/json/exact.ts';
import { desktopDocuments } from './fixtures/documents.ts';
import { compareFinalState, countNodes, recordedTurns } from './state.ts';

test.each<[Json, number]>([
  [null, 1],
  [{}, 1],
  [{ a: [1, 'two', { b: null }] }, 6],
])('countNodes() of %j', (value, count) => expect(countNodes(value)).toBe(count));

const stateWith = (turns: string[]): Json => ({ agent: { sessions: [{ id: 's', turns: turns.map((id) => ({ id })) }] } });

test.each<[string[], string[] | null, object]>([
  [['a', 'b'], null, { initial: [], recorded: ['a', 'b'] }],
  [['a', 'b'], ['a'], { initial: ['a'], recorded: ['b'] }],
])('recordedTurns() of %j after %j', (turns, before, found) => expect(recordedTurns(stateWith(turns), before && stateWith(before))).toEqual({ s: found }));

const { plan, expected, stateFormat } = desktopDocuments();

test.each<[string, Json | null, string, string | null]>([
  ['the same state', expected, stateFormat, null],
  ['no state', null, stateFormat, 'state_diff'],
  ['the same state of a foreign format', expected, 'made-up', null],
  ['another state of a foreign format', { a: 1 }, 'made-up', 'state_diff'],
])('compareFinalState() of %s', (_title, actual, format, code) => {
  expect(compareFinalState({ expected, actual, stateFormat: format, plan })?.code ?? null).toBe(code);
});

test('compareFinalState() cuts long values around the first difference', () => {
  const long = (end: string): Json => ({ text: `${'a'.repeat(5_000)}${end}` });
  const found = compareFinalState({ expected: long('x'), actual: long('y'), stateFormat: 'made-up', plan });
  expect([found?.path, found?.recorded?.includes('x'), found?.live?.includes('y'), (found?.recorded?.length ?? 0) < 700]).toEqual(['$.text', true, true, true]);
});
