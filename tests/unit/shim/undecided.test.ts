import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Route } from '../../../src/core/shim/folder.ts';
import { createUndecided } from '../../../src/shim/undecided.ts';

const recorded = '{"userAgent":"agent/1.0.0"}';
const routes: Route[] = [{ socket: 'a', prefixes: ['/a'], initialize: null }, { socket: 'b', prefixes: ['/b'], initialize: recorded }];

function take(reads: readonly string[], of = routes, homes = ['/srv/"own" home', '/root']): { cwd: string | null; answers: string[]; answered: string[]; taken: string } {
  const answers: string[] = [];
  const undecided = createUndecided({ routes: of, homes, answer: (line) => void answers.push(line) });
  let cwd: string | null = null;
  for (const read of reads) cwd ??= undecided.push(Buffer.from(read, 'latin1'));
  return { cwd, answers, answered: undecided.answered, taken: undecided.taken().toString('latin1') };
}

const initialize = (id: unknown) => `${JSON.stringify({ id, method: 'initialize' })}\n`;
const start = (method: string, params: unknown) => `${JSON.stringify({ id: 9, method, params })}\n`;

const check = (sent: string, cwd: string | null) => expect(take([sent]).cwd).toBe(cwd);

test.each<[string, string, string | null]>([
  ['thread/start', start('thread/start', { cwd: '/a/x' }), '/a/x'],
  ['thread/resume', start('thread/resume', { cwd: '/a' }), '/a'],
  ['thread/fork', start('thread/fork', { cwd: '/a' }), '/a'],
  ['turn/start', start('turn/start', { cwd: '/a' }), '/a'],
  ['another request', start('skills/list', { cwd: '/a' }), null],
  ['a thread without a folder', start('thread/start', {}), null],
  ['a folder that is no text', start('thread/start', { cwd: 7 }), null],
  ['an unfinished message', start('thread/start', { cwd: '/a' }).trim(), null],
  ['no JSON', 'go\n', null],
])('%s decides as it should', (_title, sent, cwd) => check(sent, cwd));

test.each([[1], ['py-1'], [0]])('initialize with id %j is answered from the recording', (id) => {
  expect(take([initialize(id)])).toMatchObject({ answers: [`{"id":${JSON.stringify(id)},"result":${recorded}}\n`], answered: [JSON.stringify(id)] });
});

test('initialize is not answered where no tape knows the answer', () => {
  expect(take([initialize(1)], routes.slice(0, 1))).toMatchObject({ answers: [], answered: [] });
});

test.each<[string, string, string[] | undefined, string]>([
  ['becomes the home of the stand-in', '{"codexHome":"${REPLAY_HOME}","list":["file://${REPLAY_HOME}/a",1.50]}', undefined, '{"codexHome":"/srv/\\"own\\" home","list":["file:///srv/\\"own\\" home/a",1.50]}'],
  ['in the middle of a text stays', '{"text":"in ${REPLAY_HOME}","more":"${REPLAY_HOME}2"}', undefined, '{"text":"in ${REPLAY_HOME}","more":"${REPLAY_HOME}2"}'],
  ['stays where the launch has no home', '{"codexHome":"${REPLAY_HOME}"}', [], '{"codexHome":"${REPLAY_HOME}"}'],
])('a home token in the recorded answer %s', (_title, stored, homes, result) => {
  expect(take([initialize(1)], [{ socket: 'a', prefixes: ['/a'], initialize: stored }], homes).answers).toEqual([`{"id":1,"result":${result}}\n`]);
});

test('everything that was taken is handed on as it came, wherever the reads were cut', () => {
  const sent = initialize(1) + Buffer.from(start('thread/start', { cwd: '/a/ü' })).toString('latin1') + '{"rest"';
  fc.assert(
    fc.property(fc.array(fc.nat(sent.length)), (cuts) => {
      const at = [0, ...cuts.sort((a, b) => a - b), sent.length];
      const reads = at.slice(1).map((end, i) => sent.slice(at[i], end));
      const { cwd, answered } = take(reads);
      expect([cwd, answered]).toEqual(['/a/ü', ['1']]);
    }),
  );
  expect(take([sent]).taken).toBe(sent);
});
