import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const rows = readFileSync('docs/contract-tests.md', 'utf8').split('\n').filter((line) => /^\| (Test|\d)/.test(line)).map((line) => line.split('|').map((cell) => cell.trim()));

test('docs/contract-tests.md names tests that are there, or says why there is none', () => {
  const wrong = rows.flatMap(([, reference = '', , ours = '', file = '']) => {
    if (ours.startsWith('left out: ')) return [];
    const path = file.replaceAll('`', '');
    if (path === '' || !existsSync(path)) return [`${reference}: there is no file "${path}"`];
    const text = readFileSync(path, 'utf8');
    return titlesIn(ours).filter((title) => !holds(text, title)).map((title) => `${reference}: ${path} has no "${title}"`);
  });
  expect(wrong).toEqual([]);
});

test('docs/contract-tests.md has a row for each test of the reference, once', () => {
  const names = rows.map(([, reference = '']) => reference).filter((name) => name.startsWith('Test'));
  expect([names.length, new Set(names).size]).toEqual([referenceTestCount, referenceTestCount]);
  expect(rows.every(([, , says = '', ours = '']) => says !== '' && ours !== '')).toBe(true);
});

function titlesIn(cell: string): string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, title = '']) => title);
}

// As a whole, in whichever quotes.
function holds(text: string, title: string): boolean {
  return ["'", '"', '`'].some((quote) => text.includes(`${quote}${title}${quote}`));
}

const referenceTestCount = 137;
