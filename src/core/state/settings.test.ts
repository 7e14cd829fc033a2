import { expect, test } from 'vitest';
import type { Json } from '../json/exact.ts';
import { areSettingsKept, conflictingSettings, failingSettings } from './settings.ts';

const check = (recorded: Json | undefined, live: Json | undefined, failing: string[]) => {
  expect(failingSettings(recorded, live)).toEqual(failing);
  expect(areSettingsKept(recorded, live)).toBe(failing.length === 0);
};
const recorded = { model: 'large', reasoningEffort: 'low', planMode: false };

test.each<[string, Json | undefined, Json | undefined, string[]]>([
  ['what was recorded', recorded, recorded, []],
  ['defaults that only live has', recorded, { ...recorded, saver: false, speed: 'fast' }, []],
  ['a changed value', recorded, { ...recorded, reasoningEffort: 'high' }, ['reasoningEffort']],
  ['a recorded value that live lacks', recorded, { model: 'large' }, ['reasoningEffort']],
  ['no live settings', recorded, null, ['model', 'reasoningEffort']],
  ['no recorded settings', null, { model: 'small' }, []],
  ['no members in the recorded settings', {}, { model: 'small' }, []],
  ['recorded settings that are no object', 'large', { model: 'small' }, []],
  ['an empty value that live lacks', { a: null, b: ' ', c: false }, {}, []],
  ['empty values of other types', { a: null, b: ' ', c: false }, { a: false, b: null, c: '' }, []],
  ['an empty value that live has', { a: null, b: '', c: false }, { a: 'x', b: 0, c: true }, ['a', 'b', 'c']],
  ['a recorded value that is empty live', { a: true }, { a: '' }, ['a']],
  ['zero, which is a value', { a: 0 }, {}, ['a']],
  ['an empty list, which is a value', { a: [] }, {}, ['a']],
  ['padding', { a: ' x' }, { a: 'x\u0085' }, []],
  ['equal values in depth', { a: { b: [1] } }, { a: { b: [1] } }, []],
  ['other values in depth', { a: { b: [1] } }, { a: { b: [1, 2] } }, ['a']],
  ['several failures in byte order', { b: 1, '\ud83d\ude00': 1, '\uff5e': 1, a: 1 }, {}, ['a', 'b', '\uff5e', '\ud83d\ude00']],
])('failingSettings() with %s', (_title, left, right, failing) => check(left, right, failing));

test('conflictingSettings() asks both sides alike', () => {
  expect(conflictingSettings({ a: 1 }, { b: 1, c: false })).toEqual(['a', 'b']);
  expect(conflictingSettings({ b: 1, c: false }, { a: 1 })).toEqual(['a', 'b']);
});
