import { expect, test } from 'vitest';
import { cutPair, cutText } from './cut.ts';

test('cutText() keeps a short text as it is', () => {
  expect(cutText('short')).toBe('short');
});

test('cutText() of two long texts differs where the texts do, whatever it shows', () => {
  const text = 'a'.repeat(5_000);
  expect(cutText(text)).not.toBe(cutText(`${text.slice(0, 4_000)}b${text.slice(4_001)}`));
  expect(cutText(text).length).toBeLessThan(600);
});

test('cutPair() shows a change far behind the beginning', () => {
  const text = 'x'.repeat(2_000);
  const { recorded, live } = cutPair(`${text}old${text}`, `${text}new${text}`);
  expect(recorded).toContain('xoldx');
  expect(live).toContain('xnewx');
});
