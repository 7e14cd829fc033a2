import { expect, test } from 'vitest';
import type { BlobFacts } from '../blobs/facts.ts';
import { Findings } from '../issue.ts';
import { parseJson, type Json, type JsonObject } from '../json/exact.ts';
import { checkCassetteManifest, type ManifestContext } from './check-manifest.ts';
import { digestOfText, entryOf, manifestWith, requiredPaths } from './fixtures.ts';

const stateFormat = 'tutti.agent-session-replay-state.v1';
const check = (input: Json, context: Partial<ManifestContext> = {}) => {
  const findings = new Findings();
  const facts = checkCassetteManifest(input, { expectedId: null, formats: (name) => name === stateFormat, blobs: [], ...context }, findings.report);
  expect(findings.all.every((finding) => finding.file === 'cassette.json')).toBe(true);
  return { facts, found: findings.all.map(({ code, path }) => `${code} ${path}`) };
};
const without = (key: string): JsonObject => Object.fromEntries(Object.entries(manifestWith()).filter(([name]) => name !== key));
const defaults = (change: JsonObject): JsonObject => ({ replayPrerequisites: { composerDefaults: { model: 'm', permissionModeId: 'p', reasoningEffort: 'r', speed: 's', ...change } } });
const at = '$.replayPrerequisites.composerDefaults';
const raw = (name: string, text: string): Json => parseJson(JSON.stringify(manifestWith({ [name]: '@' })).replace('"@"', text)) as Json;

test.each<[string, Json, string[]]>([
  ['nothing wrong', manifestWith(), []],
  ['members nobody knows', manifestWith({ notes: { scopeId: 1 }, __proto__x: null }), []],
  ['null instead of a document', null, ['cassette_schema_unsupported $.schemaVersion']],
  ['a list instead of a document, which the shape check reports', [], []],
  ['another schema', manifestWith({ schemaVersion: 6 }), ['cassette_schema_unsupported $.schemaVersion']],
  ['no schema', without('schemaVersion'), ['cassette_schema_unsupported $.schemaVersion']],
  ['a schema of a wrong type', manifestWith({ schemaVersion: '7' }), []],
  ['a schema with a fraction', raw('schemaVersion', '7.0'), []],
  ['a state format with space around it', manifestWith({ stateFormat: ` ${stateFormat}` }), ['state_format_unknown $.stateFormat']],
  ['no state format', without('stateFormat'), ['state_format_unknown $.stateFormat']],
  ['a blank id', manifestWith({ id: ' \u3000' }), ['cassette_identity_blank $.id']],
  ['no id', without('id'), ['cassette_identity_blank $.id']],
  ['a null recording', manifestWith({ sourceRecordingId: null }), ['cassette_identity_blank $.sourceRecordingId']],
  ['a blank root session', manifestWith({ rootAgentSessionId: '\t' }), ['cassette_identity_blank $.rootAgentSessionId']],
  ['a name with space around it', manifestWith({ name: ' a ' }), []],
  ['a blank name', manifestWith({ name: ' ' }), ['cassette_name_invalid $.name']],
  ['no name', without('name'), ['cassette_name_invalid $.name']],
  ['a name of 121 characters', manifestWith({ name: 'x'.repeat(121) }), ['cassette_name_invalid $.name']],
  ['an empty target', manifestWith({ agentTargetId: '' }), ['agent_target_empty $.agentTargetId']],
  ['no target', without('agentTargetId'), ['agent_target_empty $.agentTargetId']],
  ['no prerequisites', without('replayPrerequisites'), ['prerequisites_invalid $.replayPrerequisites']],
  ['no composer defaults', manifestWith({ replayPrerequisites: {} }), [`prerequisites_invalid ${at}`]],
  ['composer defaults of a wrong type', manifestWith({ replayPrerequisites: { composerDefaults: [] } }), []],
  ['a blank model', manifestWith(defaults({ model: ' ' })), [`prerequisites_invalid ${at}.model`]],
  ['no speed', manifestWith(defaults({ speed: null })), [`prerequisites_invalid ${at}.speed`]],
  ['a padded effort', manifestWith(defaults({ reasoningEffort: ' low ' })), [`prerequisites_padded ${at}.reasoningEffort`]],
  ['an unknown mode', manifestWith({ mode: 'Create-Session' }), ['mode_invalid $.mode']],
  ['no mode', without('mode'), ['mode_invalid $.mode']],
  ['no time', without('createdAtUnixMs'), ['created_at_invalid $.createdAtUnixMs']],
  ['a time below zero', manifestWith({ createdAtUnixMs: -1 }), ['created_at_invalid $.createdAtUnixMs']],
  ['a time beyond a float', raw('createdAtUnixMs', '9223372036854775807'), []],
  ['a time beyond 64 bits, which the shape check reports', raw('createdAtUnixMs', '-9223372036854775809'), []],
  ['another limit', manifestWith({ maxTotalBytes: 402_653_183 }), ['max_total_bytes_invalid $.maxTotalBytes']],
  ['no limit', without('maxTotalBytes'), ['max_total_bytes_invalid $.maxTotalBytes']],
  ['a wrong total', manifestWith({ totalBytes: 1 }), ['total_bytes_mismatch $.totalBytes']],
  ['no total', without('totalBytes'), ['total_bytes_mismatch $.totalBytes']],
  ['a scope', manifestWith({ scopeId: null }), ['scope_field_present $.scopeId']],
  ['a workspace', manifestWith({ workspaceId: 'w' }), ['scope_field_present $.workspaceId']],
  ['a scope in other letters', manifestWith({ ScopeId: 'w' }), []],
  ['no inventory', without('files'), ['cassette_invalid $.files']],
  ['two things wrong', manifestWith({ name: '', mode: 'x' }), ['cassette_name_invalid $.name', 'mode_invalid $.mode']],
])('checkCassetteManifest() with %s', (_title, input, found) => expect(check(input).found).toEqual(found));

