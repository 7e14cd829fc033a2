import { expect, test } from 'vitest';
import type { BlobFacts } from '../blobs/facts.ts';
import { Findings } from '../issue.ts';
import { parseJson, type Json } from '../json/exact.ts';
import { buildCassetteManifest, writeCassetteManifest, type ManifestInput } from './build-manifest.ts';
import { checkInventory } from './check-inventory.ts';
import { checkCassetteManifest } from './check-manifest.ts';
import { contentOf, digestOfText, requiredPaths } from './fixtures.ts';

const fileOf = (path: string) => ({ path, sizeBytes: contentOf(path).length, sha256: digestOfText(contentOf(path)) });
const input = (change: Partial<ManifestInput> = {}): ManifestInput => ({
  stateFormat: ' format.v1 ',
  id: 'cassette-1',
  name: ' A <name> ',
  sourceRecordingId: 'recording-1',
  agentTargetId: 'local:codex',
  replayPrerequisites: { composerDefaults: { model: ' m ', permissionModeId: 'ask', reasoningEffort: 'low', speed: 'standard' } },
  rootAgentSessionId: 'root-1',
  mode: 'create-session',
  createdAtUnixMs: 5,
  files: requiredPaths.toReversed().map(fileOf),
  blobs: [],
  ...change,
});
const digest = digestOfText('blob');
const blob = (change: Partial<BlobFacts>): BlobFacts => ({ index: 0, kind: 'agent-prompt-attachment', sha256: digest, sizeBytes: 4, agentSessionId: 's', attachmentId: 'a', relativePath: null, mimeType: 'image/png', ...change });
const check = (change: Partial<ManifestInput>) => buildCassetteManifest(input(change)).issues.map(({ code, path }) => `${code} ${path}`);

test('buildCassetteManifest() adds up the sizes, sorts the files, gives roles, and passes its own check', () => {
  const { manifest } = buildCassetteManifest(input());
  expect(manifest).toMatchObject({ schemaVersion: 7, stateFormat: 'format.v1', name: 'A <name>', maxTotalBytes: 402_653_184, totalBytes: requiredPaths.reduce((sum, path) => sum + contentOf(path).length, 0) });
  expect(manifest?.files.map(({ path }) => path)).toEqual(requiredPaths);
  expect(manifest?.files[0]?.role).toBe('activity-events');
  expect(manifest?.replayPrerequisites.composerDefaults.model).toBe('m');
  const findings = new Findings();
  const facts = checkCassetteManifest(manifest as unknown as Json, { expectedId: 'cassette-1', formats: (name) => name === 'format.v1', blobs: [] }, findings.report);
  const disk = requiredPaths.map((path) => ({ ...fileOf(path), kind: 'file' as const }));
  if (facts) checkInventory(facts, disk, findings.report);
  expect([facts?.totalBytes, findings.all]).toEqual([manifest?.totalBytes, []]);
});

test('writeCassetteManifest() writes two spaces a level, a line feed at the end, and escapes like the reference', () => {
  const { manifest } = buildCassetteManifest(input());
  const text = manifest ? writeCassetteManifest(manifest) : '';
  expect(text.split('\n').slice(0, 5)).toEqual(['{', '  "schemaVersion": 7,', '  "stateFormat": "format.v1",', '  "id": "cassette-1",', '  "name": "A \\u003cname\\u003e",']);
  expect(text.endsWith('\n}\n') || text.endsWith('}\n')).toBe(true);
  expect(Object.keys(parseJson(text) as object)).toEqual(['schemaVersion', 'stateFormat', 'id', 'name', 'sourceRecordingId', 'agentTargetId', 'replayPrerequisites', 'rootAgentSessionId', 'mode', 'totalBytes', 'maxTotalBytes', 'files', 'createdAtUnixMs']);
});

test.each<[string, Partial<BlobFacts>]>([
  ['a prompt attachment', {}],
  ['a generated image', { kind: 'agent-generated-image', attachmentId: null, relativePath: 'generated_images/a.png' }],
])('buildCassetteManifest() takes %s under its digest', (_title, change) => {
  const files = [...requiredPaths.map(fileOf), { path: `blobs/sha256/${digest}`, sizeBytes: 4, sha256: digest }];
  expect(buildCassetteManifest(input({ files, blobs: [blob(change)] })).manifest?.files.find(({ path }) => path.includes('sha256'))?.role).toBe('referenced-blob');
});

test.each<[string, Partial<ManifestInput>, string[]]>([
  ['a blank id', { id: ' ' }, ['cassette_identity_blank $.id']],
  ['a blank state format', { stateFormat: ' ' }, ['cassette_invalid $.stateFormat']],
  ['a time of zero', { createdAtUnixMs: 0 }, ['created_at_invalid $.createdAtUnixMs']],
  ['a blank name', { name: '\n' }, ['cassette_name_invalid $.name']],
  ['no speed', { replayPrerequisites: { composerDefaults: { model: 'm', permissionModeId: 'a', reasoningEffort: 'l', speed: ' ' } } }, ['prerequisites_invalid $.replayPrerequisites.composerDefaults.speed']],
  ['a log', { files: [...requiredPaths.map(fileOf), { ...fileOf('x.log') }] }, ['inventory_path_not_allowed $.files[6].path']],
  ['no tape', { files: requiredPaths.slice(0, 4).concat('provider/manifest.json').map(fileOf) }, ['inventory_file_missing $.files']],
  ['the wrong role', { files: requiredPaths.map((path, i) => ({ ...fileOf(path), ...(i === 0 ? { role: 'x' } : {}) })) }, ['inventory_role_mismatch $.files[0].role']],
  ['a session to continue and no initial state', { mode: 'continue-session' }, ['inventory_file_missing $.files']],
  ['a session to create and an initial state', { files: [...requiredPaths, 'initial-state.json'].map(fileOf) }, ['initial_state_forbidden $.files[4].path']],
  ['no target, which the builder does not ask for', { agentTargetId: '' }, []],
])('buildCassetteManifest() with %s', (_title, change, issues) => expect(check(change)).toEqual(issues));
