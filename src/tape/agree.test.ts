import { afterEach, expect, test } from 'vitest';
import { compareTapes } from '../core/tape/agree.ts';
import { readConversations } from './conversations.ts';
import { connection, removeFolders, tapeOf, type Step } from './fixtures/tapes.ts';

afterEach(removeFolders);

const word = (text: string) => ({ method: 'word', params: { text } });
const session = (n: number, id: string, requestId: number, prompt: string, words: string[]): Step[] => [
  [n, 'outbound', { id: requestId, method: 'open', params: { cwd: `\${SESSION_CWD:wrap:${n}}` } }],
  [n, 'stdout', { id: requestId, result: { session: id } }],
  [n, 'outbound', { id: requestId + 1, method: 'ask', params: { session: id, text: prompt } }],
  [n, 'stdout', { method: 'began' }],
  ...words.map((text): Step => [n, 'stdout', word(text)]),
  [n, 'stdout', { id: requestId + 1, result: {} }],
  [n, 'stdout', { method: 'ended' }],
];
const good = session(1, 's-1', 1, 'go', ['Hel', 'lo']);
const talk = (steps: readonly Step[], connectionCount = 1) => readConversations(tapeOf({ steps, connections: Array.from({ length: connectionCount }, (_, i) => connection(i + 1)) }));
const without = (index: number, ...insert: Step[]) => [...good.slice(0, index), ...insert, ...good.slice(index + 1)];

const check = (other: readonly Step[], what: string[]) => expect([...new Set(compareTapes(talk(good), talk(other)).map((found) => found.what))]).toEqual(what);

test.each<[string, readonly Step[], string[]]>([
  ['itself', good, []],
  ['other ids', session(1, 'other', 7, 'go', ['Hel', 'lo']), []],
  ['other cuts of the text', session(1, 's-1', 1, 'go', ['H', 'ell', 'o']), []],
  ['no deltas at all', session(1, 's-1', 1, 'go', []), []],
  ['another order of unsolicited messages', [...good.slice(0, 6), good[7]!, good[6]!], []],
  ['stderr', [...good, [1, 'stderr', 'log\n']], []],
  ['another prompt', session(1, 's-1', 1, 'go ', ['Hel', 'lo']), ['outbound']],
  ['another text', session(1, 's-1', 1, 'go', ['Hel', 'p']), ['text']],
  ['a message more', [...good, [1, 'stdout', { method: 'note' }]], ['inbound']],
  ['an end less', without(7), ['inbound', 'observations']],
  ['an end before the start', without(3, [1, 'stdout', { method: 'ended' }]).map((step, i, all) => (i === all.length - 1 ? [1, 'stdout', { method: 'began' }] as Step : step)), ['causality']],
])('a tape compared with %s', (_title, other, what) => check(other, what));

test('connections are known by what was sent on them, not by their order', () => {
  const two = (a: string, b: string) => talk([...session(1, 's-1', 1, a, ['x']), ...session(2, 's-2', 1, b, ['x'])], 2);
  expect(compareTapes(two('one', 'two'), two('two', 'one'))).toEqual([]);
  expect(compareTapes(two('one', 'two'), two('one', 'three')).map((found) => found.what)).toEqual(['outbound']);
});

test('another count of connections is said alone', () => {
  expect(compareTapes(talk(good), [])).toMatchObject([{ what: 'connections', first: '1', second: '0' }]);
});
