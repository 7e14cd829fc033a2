import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseJson, type Json } from '../json/exact.ts';
import { auditMessage, holdsWord, isClean, isTelling, type MachineFacts } from './audit.ts';
import { limits } from '../limits.ts';
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
  ['{" E-Mail ":"x@y.z"," EMAIL\u00a0":"x@y.z"}', ['recording_sensitive $[" EMAIL\u00a0"]']],
  ['{"EMA\u0130L":"x@y.z"}', ['recording_sensitive $["EMA\u0130L"]']],
  ['{"email":"\u00a0\u3000"}', []],
  ['{"email":{"name":"x@y.z"}}', []],
  ['{"apiKey":1.5,"accountId":1.5}', ['recording_sensitive $.accountId']],
  ['{"accountId":false}', ['recording_sensitive $.accountId']],
  ['{"path":" /etc"}', ['recording_not_portable $.path']],
  ['{"path":"\ufeff/etc"}', []],
  ['{"path":"file://file:///etc"}', []],
  ['{"path":"c:/x","saved":"/etc","workingDirectory":"\\\\x","state_directory":"FILE:///x"}', ['recording_not_portable $.path', 'recording_not_portable $.workingDirectory']],
  ['{"path":{"path":"/x","name":"/y"}}', ['recording_not_portable $.path.path']],
  ['{"path":"src/../../../etc"}', []],
  ['[{"method":"account/login"}]', []],
  ['{"params":{"method":"account/login"}}', []],
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

test('isClean() is true exactly where auditMessage() finds nothing', () => {
  const names = ['email', 'Email ', ' ACCESSTOKEN', 'apiKey', 'accountId', 'creatorAccountUserId', 'cwd', 'Paths', 'path', 'state_directory', 'method', '__proto__', 'constructor', 'note', 'EMA\u0130L', 'authorization\u00a0'];
  const texts = ['', ' ', '\u00a0', '/x', '\\x', 'C:\\x', 'c:/', 'file:///x', 'file://x', ' /x', 'x', 'replay-user@example.invalid', 'account/login', ' ACCOUNT/login'];
  const { value } = fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom<unknown>(null, 0, 1.5, false, true, ...texts),
      fc.array(tie('value'), { maxLength: 4 }),
      fc.array(fc.tuple(fc.constantFrom(...names), tie('value')), { maxLength: 5 }).map((members) => members.reduce((text, [name, item], i) => `${text}${i ? ',' : ''}${JSON.stringify(name)}:${JSON.stringify(item)}`, '{') + '}').map((text) => JSON.parse(text) as unknown),
    ),
  }));
  let foundCount = 0;
  fc.assert(
    fc.property(value, (message) => {
      for (const parsed of [message as Json, parseJson(JSON.stringify(message)) as Json]) {
        const found = auditMessage(parsed, rules, null).length;
        foundCount += found;
        expect(isClean(parsed, rules.credentialMethods)).toBe(found === 0);
      }
    }),
    { numRuns: 3_000 },
  );
  expect(foundCount).toBeGreaterThan(500);
});

test.each<[number, boolean]>([
  [limits.nestingMax, true],
  [limits.nestingMax + 1, false],
  [2_000_000, false],
])('isClean() of lists %i deep is %s', (depth, expected) => {
  const message = JSON.parse('['.repeat(depth) + ']'.repeat(depth)) as Json;
  expect([isClean(message, []), isClean({ path: message }, [])]).toEqual([expected, false]);
});
