import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { sha256, writeDraft, type Draft } from '../../../fixtures/cassettes/draft.ts';
import { drop, put } from '../../../fixtures/cassettes/edit.ts';
import { writeFiles } from '../../../fixtures/cassettes/on-disk.ts';
import { asCandidate, findShape } from '../../../fixtures/cassettes/shapes.ts';
import type { RecordStatus } from '../../core/control/daemon.ts';
import { openCassette } from '../case-files.ts';
import { sealCassette, type SealOptions } from './seal.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'playhead-seal-'));
  mkdirSync(join(folder, 'cassettes'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const recordingId = '9a3d1b6e-2c55-4d0f-9a52-6a7a1f0e2b02';
const known = ['blue', 'watering', 'can', '77'].join('-');
const composerDefaults = { model: 'm-small', permissionModeId: 'ask', reasoningEffort: 'low', speed: 'standard' };
const status: RecordStatus = { revision: 9, status: 'complete', error: null, rootAgentSessionId: 'sess-root', agentTargetId: 'local:codex', composerDefaults, createdAtUnixMs: 1_932_962_888_000, acceptedCount: 4, lanes: [], hasActiveTurn: false };

function record(change: (draft: Draft) => void = () => {}, shape = 'lanes'): string {
  const draft = findShape(shape).make();
  change(draft);
  writeFiles(join(folder, 'candidate'), writeDraft(asCandidate(draft)));
  return join(folder, 'candidate');
}

const seal = (candidate: string, more: Partial<SealOptions> = {}) =>
  sealCassette({ candidate, target: join(folder, 'cassettes/main'), name: 'A greeting', recordingId, status, allow: [], canaries: [{ name: 'GARDEN_TOKEN', value: known }], ...more });
const sealed = () => readdirSync(join(folder, 'cassettes'));
const manifest = () => JSON.parse(readFileSync(join(folder, 'cassettes/main/cassette.json'), 'utf8')) as { [name: string]: unknown } & { files: { path: string; sha256: string }[] };

test('sealCassette() makes a valid cassette of a candidate, without its journal', () => {
  seal(record());
  const { issues, tape, manifest: read } = openCassette({ folder: join(folder, 'cassettes/main') });
  expect(issues.filter(({ severity }) => severity === 'error')).toEqual([]);
  expect(tape).not.toBeNull();
  expect(read?.name).toBe('A greeting');
  expect(sealed()).toEqual(['main']);
  expect(existsSync(join(folder, 'cassettes/main/.recording'))).toBe(false);
});

test('sealCassette() writes what the recording knew into the manifest, and every file with its hash', () => {
  seal(record());
  const { files, ...head } = manifest();
  expect(head).toMatchObject({ schemaVersion: 7, name: 'A greeting', sourceRecordingId: recordingId, agentTargetId: 'local:codex', rootAgentSessionId: 'sess-root', mode: 'create-session', createdAtUnixMs: status.createdAtUnixMs, replayPrerequisites: { composerDefaults } });
  expect(files.map(({ path }) => path)).toEqual(['activity-events.jsonl', 'blobs/manifest.json', 'checkpoint-plan.json', 'expected-state.json', 'provider/frames.jsonl', 'provider/manifest.json']);
  for (const { path, sha256: hash } of files) expect(sha256(readFileSync(join(folder, 'cassettes/main', path)))).toBe(hash);
});

test('sealCassette() keeps who recorded, and the candidate as it is', () => {
  const recordedWith = { playhead: '0.1.0', platform: 'linux-x64' };
  const candidate = record((draft) => put(draft.tape, 'recordedWith', recordedWith));
  seal(candidate);
  expect(manifest().recordedWith).toEqual(recordedWith);
  expect(existsSync(join(candidate, '.recording/observation-journal.jsonl'))).toBe(true);
  expect(existsSync(join(candidate, 'cassette.json'))).toBe(false);
});

test('sealCassette() gives one recording one id', () => {
  const candidate = record();
  seal(candidate);
  const { id } = manifest();
  seal(candidate, { target: join(folder, 'cassettes/again') });
  expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(JSON.parse(readFileSync(join(folder, 'cassettes/again/cassette.json'), 'utf8'))).toMatchObject({ id });
});

test('sealCassette() sees by its initial state that a session was continued', () => {
  seal(record(() => {}, 'continue-session'));
  expect(manifest().mode).toBe('continue-session');
});

test('sealCassette() refuses a name that is taken, and leaves what stands there', () => {
  mkdirSync(join(folder, 'cassettes/main'));
  writeFileSync(join(folder, 'cassettes/main/mine.txt'), 'mine');
  expect(() => seal(record())).toThrow(expect.objectContaining({ code: 'cassette_exists' }));
  expect(readdirSync(join(folder, 'cassettes/main'))).toEqual(['mine.txt']);
});

test.each<[string, (draft: Draft) => void, Partial<SealOptions>, string]>([
  ['a broken plan', (draft) => put(draft.plan, 'checkpoints[1].index', 7), {}, 'checkpoint'],
  ['a plan beyond its events', (draft) => drop(draft.events, '3'), { status: { ...status, acceptedCount: 3 } }, 'there are 3 events'],
  ['fewer events than were accepted', () => {}, { status: { ...status, acceptedCount: 5 } }, '5'],
  ['no root session', () => {}, { status: { ...status, rootAgentSessionId: null } }, 'rootAgentSessionId'],
])('sealCassette() refuses a candidate with %s, and nothing stands at the target', (_title, change, more, named) => {
  const candidate = record(change);
  expect(() => seal(candidate, more)).toThrow(expect.objectContaining({ code: 'recording_failed', message: expect.stringContaining(named) }));
  expect(sealed()).toEqual([]);
});

test.each<[string, (draft: Draft, text: string) => void]>([
  ['an event', (draft, text) => put(draft.events[2] as object, 'payload.content[0].text', text)],
  ['the expected state', (draft, text) => put(draft.expected, 'agent.sessions[0].title', text)],
])('sealCassette() refuses a value of this machine in %s, and does not say it', (_title, change) => {
  const candidate = record((draft) => change(draft, `Water it with ${known}`));
  expect(() => seal(candidate)).toThrow(/GARDEN_TOKEN/);
  expect(() => seal(candidate)).not.toThrow(new RegExp(known));
  expect(sealed()).toEqual([]);
});

test('sealCassette() refuses a value of this machine in the name that a case gives it', () => {
  const candidate = record();
  expect(() => seal(candidate, { name: `Of ${known}` })).toThrow(/GARDEN_TOKEN/);
  expect(sealed()).toEqual([]);
});

test('sealCassette() needs the journal of the recording', () => {
  const candidate = record();
  rmSync(join(candidate, '.recording'), { recursive: true });
  expect(() => seal(candidate)).toThrow(expect.objectContaining({ code: 'recording_failed' }));
  expect(sealed()).toEqual([]);
});
