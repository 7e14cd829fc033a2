import { expect, test } from 'vitest';
import { parseJson, writeJson, type Json } from '../json/exact.ts';
import { projectAccount, projectMessage, resolveMessage } from './project.ts';
import { contractPathFields, isNamed, type ProjectionRules } from './rules.ts';

const rules: ProjectionRules = {
  pathFields: contractPathFields,
  freeTextFields: new Set(['text']),
  credentialMethods: ['login'],
  observerOnlyMethods: [],
  accountReadMethod: 'account/read',
  generatedRequestField: { method: 'turn/start', parameter: 'mark', prefix: 'plan:', portable: 'plan:<one>' },
  generatedIdentityFields: [],
  hostFacts: [{ method: 'status', path: ['params', 'serverName'], value: 'replay-host' }],
};
const roots = [{ path: '/w/app', token: '${CWD}' }, { path: '/h/ada', token: '${HOME}' }];

const check = (message: string, projected: string) => {
  const value = parseJson(message) as Json;
  const result = projectMessage(value, rules, roots);
  expect(writeJson(result)).toBe(projected);
  // What did not change is the same object, so that its bytes can be kept.
  if (message === projected) expect(result).toBe(value);
};

test.each([
  ['{"cwd":"/w/app/a"}', '{"cwd":"${CWD}/a"}'],
  ['{"CWD":"/w/app"}', '{"CWD":"${CWD}"}'],
  ['{"paths":["/w/app/a","b",["/h/ada"]]}', '{"paths":["${CWD}/a","b",["${HOME}"]]}'],
  ['{"path":{"cwd":"/w/app"}}', '{"path":{"cwd":"${CWD}"}}'],
  ['{"a":[{"savedPath":"file:///h/ada/x"}]}', '{"a":[{"savedPath":"file://${HOME}/x"}]}'],
  ['{"text":"/w/app/a","n":1.0}', '{"text":"/w/app/a","n":1.0}'],
  ['{"files":{"/w/app/a":1,"b":2}}', '{"files":{"${CWD}/a":1,"b":2}}'],
  ['{"__proto__":{"cwd":"/w/app"}}', '{"__proto__":{"cwd":"${CWD}"}}'],
  ['{"method":"turn/start","params":{"mark":"plan:17"}}', '{"method":"turn/start","params":{"mark":"plan:<one>"}}'],
  ['{"method":"turn/start","params":{"mark":"17"}}', '{"method":"turn/start","params":{"mark":"17"}}'],
  ['{"method":"other","params":{"mark":"plan:17"}}', '{"method":"other","params":{"mark":"plan:17"}}'],
  ['{"method":"status","params":{"serverName":"ada-box"}}', '{"method":"status","params":{"serverName":"replay-host"}}'],
  ['{"method":"status","params":{"serverName":null}}', '{"method":"status","params":{"serverName":null}}'],
  ['"/w/app"', '"/w/app"'],
])('projectMessage() of %s', check);

test('projectMessage() is the same a second time', () => {
  const once = projectMessage({ cwd: '/w/app/a', paths: ['/h/ada'] }, rules, roots);
  expect(projectMessage(once, rules, roots)).toBe(once);
});

test('resolveMessage() puts other live folders where the tokens stand', () => {
  const live = [{ path: '/new/place', token: '${CWD}' }, { path: '/new/home', token: '${HOME}' }];
  const stored = projectMessage({ cwd: '/w/app/a', files: { '/w/app/b': 1 }, path: '/h/ada/.x', text: '${CWD}' }, rules, roots);
  expect(resolveMessage(stored, rules, live)).toEqual({ cwd: '/new/place/a', files: { '/new/place/b': 1 }, path: '/new/home/.x', text: '${CWD}' });
});

const checkAccount = (message: Json, email: Json | undefined) => {
  const account = (projectAccount(message) as { result?: { account?: { email?: Json } } }).result?.account;
  expect(account?.email).toEqual(email);
};

test.each<[string, Json, Json | undefined]>([
  ['a name', { result: { account: { email: 'ada@example.org', plan: 'x' } } }, 'replay-user@example.invalid'],
  ['a blank', { result: { account: { email: ' ' } } }, ' '],
  ['null', { result: { account: { email: null } } }, null],
  ['another place', { result: { email: 'ada@example.org' } }, undefined],
])('projectAccount() with %s', (_title, message, email) => checkAccount(message, email));

test('isNamed() looks trimmed and without regard to case', () => {
  expect([isNamed(['Login'], ' login '), isNamed(['login'], 'logins'), isNamed(['login'], 1)]).toEqual([true, false, false]);
});