test('checkCassetteManifest() compares the id with the one that was asked for, as it is written', () => {
  expect(check(manifestWith({ id: 'a' }), { expectedId: 'a' }).found).toEqual([]);
  expect(check(manifestWith({ id: ' a' }), { expectedId: 'a' }).found).toEqual(['cassette_id_mismatch $.id']);
  expect(check(manifestWith({ id: '' }), { expectedId: 'a' }).found).toEqual(['cassette_identity_blank $.id']);
});

test('checkCassetteManifest() gives the facts of a sound manifest, and none where there is no inventory to work with', () => {
  const { facts } = check(manifestWith({ name: ' a ' }));
  expect(facts).toMatchObject({ name: 'a', mode: 'create-session', rootAgentSessionId: 'root-1', agentTargetId: 'local:codex', createdAtUnixMs: 1_900_000_000_000, prerequisites: { composerDefaults: { model: 'large' } }, refusedPaths: [] });
  expect(facts?.files.map(({ path }) => path)).toEqual(requiredPaths);
  expect([{ ...manifestWith(), files: 'x' }, manifestWith({ files: [1] }), without('files'), null].map((input) => check(input).facts)).toEqual([null, null, null, null]);
});

// The inventory
const digest = digestOfText('blob');
const blobPath = `blobs/sha256/${digest}`;
const blob = (change: Partial<BlobFacts> = {}): BlobFacts => ({ index: 0, kind: 'agent-prompt-attachment', sha256: digest, sizeBytes: 120, agentSessionId: 's', attachmentId: 'a', relativePath: null, mimeType: 'image/png', ...change });
const blobEntry = { ...entryOf(blobPath), sizeBytes: 120 };
const files = (...changes: JsonObject[]): JsonObject => manifestWith({ files: [...requiredPaths.map((path) => entryOf(path)), ...changes] });
const changed = (change: JsonObject): JsonObject => manifestWith({ files: requiredPaths.map((path, index) => ({ ...entryOf(path), ...(index === 0 ? change : {}) })) });
const dropped = (path: string, change: JsonObject = {}): JsonObject => manifestWith({ ...change, files: requiredPaths.filter((name) => name !== path).map((name) => entryOf(name)) });
const activity = entryOf('activity-events.jsonl');

