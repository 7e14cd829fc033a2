import { expect, test } from 'vitest';
import { chooseRoute, isBelow, type Route } from './folder.ts';

const route = (socket: string, ...prefixes: string[]): Route => ({ socket, prefixes, initialize: null });
const routes = [route('a', '/w/a'), route('ab', '/w/a/b/', '/real/b'), route('root', '/')];

test.each([
  ['/w/a', 'a'],
  ['/w/a/x', 'a'],
  ['/w/a/b', 'ab'],
  ['/w/a/b/c', 'ab'],
  ['/w/ab', 'root'],
  ['/real/b/c', 'ab'],
])('chooseRoute() gives %s to the longest prefix', (cwd, socket) => void expect(chooseRoute(routes, cwd)?.socket).toBe(socket));

test('chooseRoute() gives nothing where no prefix holds', () => {
  expect(chooseRoute(routes.slice(0, 2), '/elsewhere')).toBe(null);
});

test('isBelow() compares whole segments', () => {
  expect([isBelow('/a/b', '/a'), isBelow('/ab', '/a'), isBelow('/a', '/a/'), isBelow('/a', '/'), isBelow('a', '/')]).toEqual([true, false, true, true, false]);
});
