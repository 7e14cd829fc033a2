import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createRoots, fromToken, isSearchable, replaceRootsInText, replaceTokensInText, toToken } from './roots.ts';

const roots = createRoots({ cwds: ['/home/ada/work/app/', '/srv/link'], cwdToken: '${CWD}', homes: ['/home/ada/.codex', '/home/ada', '/home/ada/'], homeToken: '${HOME}' });

test('createRoots() orders project folder, provider home and personal home, each once and bare', () => {
  expect(roots.map((root) => `${root.token} ${root.path}`)).toEqual(['${CWD} /home/ada/work/app', '${CWD} /srv/link', '${HOME} /home/ada/.codex', '${HOME} /home/ada']);
});

test('createRoots() derives the personal home from the project folder', () => {
  const derive = (cwd: string) => createRoots({ cwds: [cwd], cwdToken: 'C', homes: [], homeToken: 'H' }).filter((root) => root.token === 'H');
  expect([derive('/Users/ada/x'), derive('/home/ada/x/y'), derive('/srv/home/ada'), derive('/home')]).toEqual([[{ path: '/Users/ada', token: 'H' }], [{ path: '/home/ada', token: 'H' }], [], []]);
});

const check = (value: string, token: string) => {
  expect(toToken(value, roots)).toBe(token);
};

test.each([
  ['/home/ada/work/app', '${CWD}'],
  ['/home/ada/work/app/src/a.ts', '${CWD}/src/a.ts'],
  ['/home/ada/work/application', '${HOME}/work/application'],
  ['/home/ada/work/app\\src', '${CWD}\\src'],
  ['file:///home/ada/work/app/a', 'file://${CWD}/a'],
  ['/home/ada/.codex/sessions', '${HOME}/sessions'],
  ['/home/adam', '/home/adam'],
  ['see /home/ada', 'see /home/ada'],
  ['', ''],
])('toToken() of %j is %j', check);

test('fromToken() gives the live folder for the first root of a token', () => {
  const live = createRoots({ cwds: ['/tmp/w x'], cwdToken: '${CWD}', homes: ['/tmp/h1', '/tmp/h2'], homeToken: '${HOME}' });
  expect(['${CWD}', '${CWD}/a', 'file://${CWD}/a', '${HOME}\\b', '${CWD}x', 'plain'].map((value) => fromToken(value, live))).toEqual(['/tmp/w x', '/tmp/w x/a', 'file:///tmp/w x/a', '/tmp/h1\\b', '${CWD}x', 'plain']);
});

test('a path below a root comes back through its token', () => {
  const root = [{ path: '/tmp/project', token: '${CWD}' }];
  fc.assert(
    fc.property(fc.array(fc.stringMatching(/^[^/\\]+$/)), fc.constantFrom('/', '\\'), (parts, separator) => {
      const path = ['/tmp/project', ...parts].join(separator);
      expect(toToken(path, root)).toMatch(/^\$\{CWD\}/);
      expect(fromToken(toToken(path, root), root)).toBe(path);
    }),
  );
});

test('replaceRootsInText() replaces the longest root first and leaves short ones alone', () => {
  const short = [{ path: '/tmp', token: 'T' }, { path: '/tmp/a', token: 'A' }, { path: '/tmp/a/b', token: 'B' }];
  expect(replaceRootsInText('x /tmp/a/b/c, /tmp/a and /tmp', short)).toBe('x B/c, A and /tmp');
});

test('replaceTokensInText() puts live folders back', () => {
  expect(replaceTokensInText('in ${CWD}/a and ${HOME}', [{ path: '/w', token: '${CWD}' }, { path: '/h', token: '${HOME}' }])).toBe('in /w/a and /h');
});

test.each<[string, boolean]>([
  ['/', false],
  ['/root', false],
  ['/tmp/', false],
  ['/tmp/a', true],
  ['C:\\x', true],
])('isSearchable(%j) is %s', (path, expected) => void expect(isSearchable(path)).toBe(expected));

test('createRoots() lets the project folder "/" hold what no other root holds', () => {
  const roots = createRoots({ cwds: ['/'], cwdToken: '${C}', homes: ['/srv/home'], homeToken: '${H}' });
  const rows = [['/', '${C}'], ['/a/b', '${C}/a/b'], ['/srv/home/x', '${H}/x']] as const;
  for (const [live, stored] of rows) {
    expect(toToken(live, roots)).toBe(stored);
    expect(fromToken(stored, roots)).toBe(live);
  }
});
