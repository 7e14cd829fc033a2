import { expect, test } from 'vitest';
import { defaultCassetteName, normalizeCassetteName } from './name.ts';

test.each<[string, string, string | null]>([
  ['a plain one', 'Two turns', 'Two turns'],
  ['space around it', '\u0085 Two turns\u3000', 'Two turns'],
  ['a byte order mark, which is no space', '\ufeffa', '\ufeffa'],
  ['nothing', '', null],
  ['space alone', ' \n\u2028', null],
  ['120 characters', 'x'.repeat(120), 'x'.repeat(120)],
  ['121 characters', 'x'.repeat(121), null],
  ['120 characters outside the first plane', '😀'.repeat(120), '😀'.repeat(120)],
  ['121 of them', '😀'.repeat(121), null],
  ['megabytes', 'x'.repeat(5_000_000), null],
])('normalizeCassetteName() with %s', (_title, name, expected) => expect(normalizeCassetteName(name)).toBe(expected));

test('defaultCassetteName() is the time of creation in UTC, to the millisecond', () => expect(defaultCassetteName(1_900_000_000_009)).toBe('2030-03-17T17:46:40.009Z'));
