import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { expect, test } from 'vitest';
import { generatedFiles } from '../../scripts/schemas/documents.ts';
import { readerOf, type ReaderSchema } from '../../scripts/schemas/reader.ts';
import { stateDocument } from '../../scripts/schemas/state.ts';
import { parseCase } from '../../src/core/case/parse-case.ts';
import { rootAddress } from '../../src/core/checkpoint/address.ts';
import { planJson } from '../../src/core/checkpoint/plan.ts';
import { createIssue } from '../../src/core/issue.ts';
import { stateMembers, type Member, type Members } from '../../src/core/state/shape.ts';
import { createDivergence } from '../../src/core/verdict/divergence.ts';
import { judgeLayers, type Verdict } from '../../src/core/verdict/verdict.ts';

const names = readdirSync('schemas');
const ajv = new Ajv({ strict: true, strictTypes: false, strictRequired: false, allErrors: true, formats: { date: true } });
const schemas = new Map(names.map((name) => [name, JSON.parse(readFileSync(join('schemas', name), 'utf8')) as { $id: string; title: string }]));
for (const schema of schemas.values()) ajv.addSchema(schema);

const isValid = (name: string, value: unknown) => ajv.validate(`${name}.schema.json`, value);
const accept = (name: string, value: unknown) => expect([isValid(name, value), ajv.errorsText()]).toEqual([true, 'No errors']);
const sha = 'a'.repeat(64);

test('what scripts/schemas.mjs writes is committed', () => {
  const files = generatedFiles();
  for (const [path, content] of Object.entries(files)) expect(readFileSync(path, 'utf8') === content, `${path} is not what node scripts/schemas.mjs writes`).toBe(true);
  expect(names.map((name) => `schemas/${name}`).filter((path) => !(path in files))).toEqual([]);
});

test('every schema is named by its file alone, and is published', () => {
  expect([...schemas].filter(([name, { $id, title }]) => $id !== name || !title)).toEqual([]);
  const { files, exports } = JSON.parse(readFileSync('package.json', 'utf8')) as { files: string[]; exports: { [path: string]: unknown } };
  expect([files.includes('schemas'), exports['./schemas/*']]).toEqual([true, './schemas/*']);
});

