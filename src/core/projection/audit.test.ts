import { expect, test } from 'vitest';
import { parseJson, type Json } from '../json/exact.ts';
import { auditMessage, holdsWord, isTelling, type MachineFacts } from './audit.ts';
import { contractPathFields, type ProjectionRules } from './rules.ts';

const rules: ProjectionRules = {
  pathFields: contractPathFields,
  freeTextFields: new Set(['text']),
  credentialMethods: ['account/login'],
  observerOnlyMethods: [],
  accountReadMethod: null,
  generatedRequestField: null,
  generatedIdentityFields: [],
  hostFacts: [],
};
const machine: MachineFacts = { roots: ['/srv/lab/work', '/tmp'], host: 'box-17', user: 'ada' };

const check = (message: string, found: string[]) => {
  const findings = auditMessage(parseJson(message) as Json, rules, machine);
  expect(findings.map((finding) => `${finding.code} ${finding.path}`)).toEqual(found);
};

test.each<[string, string[]]>([
  ['{"method":"account/login","params":{}}', ['credential_method $.method']],
  ['{"method":" Account/LOGIN "}', ['credential_method $.method']],
  ['{"a":{"email":"x@y.z"}}', ['recording_sensitive $.a.email']],
  ['{"email":"replay-user@example.invalid","b":{"email":""},"c":{"email":7}}', []],
  ['{"accessToken":"x"}', ['recording_sensitive $.accessToken']],
  ['{"refreshToken":false,"apiKey":null,"authorization":" "}', []],
  ['{"apiKey":{"a":1},"authorization":[]}', ['recording_sensitive $.apiKey', 'recording_sensitive $.authorization']],
  ['{"accountId":0,"chatgptAccountId":"","creatorAccountUserId":{}}', ['recording_sensitive $.accountId', 'recording_sensitive $.creatorAccountUserId']],
  ['{"params":{"path":"/etc/passwd"}}', ['recording_not_portable $.params.path']],
  ['{"paths":["a",["C:\\\\x","\\\\\\\\share"]]}', ['recording_not_portable $.paths[1][0]', 'recording_not_portable $.paths[1][1]']],
  ['{"cwd":"file:///etc","cwds":["${CWD}/a"]}', ['recording_not_portable $.cwd']],
  ['{"where":"see /srv/lab/work/x"}', ['recording_not_portable $.where']],
  ['{"/srv/lab/work/x":1}', ['recording_not_portable $["…"]']],
  ['{"text":"/srv/lab/work"}', ['recording_not_portable $.text']],
  ['{"where":"/tmp/x"}', []],
  ['{"name":"box-17"}', ['recording_not_portable $.name']],
  ['{"name":"by ada."}', ['recording_not_portable $.name']],
  ['{"name":"adamant","text":"by ada on box-17"}', []],
  ['[{"email":"x@y.z"}]', ['recording_sensitive $[0].email']],
])('auditMessage() of %s', check);

test('auditMessage() asks nothing about the machine where none is known', () => {
  expect(auditMessage({ name: 'box-17', where: '/srv/lab/work' }, rules, null)).toEqual([]);
});

test('a finding never holds the value', () => {
  const secret = 'sk-very-secret@example.org';
  const message = { method: 'm', params: { apiKey: secret, email: secret, path: `/${secret}`, accountId: secret, note: `/srv/lab/work/${secret}` } };
  const findings = auditMessage(message, rules, machine);
  expect(findings).toHaveLength(5);
  expect(JSON.stringify(findings)).not.toContain(secret);
  expect(findings.every((finding) => finding.method === 'm')).toBe(true);
});

test.each<[string, string, boolean]>([
  ['by ada.', 'ada', true],
  ['ada', 'ada', true],
  ['adamant ada-x', 'ada', true],
  ['adamant', 'ada', false],
  ['x_ada', 'ada', false],
])('holdsWord(%j, %j) is %s', (text, word, expected) => void expect(holdsWord(text, word)).toBe(expected));

test('isTelling() leaves out names that everybody has', () => {
  expect(['root', 'Node', 'ab', '', 'ada'].map(isTelling)).toEqual([false, false, false, false, true]);
});
