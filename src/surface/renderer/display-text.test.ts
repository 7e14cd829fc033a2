import { expect, test } from 'vitest';
import { displayExact, displayLine, displayText } from './display-text.ts';
import { shownCharactersMax } from './limits.ts';

const rows: [what: string, text: string, shown: string][] = [
  ['plain text with tabs and line ends as it is', 'one\n\ttwo', 'one\n\ttwo'],
  ['colours and cursor moves not at all', '\x1b[1;31mred\x1b[0m\x1b[2J\x1b[10;4H!', 'red!'],
  ['a window title not at all (BEL)', 'a\x1b]0;owned\x07b', 'ab'],
  ['a link by its text alone (ST)', '\x1b]8;;https://evil.invalid/\x1b\\here\x1b]8;;\x1b\\', 'here'],
  ['eight-bit control sequences not at all', 'a\x9b31mb\x9d0;owned\x9cc', 'abc'],
  ['a device control string not at all', 'a\x1bPq#0;2\x1b\\b', 'ab'],
  ['a string that has no end only up to its line', 'a\x1b]0;owned\nb', 'a\nb'],
  ['a sequence that the stream has cut off not at all', 'a\x1b[3', 'a'],
  ['a lone escape at the end not at all', 'a\x1b', 'a'],
  ['short escapes not at all', 'a\x1bcb\x1b(Bc', 'abc'],
  ['bells, backspaces and nulls not at all', 'a\x07\bb\0c', 'abc'],
  ['every kind of line end as one', 'a\r\nb\rc\u2028d', 'a\nb\nc\nd'],
  ['an override of the direction by its name', 'abc\u202etxt.exe', 'abc[U+202E]txt.exe'],
  ['isolates and marks by their names', '\u2066a\u2069\u200f', '[U+2066]a[U+2069][U+200F]'],
  ['invisible tag characters by their names', 'a\u{e0041}', 'a[U+E0041]'],
  ['emoji that are joined as one', '👩‍💻', '👩‍💻'],
  ['markup as text', '<img src=x onerror=alert(1)>', '<img src=x onerror=alert(1)>'],
];

test.each(rows)('displayText() shows %s', (_what, text, shown) => {
  expect(displayText(text)).toBe(shown);
});

test('displayText() leaves out the middle of a text that is too long', () => {
  const shown = displayText(`${'a'.repeat(shownCharactersMax)}${'b'.repeat(10)}`);
  expect(shown).toContain('\n[10 characters are not shown]\n');
  expect(shown.endsWith('b'.repeat(10))).toBe(true);
});

const exactRows: [what: string, text: string, shown: string][] = [
  ['an escape by its name', 'rm -rf x\x1b[2K', 'rm -rf x[U+001B][2K'],
  ['a lone carriage return by its name', 'rm x\recho', 'rm x[U+000D]echo'],
  ['line ends as they are', 'a\nb\r\nc\td', 'a\nb\nc\td'],
  ['hidden characters by their names', 'a\u200b\u202e\x9b', 'a[U+200B][U+202E][U+009B]'],
  ['a command of any length whole', 'x'.repeat(shownCharactersMax + 1), 'x'.repeat(shownCharactersMax + 1)],
];

test.each(exactRows)('displayExact() shows %s', (_what, text, shown) => {
  expect(displayExact(text)).toBe(shown);
});

test('displayLine() shows one line', () => {
  expect(displayLine(' a\n\x1b[31m b\t')).toBe('a b');
});