// A schema that comes with a cassette cannot be compiled where there is no compiler.
// The desktop's daemon is a program of its own, bundled with the HTTP library that compiles its schemas.
test('no published code but the desktop holds or loads a schema compiler', () => {
  const sources = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((path) => /\.(?:ts|js)$/.test(path) && !path.endsWith('.test.ts') && !path.startsWith('daemon/'));
  const loading = sources.filter((path) => /from '(?:ajv|@sinclair\/typebox)|(?:import|require)\(['"](?:ajv|@sinclair)/.test(readFileSync(join('src', path), 'utf8')));
  expect(loading).toEqual([]);
  const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as { dependencies: object };
  expect(Object.keys(dependencies).filter((name) => /ajv|typebox/.test(name))).toEqual([]);
  expect(readFileSync('src/core/schema/validators.js', 'utf8')).not.toMatch(/\b(?:import|require|eval|Function)\b/);
});

// case.json: the schema and the reader agree.

const good = { schemaVersion: 1, title: 'Hello', product: 'chat', drive: 'spec', cassettes: [{ dir: 'cassettes/main', manifestSha256: sha }] };
const loan = { reason: 'r', until: '2030-01-31' };
const observerOnly = { layer: 'protocol', rule: 'observer_only', method: 'm', ...loan };
const withCassette = (change: object) => ({ cassettes: [{ ...good.cassettes[0], ...change }] });

test.each<[string, boolean, object]>([
  ['only what has to stand there', true, {}],
  ['everything that may stand there', true, { $schema: '../../node_modules/playhead/schemas/case.schema.json', drive: 'scenario', scenario: 's.ts', model: 'm.json', project: 'start', checkpoints: { asked: { kind: 'interaction.pending', nth: 2 } }, screenshots: 'off', tags: ['a'], timeoutMs: 1, maxAgeDays: 30, allow: [observerOnly, { layer: 'cassette', rule: '$.a', method: 'm', ...loan }], quarantine: loan }],
  ['null for everything that may be absent', true, { $schema: null, scenario: null, model: null, project: null, checkpoints: null, screenshots: null, tags: null, timeoutMs: null, maxAgeDays: null, allow: null, quarantine: null }],
  ['null inside what may be absent', true, { checkpoints: { a: { kind: 'turn.terminal', nth: null } }, allow: [{ layer: 'cassette', rule: '$', method: null, ...loan }] }],
  ['no cassette yet', true, { cassettes: [] }],
  ['a path with dots in its names', true, { project: '..a/b..c/...' }],
  ['a leap day', true, { quarantine: { ...loan, until: '2032-02-29' } }],
  ['a leap day of a century', true, { quarantine: { ...loan, until: '2000-02-29' } }],
  ['the longest time', true, { timeoutMs: Number.MAX_SAFE_INTEGER }],
  ['another schema version', false, { schemaVersion: 2 }],
  ['a schema version in quotes', false, { schemaVersion: '1' }],
  ['a misspelt option', false, { timeOutMs: 5 }],
  ['a blank title', false, { title: ' \t' }],
  ['null for a title', false, { title: null }],
  ['no product', false, { product: undefined }],
  ['no drive', false, { drive: undefined }],
  ['another drive', false, { drive: 'hand' }],
  ['a scenario drive without a module', false, { drive: 'scenario' }],
  ['a scenario drive with null for a module', false, { drive: 'scenario', scenario: null }],
  ['an absolute path', false, { project: '/etc' }],
  ['a path from a backslash on', false, { project: '\\etc' }],
  ['a path of another system', false, { model: 'C:x' }],
  ['a path that leaves the folder', false, { model: 'a/../../x' }],
  ['a path that ends above', false, { scenario: 'a\\..' }],
  ['a path with a line break that leaves the folder', false, { model: 'a\n/../x' }],
  ['no list of cassettes', false, { cassettes: undefined }],
  ['a cassette that is none', false, { cassettes: [7] }],
  ['a cassette without a folder', false, withCassette({ dir: undefined })],
  ['a cassette without a hash', false, withCassette({ manifestSha256: undefined })],
  ['a hash in upper case', false, withCassette({ manifestSha256: 'A'.repeat(64) })],
  ['a cassette folder outside', false, withCassette({ dir: '../a' })],
  ['an unknown member of a cassette', false, withCassette({ sha: 1 })],
  ['checkpoints that are a list', false, { checkpoints: [] }],
  ['a checkpoint that is null', false, { checkpoints: { a: null } }],
  ['an unknown kind of checkpoint', false, { checkpoints: { a: { kind: 'turn.began' } } }],
  ['a count from zero', false, { checkpoints: { a: { kind: 'turn.working', nth: 0 } } }],
  ['unknown pictures', false, { screenshots: 'always' }],
  ['a blank tag', false, { tags: ['a', ' '] }],
  ['a time with a fraction', false, { timeoutMs: 0.5 }],
  ['a time beyond 2^53', false, { timeoutMs: 2 ** 53 }],
  ['an allowance without a reason', false, { allow: [{ ...observerOnly, reason: undefined }] }],
  ['an allowance on no layer', false, { allow: [{ ...observerOnly, layer: 'state' }] }],
  ['a protocol allowance without a method', false, { allow: [{ ...observerOnly, method: undefined }] }],
  ['a protocol allowance with null for a method', false, { allow: [{ ...observerOnly, method: null }] }],
  ['a protocol allowance of an unknown rule', false, { allow: [{ ...observerOnly, rule: 'anything' }] }],
  ['a cassette allowance without a path', false, { allow: [{ ...observerOnly, layer: 'cassette', rule: 'a' }] }],
  ['an unknown member of an allowance', false, { allow: [{ ...observerOnly, why: 'r' }] }],
  ['a day that does not exist', false, { quarantine: { ...loan, until: '2030-02-31' } }],
  ['a leap day in another year', false, { quarantine: { ...loan, until: '1900-02-29' } }],
  ['a date with a time', false, { quarantine: { ...loan, until: '2030-01-31T00:00' } }],
])('case.schema.json and parseCase() agree on %s', (_title, expected, change) => {
  const text = JSON.stringify({ ...good, ...change });
  expect([isValid('case', JSON.parse(text)), parseCase({ text, name: 'hello', folder: '/hello' }).case !== null]).toEqual([expected, expected]);
});

// What JSON Schema cannot say: one folder twice. What the reader does not ask: of which type `$schema` is.
test('case.schema.json and parseCase() differ in two places', () => {
  const judge = (change: object) => {
    const text = JSON.stringify({ ...good, ...change });
    return [isValid('case', JSON.parse(text)), parseCase({ text, name: 'hello', folder: '/hello' }).case !== null];
  };
  expect([judge({ cassettes: [good.cassettes[0], good.cassettes[0]] }), judge({ $schema: 7 })]).toEqual([[true, false], [false, true]]);
});

// What is committed and what the code writes.

test.each(readdirSync('cases').filter((name) => existsSync(join('cases', name, 'case.json'))))('the schemas accept case %s', (name) => {
  accept('case', JSON.parse(readFileSync(join('cases', name, 'case.json'), 'utf8')));
  const provider = join('cases', name, 'cassettes/main/provider');
  accept('provider-manifest', JSON.parse(readFileSync(join(provider, 'manifest.json'), 'utf8')));
  for (const line of readFileSync(join(provider, 'frames.jsonl'), 'utf8').trimEnd().split('\n')) accept('provider-frame', JSON.parse(line));
});

test.each(['cassette/cassette-policy', 'activity/activity-contract'])('%s.json keeps its schema', (path) => {
  accept(path.split('/')[1] as string, JSON.parse(readFileSync(`src/core/${path}.json`, 'utf8')));
});

const place = { connectionId: 'connection-1', chunkSeq: 9n, unitIndex: 1n, eventIndex: 1n };
const address = { kind: 'turn', origin: { source: 'provider-observation', providerObservation: { connectionId: 'connection-1', chunkSeq: 9, unitIndex: 1, eventIndex: 1 } } };
const hash = `sha256:${sha}`;
const plan = planJson({ checkpoints: [
  { id: 'checkpoint-0000', index: 0, kind: 'replay.bootstrap', tags: ['replay.bootstrap'], cursor: { activityEventSequence: 0n, providerConnections: [] }, trigger: { source: 'bootstrap' }, subjects: [], predicates: [] },
  { id: 'checkpoint-0001', index: 1, kind: 'session.ready', tags: ['session.ready'], cursor: { activityEventSequence: 2n, providerConnections: [{ connectionId: 'connection-1', chunkSeq: 4n, unitIndex: 1n }] }, trigger: { source: 'activity-boundary', afterActivityEventSequence: 2n, boundaryKind: 'intent-effects' }, subjects: [rootAddress], predicates: [{ type: 'session.exists', subject: 0, equals: 'true' }] },
  { id: 'checkpoint-0002', index: 2, kind: 'turn.terminal', tags: ['turn.terminal'], cursor: { activityEventSequence: 2n, providerConnections: [{ connectionId: 'connection-1', chunkSeq: 9n, unitIndex: 1n }] }, trigger: { source: 'provider-observation', position: place, unitKind: 'protocol-message', type: 'turn.completed', fingerprint: hash }, subjects: [{ kind: 'turn', origin: { source: 'provider-observation', providerObservation: place } }], predicates: [{ type: 'turn.status', subject: 0, equals: 'completed' }] },
] });

const event = { schemaVersion: 7, sequence: 1, kind: 'intent', type: 'submit/requested', eventId: 'e-1', payload: {}, occurredAtUnixMs: 1 };
const effect = { ...event, kind: 'effect', type: 'queue/sendPrompt', causedByEventId: 'e-0', payload: { outcome: 'succeeded' } };
const { files } = JSON.parse(readFileSync('src/core/cassette/cassette-policy.json', 'utf8')) as { files: { [name: string]: { path: string; role: string; required: boolean } } };
const inventory = Object.values(files).filter(({ required }) => required).map(({ path, role }) => ({ path, role, sizeBytes: 1, sha256: sha }));
const initialState = { path: 'initial-state.json', role: 'semantic-initial-state', sizeBytes: 1, sha256: sha };
const cassette = {
  schemaVersion: 7, stateFormat: 's', id: 'i', name: 'n', sourceRecordingId: 'r', agentTargetId: 'a', replayPrerequisites: { composerDefaults: { model: 'm', permissionModeId: 'p', reasoningEffort: 'r', speed: 's' } },
  rootAgentSessionId: 'root', mode: 'create-session', totalBytes: 6, maxTotalBytes: 402_653_184, files: inventory, createdAtUnixMs: 1,
};
const attachment = { kind: 'agent-prompt-attachment', sha256: sha, sizeBytes: 0, agentSessionId: 's', attachmentId: 'a', mimeType: 'image/png' };
const image = { kind: 'agent-generated-image', sha256: sha, sizeBytes: 1, agentSessionId: 's', relativePath: 'generated_images/c/o.webp', mimeType: 'image/webp' };
const blobs = (blob: object) => ({ schemaVersion: 1, blobs: [blob] });
const state = {
  schemaVersion: 1, tuttiMode: { activations: [], turnSnapshots: [] }, workflows: [], issues: [],
  agent: { rootSessionId: 's', sessions: [{ id: 's', kind: 'root', agentTargetId: 'a', provider: 'codex', providerSessionId: 'p', settings: null, pinned: false, turns: [{ id: 't', capabilityRefs: [], phase: 'settled', origin: 'user_prompt' }], messages: null, interactions: null }] },
};
const entry = {
  schemaVersion: 2, position: { connectionId: 'connection-1', chunkSeq: 9, unitIndex: 1 }, unitKind: 'protocol-message',
  observations: [{ position: address.origin.providerObservation, type: 'turn.started', fingerprint: hash, address }],
  commitCorrelations: [{ id: 'c', kind: 'turn', address, observationPosition: address.origin.providerObservation, observationFingerprint: hash, expected: 'working', confirmed: true }],
};
const withCheckpoint = (change: object) => ({ ...plan, checkpoints: [{ ...((plan.checkpoints as object[])[1] as object), ...change }] });
const withAddress = (of: object) => withCheckpoint({ subjects: [of] });

test.each<[string, string, unknown]>([
  ['cassette', 'a cassette', cassette],
  ['cassette', 'a continued session and a blob', { ...cassette, mode: 'continue-session', files: [...inventory, initialState, { ...initialState, path: `blobs/sha256/${sha}`, role: 'referenced-blob' }] }],
  ['cassette', 'unknown members', { ...cassette, more: 1 }],
  ['checkpoint-plan', 'a plan', plan],
  ['activity-event', 'an intent', event],
  ['activity-event', 'an effect', effect],
  ['activity-event', 'a request from outside', { ...event, kind: 'direct-stimulus', type: 'anything' }],
  ['observation-journal-entry', 'an entry', entry],
  ['blob-manifest', 'an attachment', blobs(attachment)],
  ['blob-manifest', 'a made image', blobs(image)],
  ['state', 'a state', state],
])('%s.schema.json accepts %s', (name, _title, value) => accept(name, value));

test.each<[string, string, unknown]>([
  ['cassette', 'a workspace', { ...cassette, workspaceId: null }],
  ['cassette', 'a missing file', { ...cassette, files: inventory.slice(1) }],
  ['cassette', 'a file of another role', { ...cassette, files: [...inventory.slice(1), { ...inventory[0], role: 'checkpoint-plan' }] }],
  ['cassette', 'a file that is none', { ...cassette, files: [...inventory, { ...initialState, path: 'x' }] }],
  ['cassette', 'an initial state of a new session', { ...cassette, files: [...inventory, initialState] }],
  ['cassette', 'no initial state of a continued session', { ...cassette, mode: 'continue-session' }],
  ['cassette', 'a padded default', { ...cassette, replayPrerequisites: { composerDefaults: { ...cassette.replayPrerequisites.composerDefaults, speed: 's ' } } }],
  ['checkpoint-plan', 'no checkpoint', { ...plan, checkpoints: [] }],
  ['checkpoint-plan', 'an unknown kind', withCheckpoint({ kind: 'turn.began' })],
  ['checkpoint-plan', 'a boundary at zero', withCheckpoint({ trigger: { source: 'activity-boundary', afterActivityEventSequence: 0, boundaryKind: 'single-event' } })],
  ['checkpoint-plan', 'an observation without a place', withCheckpoint({ trigger: { source: 'provider-observation', unitKind: 'process-exit', type: 't', fingerprint: hash } })],
  ['checkpoint-plan', 'a comparison with nothing', withCheckpoint({ readiness: { all: [{ type: 'settings.equal', subject: 0, equals: 'x' }] } })],
  ['checkpoint-plan', 'a subject twice', withCheckpoint({ subjects: [address, address] })],
  ['checkpoint-plan', 'a root that is no session', withAddress({ kind: 'turn', origin: { source: 'recording-root' } })],
  ['checkpoint-plan', 'an address with two origins', withAddress({ ...address, origin: { ...address.origin, activityEventSequence: 1 } })],
  ['checkpoint-plan', 'an address without its origin', withAddress({ kind: 'turn', origin: { source: 'initial-state' } })],
  ['activity-event', 'an unknown intent', { ...event, type: 'submit/asked' }],
  ['activity-event', 'an effect without a cause', { ...effect, causedByEventId: undefined }],
  ['activity-event', 'an effect without an outcome', { ...effect, payload: {} }],
  ['activity-event', 'an intent with a cause', { ...event, causedByEventId: 'e-0' }],
  ['activity-event', 'a scope', { ...event, scopeId: 's' }],
  ['observation-journal-entry', 'a unit at zero', { ...entry, position: { ...entry.position, chunkSeq: 0 } }],
  ['blob-manifest', 'the place of the other kind', blobs({ ...attachment, relativePath: 'generated_images/a.png' })],
  ['blob-manifest', 'a path that leaves its folder', blobs({ ...image, relativePath: 'generated_images/../o.webp' })],
  ['blob-manifest', 'another extension', blobs({ ...image, relativePath: 'generated_images/o.png' })],
  ['blob-manifest', 'a name that is a path', blobs({ ...attachment, attachmentId: 'a/b' })],
  ['blob-manifest', 'a name above', blobs({ ...attachment, attachmentId: '..' })],
  ['provider-frame', 'an exit without a code', { connectionId: 'c', chunkSeq: 1, globalSeq: 1, elapsedMs: 0, kind: 'exit' }],
  ['state', 'no session', { ...state, agent: { rootSessionId: 's', sessions: [] } }],
])('%s.schema.json refuses %s', (name, _title, value) => expect(isValid(name, JSON.parse(JSON.stringify(value)))).toBe(false));

test('verdict.schema.json accepts a verdict', () => {
  const verdict: Verdict = {
    schemaVersion: 1, playhead: '0.1.0', result: 'failed', case: { name: 'c', path: 'cases/c' }, cassette: { id: 'tape-1', name: 'main', dir: 'd', manifestSha256: sha }, product: { name: 'p', version: null },
    recordedWith: null, runsWith: { provider: null, platform: 'linux-x64', node: '24', browser: null }, drive: 'spec', surface: 'none', timing: 2,
    layers: judgeLayers({ cassette: { checked: 1, allowed: 0 }, effect: null, protocol: { checked: 1, allowed: 0 }, transport: null, state: null }, 'protocol', true),
    divergence: createDivergence({ layer: 'protocol', code: 'outbound_extra', message: 'm', position: { connectionId: 'c', chunkSeq: 1, unitIndex: 0 } }), fault: null,
    checkpoints: [{ id: 'checkpoint-0000', name: 'n', index: 0, kind: 'turn.terminal', playbackMs: 1.5, wallMs: 2, attachment: null }], launches: { expected: 1, arrived: 1, refused: 0 }, durationMs: 1.5, detectedAtMs: null,
  };
  accept('verdict', verdict);
  expect(isValid('verdict', { ...verdict, result: 'good' })).toBe(false);
});

test('validate.schema.json accepts what validate prints', () => {
  const issues = [createIssue({ code: 'line_blank', file: 'activity-events.jsonl', line: 2, is: 'i', needed: 'n' }), createIssue({ code: 'json_member_repeated', file: 'f', path: '$.a', is: 'i', needed: 'n' })];
  accept('validate', { schemaVersion: 1, valid: false, cassettes: [{ cassette: 'a', valid: false, issues }] });
});

test('the schema of a state and its codec have the same members', () => {
  const shapes = { text: 'text', integer: 'i64', boolean: 'flag', free: 'object', texts: 'list', row: 'object', rows: 'list' } as const;
  const readerOfMember = (member: Member): ReaderSchema => {
    if (member.kind === 'row') return readerOfRow(member.members);
    if (member.kind === 'rows') return { shape: 'list', items: readerOfRow(member.members) };
    return member.kind === 'texts' ? { shape: 'list', items: { shape: 'text' } } : { shape: shapes[member.kind] };
  };
  const readerOfRow = (members: Members): ReaderSchema => ({ shape: 'object', properties: Object.fromEntries(Object.entries(members).map(([name, member]) => [name, readerOfMember(member)])) });
  expect(readerOf(stateDocument)).toEqual(readerOfRow(stateMembers));
});
