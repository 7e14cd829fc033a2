import { expect, test } from 'vitest';
import type { Fault } from '../fault.ts';
import { isObject, writeJson, type Json } from '../json/exact.ts';
import type { Direction, MessageShape, ProviderAdapter } from '../provider/adapter.ts';
import type { AllowedResidue } from './allow.ts';
import { createMessageProjector } from './message-projector.ts';
import { contractPathFields } from './rules.ts';

// Only what a projector asks of an adapter.
const adapter = {
  rules: {
    pathFields: contractPathFields,
    freeTextFields: new Set(['text']),
    credentialMethods: ['login'],
    observerOnlyMethods: [],
    accountReadMethod: 'account/read',
    generatedRequestField: null,
    generatedIdentityFields: [],
    hostFacts: [],
  },
  shapeOf(message: Json): MessageShape {
    if (!isObject(message)) return { type: 'other' };
    const { id, method } = message;
    if (typeof method === 'string') return id === undefined ? { type: 'notification', method } : { type: 'request', id, method };
    return id === undefined ? { type: 'other' } : { type: 'response', id };
  },
} as unknown as ProviderAdapter;

const machine = { roots: ['/srv/lab'], host: 'box-17', user: 'grace' };
const roots = [{ path: '/srv/lab/app', token: '${CWD}' }];

function project(allow?: readonly AllowedResidue[]) {
  const seen: [Direction, string][] = [];
  const projector = createMessageProjector({ adapter, roots, machine, connectionId: 'connection-1', ...(allow ? { allow } : {}), onMessage: (direction, message) => void seen.push([direction, writeJson(message)]) });
  return { projector, seen };
}

const check = (sent: string, kept: string) => {
  const { projector } = project();
  const bytes = Buffer.from(sent);
  const result = projector.outbound(bytes);
  expect(result.toString()).toBe(kept);
  if (sent === kept) expect(result).toBe(bytes);
};

test.each([
  ['{"n": 1.0,  "b":2}\n', '{"n": 1.0,  "b":2}\n'],
  ['not JSON', 'not JSON'],
  ['{"cwd": "/srv/lab/app/a", "n":1.0}\n', '{"cwd":"${CWD}/a","n":1.0}\n'],
  ['{"a": 1}{"cwd":"/srv/lab/app"}', '{"a":1}\n{"cwd":"${CWD}"}\n'],
])('outbound() keeps %j as %j', check);

test('stdoutLine() replaces the e-mail of the answer to the account read only', () => {
  const { projector } = project();
  const answer = (id: number) => Buffer.from(`{"id":${id},"result":{"account":{"email":"g@h.org"}}}\n`);
  projector.outbound(Buffer.from('{"id":1,"method":"account/read"}\n{"id":2,"method":"other"}\n'));
  expect(projector.stdoutLine(answer(1)).toString()).toBe('{"id":1,"result":{"account":{"email":"replay-user@example.invalid"}}}\n');
  // The id is forgotten with its answer, and another request is not the account's.
  expect(() => projector.stdoutLine(answer(1))).toThrow('at $.result.account.email: an e-mail address remains');
  expect(() => projector.stdoutLine(answer(2))).toThrow('at $.result.account.email');
});

test('a request id as text is another id', () => {
  const { projector } = project();
  projector.outbound(Buffer.from('{"id":"1","method":"account/read"}\n'));
  expect(() => projector.stdoutLine(Buffer.from('{"id":1,"result":{"account":{"email":"g@h.org"}}}\n'))).toThrow('an e-mail address remains');
});

test('stdoutLine() keeps lines that are no JSON, blank or unchanged as they are', () => {
  const { projector, seen } = project();
  for (const text of ['\n', 'plain log\n', '{"a": 1.0}\n']) {
    const bytes = Buffer.from(text);
    expect(projector.stdoutLine(bytes)).toBe(bytes);
  }
  expect(seen).toEqual([['inbound', '{"a":1.0}']]);
});

test('stderrLine() replaces roots, host and user as text', () => {
  const { projector } = project();
  expect(projector.stderrLine(Buffer.from('grace@box-17: /srv/lab/app/a, graceful\n')).toString()).toBe('replay-user@replay-host: ${CWD}/a, graceful\n');
});

test('stderrLine() keeps bytes that are no text', () => {
  const { projector } = project();
  const bytes = Buffer.from([0xff, 0xfe, 0x0a]);
  expect(projector.stderrLine(bytes)).toBe(bytes);
});

test('a refused message names method, path and the command that adds a rule, never the value', () => {
  const { projector } = project();
  let fault: Fault | null = null;
  try {
    projector.stdoutLine(Buffer.from('{"method":"item/done","params":{"rows":[{"place":"/srv/lab/other/secret"}]}}\n'));
  } catch (error) {
    fault = error as Fault;
  }
  expect(fault).toMatchObject({
    code: 'recording_not_portable',
    message: 'Cannot record item/done at $.params.rows[0].place: a folder of the recording machine remains, a portable value was needed',
    facts: { method: 'item/done', path: '$.params.rows[0].place', connectionId: 'connection-1' },
  });
  expect(fault?.next[0]).toContain('"rule": "$.params.rows[].place", "method": "item/done"');
  expect(JSON.stringify([fault?.message, fault?.facts, fault?.next])).not.toContain('secret');
});

test('an allowed residue passes for its method and place alone', () => {
  const line = (method: string, key: string) => Buffer.from(`{"method":"${method}","params":{"rows":[{"${key}":"/srv/lab/other"}]}}\n`);
  const { projector } = project([{ method: 'item/done', rule: '$.params.rows[].place' }]);
  expect(projector.stdoutLine(line('item/done', 'place')).toString()).toContain('/srv/lab/other');
  expect(() => projector.stdoutLine(line('item/began', 'place'))).toThrow('item/began at $.params.rows[0].place');
  expect(() => projector.stdoutLine(line('item/done', 'room'))).toThrow('$.params.rows[0].room');
});

test('a credential cannot be allowed', () => {
  const { projector } = project([{ method: null, rule: '$.params.apiKey' }]);
  expect(() => projector.outbound(Buffer.from('{"method":"m","params":{"apiKey":"k"}}\n'))).toThrow('a credential remains');
});

test('a credential method is refused in either direction', () => {
  const { projector } = project();
  expect(() => projector.outbound(Buffer.from('{"id":1,"method":"login"}\n'))).toThrow('a credential method was called');
  expect(() => projector.stdoutLine(Buffer.from('{"id":1,"method":"login"}\n'))).toThrow('a credential method was called');
});

test('onMessage hears each message as it is kept', () => {
  const { projector, seen } = project();
  projector.outbound(Buffer.from('{"cwd":"/srv/lab/app"}\n'));
  projector.stdoutLine(Buffer.from('{"path":"/srv/lab/app/x"}\n'));
  expect(seen.map(([direction, text]) => `${direction} ${text}`)).toEqual(['outbound {"cwd":"${CWD}"}', 'inbound {"path":"${CWD}/x"}']);
});
