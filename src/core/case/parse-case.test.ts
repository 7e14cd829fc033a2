import { expect, test } from 'vitest';
import { cassetteName } from './case.ts';
import { parseCase } from './parse-case.ts';

const sha = 'a'.repeat(64);
const good = { schemaVersion: 1, title: 'Hello', product: 'chat', drive: 'spec', cassettes: [{ dir: 'cassettes/node', manifestSha256: sha }] };
const parse = (value: unknown) => parseCase({ text: JSON.stringify(value), name: 'hello', folder: '/cases/hello' });

const check = (change: object, found: string[]) => {
  const { case: parsed, issues } = parse({ ...good, ...change });
  expect(issues.map((issue) => `${issue.code} ${issue.path}`)).toEqual(found);
  expect(parsed === null).toBe(found.length > 0);
};
const today = { reason: 'r', until: '2030-01-31' };

test('parseCase() fills what is absent', () => {
  expect(parse(good).case).toEqual({
    name: 'hello', folder: '/cases/hello', title: 'Hello', product: 'chat', drive: 'spec', scenario: null, model: null, project: null,
    cassettes: [{ dir: 'cassettes/node', manifestSha256: sha }], checkpoints: {}, screenshots: null, tags: [], timeoutMs: null, maxAgeDays: null, allow: [], quarantine: null,
  });
});

test('parseCase() reads everything that may stand there', () => {
  const all = { $schema: 'x', drive: 'scenario', scenario: 's.ts', model: 'm.json', project: 'start', checkpoints: { asked: { kind: 'interaction.pending', nth: 2 } }, screenshots: 'off', tags: ['a'], timeoutMs: 1, maxAgeDays: 30, allow: [{ layer: 'cassette', rule: '$.a', method: 'm', ...today }], quarantine: today };
  expect(parse({ ...good, ...all }).case).toMatchObject({ drive: 'scenario', scenario: 's.ts', checkpoints: { asked: { kind: 'interaction.pending', nth: 2 } }, screenshots: 'off', allow: [{ layer: 'cassette', rule: '$.a', method: 'm' }], quarantine: today });
});

test.each<[string, object, string[]]>([
  ['a null option', { timeoutMs: null }, []],
  ['another schema', { schemaVersion: 2 }, ['case_invalid $.schemaVersion']],
  ['a misspelt option', { timeOutMs: 5 }, ['case_member_unknown $.timeOutMs']],
  ['no title', { title: ' ' }, ['case_invalid $.title']],
  ['no product', { product: undefined }, ['case_invalid $.product']],
  ['no drive', { drive: undefined }, ['case_invalid $.drive']],
  ['another drive', { drive: 'hand' }, ['case_invalid $.drive']],
  ['a scenario drive without a module', { drive: 'scenario' }, ['case_invalid $.scenario']],
  ['an absolute path', { project: '/etc' }, ['case_invalid $.project']],
  ['a path of another system', { model: 'C:\\x' }, ['case_invalid $.model']],
  ['a path that leaves the folder', { model: 'a/../../x' }, ['case_invalid $.model']],
  ['no cassettes', { cassettes: undefined }, ['case_invalid $.cassettes']],
  ['a cassette that is none', { cassettes: [7] }, ['case_invalid $.cassettes[0]', 'case_invalid $.cassettes[0].manifestSha256', 'case_invalid $.cassettes[0].dir']],
  ['a hash in upper case', { cassettes: [{ dir: 'a', manifestSha256: 'A'.repeat(64) }] }, ['case_invalid $.cassettes[0].manifestSha256']],
  ['a cassette folder outside', { cassettes: [{ dir: '../a', manifestSha256: sha }] }, ['case_invalid $.cassettes[0].dir']],
  ['a cassette twice', { cassettes: [good.cassettes[0], good.cassettes[0]] }, ['case_invalid $.cassettes']],
  ['an unknown member of a cassette', { cassettes: [{ ...good.cassettes[0], sha: 1 }] }, ['case_member_unknown $.cassettes[0].sha']],
  ['checkpoints that are no object', { checkpoints: [] }, ['case_invalid $.checkpoints']],
  ['an unknown kind', { checkpoints: { a: { kind: 'turn.began' } } }, ['case_invalid $.checkpoints.a.kind']],
  ['a count from zero', { checkpoints: { a: { kind: 'turn.working', nth: 0 } } }, ['case_invalid $.checkpoints.a.nth']],
  ['unknown pictures', { screenshots: 'always' }, ['case_invalid $.screenshots']],
  ['a time below one', { timeoutMs: 0.5 }, ['case_invalid $.timeoutMs']],
  ['an allowance without a reason', { allow: [{ layer: 'cassette', rule: '$.r', until: '2030-01-31' }] }, ['case_invalid $.allow[0].reason']],
  ['an allowance on no layer', { allow: [{ layer: 'model', rule: 'r', ...today }] }, ['case_invalid $.allow[0].layer']],
  ['a day that does not exist', { quarantine: { reason: 'r', until: '2030-02-31' } }, ['case_invalid $.quarantine.until']],
  ['a date with a time', { quarantine: { reason: 'r', until: '2030-01-31T00:00' } }, ['case_invalid $.quarantine.until']],
])('parseCase() with %s', (_title, change, found) => check(change, found));

test.each(['', '{', '7', '[]'])('parseCase() refuses %j', (text) => {
  const { case: parsed, issues } = parseCase({ text, name: 'x', folder: '/x' });
  expect([parsed, issues[0]?.path]).toEqual([null, '$']);
});

test('cassetteName() is the last part of its folder', () => {
  expect([cassetteName({ dir: 'cassettes/node/', manifestSha256: '' }), cassetteName({ dir: 'node', manifestSha256: '' })]).toEqual(['node', 'node']);
});

test.each([
  ['{"layer":"protocol","rule":"observer_only","method":"thread/list","reason":"r","until":"2030-01-01"}', 0],
  ['{"layer":"cassette","rule":"$.params.summary","reason":"r","until":"2030-01-01"}', 0],
  ['{"layer":"protocol","rule":"observer_only","reason":"r","until":"2030-01-01"}', 1],
  ['{"layer":"protocol","rule":"anything","method":"m","reason":"r","until":"2030-01-01"}', 1],
  ['{"layer":"state","rule":"$.x","reason":"r","until":"2030-01-01"}', 1],
])('parseCase() takes only allowances that somebody reads: %s', (entry, issueCount) => {
  const text = `{"schemaVersion":1,"title":"t","product":"p","drive":"spec","cassettes":[],"allow":[${entry}]}`;
  expect(parseCase({ text, name: 'n', folder: '/n' }).issues).toHaveLength(issueCount);
});
