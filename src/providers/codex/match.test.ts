import { expect, test } from 'vitest';
import { parseJson, type Json } from '../../core/json/exact.ts';
import type { MatchState } from '../../core/provider/adapter.ts';
import { matchCodex } from './match.ts';

const roots = [
  { path: '/live/app', token: '${SESSION_CWD:wrap:1}' },
  { path: '/live/home', token: '${REPLAY_HOME}' },
];
const fresh = (): MatchState => ({ requestIds: new Map(), identities: new Map() });
const match = (recorded: Json, live: Json, state = fresh()) => matchCodex({ recorded, live, roots, state });

/** `null`: it matches; else the path of the first difference. */
const check = (recorded: string, live: string, path: string | null) => {
  const result = match(parseJson(recorded) as Json, parseJson(live) as Json);
  expect(result.matches ? null : result.difference.path).toBe(path);
};

const start = (id: string, text: string, extra = '') => `{"method":"turn/start","id":${id},"params":{"threadId":"t","input":[{"type":"text","text":"${text}"}]${extra}}}`;
const initialize = (info: string, more = '') => `{"method":"initialize","id":1,"params":{"clientInfo":${info}${more}}}`;

test.each<[string, string, string, string | null]>([
  ['another request id', start('18', 'go'), start('9', 'go'), null],
  ['a request id that is text', start('18', 'go'), start('"py-1"', 'go'), null],
  ['a request id that is absent', start('18', 'go'), '{"method":"turn/start","params":{"threadId":"t","input":[{"type":"text","text":"go"}]}}', '$.id'],
  ['an id where none was', '{"method":"initialized"}', '{"method":"initialized","id":3}', '$.id'],
  ['another order of members and white space', start('1', 'go'), '{ "params": {"input":[{"text":"go","type":"text"}],"threadId":"t"}, "id":1, "method":"turn/start"}', null],
  ['another prompt', start('1', 'go'), start('1', 'go '), '$.params.input[0].text'],
  ['an unknown member', start('1', 'go'), start('1', 'go', ',"effort":"low"'), '$.params.effort'],
  ['a member that is gone', start('1', 'go', ',"effort":"low"'), start('1', 'go'), '$.params.effort'],
  ['another method', start('1', 'go'), '{"method":"model/list","id":1,"params":{}}', '$.method'],
  ['a number written otherwise', '{"method":"m","params":{"n":1}}', '{"method":"m","params":{"n":1.0}}', '$.params.n'],
  ['another version and title of the client', initialize('{"name":"p","title":"A","version":"1"}'), initialize('{"name":"p","version":"2"}'), null],
  ['another name of the client', initialize('{"name":"p","version":"1"}'), initialize('{"name":"q","version":"1"}'), '$.params.clientInfo.name'],
  ['other capabilities', initialize('{"name":"p"}', ',"capabilities":{"a":true}'), initialize('{"name":"p"}', ',"capabilities":{"a":false}'), '$.params.capabilities.a'],
  ['a version elsewhere', '{"method":"m","params":{"clientInfo":{"version":"1"}}}', '{"method":"m","params":{"clientInfo":{"version":"2"}}}', '$.params.clientInfo.version'],
  ['the live project folder', '{"method":"thread/start","id":1,"params":{"cwd":"${SESSION_CWD:wrap:1}/sub"}}', '{"method":"thread/start","id":1,"params":{"cwd":"/live/app/sub"}}', null],
  ['another folder', '{"method":"thread/start","id":1,"params":{"cwd":"${SESSION_CWD:wrap:1}/sub"}}', '{"method":"thread/start","id":1,"params":{"cwd":"/live/apple/sub"}}', '$.params.cwd'],
  ['the live home', '{"method":"m","params":{"extraRoots":["${REPLAY_HOME}/skills"]}}', '{"method":"m","params":{"extraRoots":["/live/home/skills"]}}', null],
  ['a path in free text', '{"method":"m","params":{"text":"${SESSION_CWD:wrap:1}"}}', '{"method":"m","params":{"text":"/live/app"}}', '$.params.text'],
  ['the same answer', '{"id":0,"result":{"decision":"accept"}}', '{"result":{"decision":"accept"},"id":0}', null],
  ['an answer with another id', '{"id":0,"result":{}}', '{"id":1,"result":{}}', '$.id'],
  ['an answer whose id is text', '{"id":0,"result":{}}', '{"id":"0","result":{}}', '$.id'],
  ['another decision', '{"id":0,"result":{"decision":"accept"}}', '{"id":0,"result":{"decision":"decline"}}', '$.result.decision'],
  ['an answer for a request', '{"id":1,"method":"m"}', '{"id":1,"result":{}}', '$.method'],
  ['another plan decision', start('1', 'go', ',"clientUserMessageId":"plan-decision:<runtime-operation>"'), start('1', 'go', ',"clientUserMessageId":"plan-decision:op-77"'), null],
  ['a plan decision for an ordinary id', start('1', 'go', ',"clientUserMessageId":""'), start('1', 'go', ',"clientUserMessageId":"plan-decision:op-77"'), '$.params.clientUserMessageId'],
])('matchCodex() with %s', (_title, recorded, live, path) => check(recorded, live, path));

test('matchCodex() learns request ids by the recorded id as written', () => {
  const result = match({ id: 18, method: 'm' }, { id: 'py-9', method: 'm' });
  expect(result.matches && [...result.state.requestIds]).toEqual([['18', 'py-9']]);
});

const said = (id: string): Json => ({ method: 'turn/start', id: 1, params: { clientUserMessageId: id } });

test('matchCodex() learns a generated identity, reuses it, and refuses another one for it', () => {
  const first = match(said('rec-1'), said('live-1'));
  expect(first.matches && [...first.state.identities]).toEqual([['rec-1', 'live-1']]);
  const { state } = first as { state: MatchState };
  expect(match(said('rec-1'), said('live-1'), state).matches).toBe(true);
  const conflict = match(said('rec-1'), said('live-2'), state);
  expect(conflict.matches ? null : conflict.difference).toMatchObject({ path: '$.params.clientUserMessageId', recorded: 'rec-1', live: 'live-2' });
  expect(match(said('rec-2'), said('live-1'), state).matches).toBe(true);
});

test('matchCodex() compares an empty identity plainly', () => {
  expect([match(said(''), said('')).matches, match(said(''), said('x')).matches, match(said('x'), said('')).matches]).toEqual([true, false, false]);
});

test('matchCodex() teaches the given state nothing', () => {
  const state = fresh();
  match(said('rec-1'), said('live-1'), state);
  match({ id: 1, method: 'm' }, { id: 2, method: 'other' }, state);
  expect([state.requestIds.size, state.identities.size]).toEqual([0, 0]);
});