test.each<[string, Json, string[], (readonly BlobFacts[] | null)?]>([
  ['entries in any order', manifestWith({ files: requiredPaths.toReversed().map((path) => entryOf(path)) }), []],
  ['a log beside the rest', files({ ...activity, path: 'app.log' }), ['inventory_path_not_allowed $.files[6].path']],
  ['a database beside the rest, the total adjusted', files({ path: 'state.db', role: 'database', sizeBytes: 5, sha256: digest }), ['inventory_path_not_allowed $.files[6].path']],
  ['the manifest in its own list', files({ ...activity, path: 'cassette.json', role: 'cassette-manifest' }), ['inventory_path_not_allowed $.files[6].path']],
  ['a file of an older schema', files({ ...activity, path: 'seed/state.jsonl' }), ['inventory_path_not_allowed $.files[6].path']],
  ['a file repeated', files(activity), ['inventory_path_repeated $.files[6].path']],
  ...['../activity-events.jsonl', '/etc/passwd', 'provider/../cassette.json', './activity-events.jsonl', 'provider//frames.jsonl', 'provider\\frames.jsonl', 'provider/', '', 'a\0b'].map((path): [string, Json, string[]] => [`the path ${JSON.stringify(path)}`, files({ ...activity, path }), ['inventory_path_unsafe $.files[6].path']]),
  ['a null entry', files(null as unknown as JsonObject), ['cassette_invalid $.files[6]']],
  ['another role', changed({ role: 'checkpoint-plan' }), ['inventory_role_mismatch $.files[0].role']],
  ['an empty role', changed({ role: '' }), ['inventory_role_empty $.files[0].role']],
  ['no role', changed({ role: null }), ['inventory_role_empty $.files[0].role']],
  ['a size below zero', changed({ sizeBytes: -1 }), ['inventory_size_invalid $.files[0].sizeBytes']],
  ['a size of a wrong type', changed({ sizeBytes: '1' }), []],
  ['no size', { ...changed({ sizeBytes: null }), totalBytes: Number(manifestWith().totalBytes) - Number(activity.sizeBytes) }, []],
  ['a hash one digit short', changed({ sha256: digest.slice(1) }), ['inventory_sha256_invalid $.files[0].sha256']],
  ['no hash', changed({ sha256: null }), ['inventory_sha256_invalid $.files[0].sha256']],
  ['a hash in capitals', changed({ sha256: digest.toUpperCase() }), ['inventory_sha256_spelling $.files[0].sha256']],
  ['a padded hash', changed({ sha256: ` ${digest}` }), ['inventory_sha256_spelling $.files[0].sha256']],
  ['a tape at its limit', manifestWith({ files: requiredPaths.map((path) => ({ ...entryOf(path), ...(path.endsWith('frames.jsonl') ? { sizeBytes: 268_435_456 } : {}) })) }), []],
  ['a tape over its limit', manifestWith({ files: requiredPaths.map((path) => ({ ...entryOf(path), ...(path.endsWith('frames.jsonl') ? { sizeBytes: 268_435_457 } : {}) })) }), ['tape_too_large $.files[4].sizeBytes']],
  ['all files over their limit', changed({ sizeBytes: 402_653_184 }), ['cassette_too_large $.files']],
  ...requiredPaths.map((path): [string, Json, string[]] => [`no ${path}`, dropped(path), ['inventory_file_missing $.files']]),
  ['no initial state where the session is continued', manifestWith({ mode: 'continue-session' }), ['inventory_file_missing $.files']],
  ['an initial state where the session is continued', { ...files(entryOf('initial-state.json')), mode: 'continue-session' }, []],
  ['an initial state where the session is created', files(entryOf('initial-state.json')), ['initial_state_forbidden $.files[6].path']],
  ['an initial state and no readable mode', { ...files(entryOf('initial-state.json')), mode: 7 }, []],
  ['a blob of the blob manifest', files(blobEntry), [], [blob()]],
  ['a blob of another size', files({ ...blobEntry, sizeBytes: 121 }), ['blob_inventory_mismatch $.files[6].sizeBytes'], [blob()]],
  ['a blob whose size could not be read', files(blobEntry), [], [blob({ sizeBytes: null })]],
  ['a blob with another role', files({ ...blobEntry, role: 'blob' }), ['inventory_role_mismatch $.files[6].role'], [blob()]],
  ['a blob that the blob manifest lacks', files(blobEntry), ['inventory_path_not_allowed $.files[6].path'], []],
  ['a blob in capitals', files({ ...blobEntry, path: `blobs/sha256/${digest.toUpperCase()}` }), ['inventory_path_not_allowed $.files[6].path'], [blob()]],
  ['a blob while the blob manifest cannot be read', files(blobEntry), [], null],
  ['a blob of the manifest that the inventory lacks', manifestWith(), [], [blob()]],
])('checkCassetteManifest() with an inventory with %s', (_title, input, found, blobs = []) => expect(check(input, { blobs }).found).toEqual(found));

test('checkCassetteManifest() names every file that the inventory lacks, and the initial state where the mode asks for it', () => {
  const missing = (input: Json) => {
    const findings = new Findings();
    checkCassetteManifest(input, { expectedId: null, formats: () => true, blobs: [] }, findings.report);
    return findings.all.filter(({ code }) => code === 'inventory_file_missing').map(({ is }) => is);
  };
  expect(missing(manifestWith({ files: [], mode: 'continue-session' }))[0]?.replace('no entry for ', '').split(', ').toSorted()).toEqual([...requiredPaths, 'initial-state.json'].toSorted());
  expect(missing(manifestWith({ mode: 'continue-session' }))).toEqual(['no entry for initial-state.json']);
});

test('checkCassetteManifest() keeps refused paths apart, so that the folder is not held against them', () => {
  const { facts } = check(files({ ...activity, path: 'app.log' }, { ...activity, path: '../x' }));
  expect([facts?.files.length, facts?.refusedPaths]).toEqual([6, ['app.log', '../x']]);
});
