/** `cassette.json`, schema 7 (cassette-contract 1.1 to 1.3). */

import { choice, document, filled, free, i64, isOurs, list, object, optional, refused, sha256, text, version, when } from './members.ts';
import { blobPathOf, blobRole, cassetteModes, inventoryFiles, nameCodePointsMax, policy } from './vocabulary.ts';

const trimmed = (description: string) => text(description, { pattern: '^\\S(?:[\\s\\S]*\\S)?$' });
const holds = (path: string) => ({ properties: { files: { contains: { properties: { path: { const: path } }, required: ['path'] } } } });
const initialState = policy.files.initialState.path;

const file = object('One file of the cassette.', {
  path: text('Its path from the folder of the cassette on, with slashes.'),
  role: choice('What it is for.', [...new Set([...inventoryFiles.map(({ role }) => role), blobRole])]),
  sizeBytes: i64('Its size as stored.', { minimum: 0 }),
  sha256: sha256('SHA-256 of its bytes as stored.'),
}, { anyOf: [
  ...inventoryFiles.map(({ path, role }) => ({ properties: { path: { const: path }, role: { const: role } } })),
  { properties: { path: { pattern: `^${blobPathOf('')}[0-9a-f]{64}$` }, role: { const: blobRole } } },
] });

export const cassetteDocument = document('cassette', 'Cassette', 'The manifest of a sealed cassette: what it is, and every file that belongs to it.', {
  schemaVersion: version(policy.schemaVersion, 'the cassette'),
  stateFormat: filled('The registered format of both states.', { examples: ['tutti.agent-session-replay-state.v1'] }),
  id: filled('The cassette, unique among all.'),
  name: trimmed('What people call it.'),
  sourceRecordingId: filled('The recording it was sealed from.'),
  agentTargetId: filled('The agent that was recorded.'),
  replayPrerequisites: object('What has to be set before a replay begins.', {
    composerDefaults: object('The composer as it stood.', {
      model: trimmed('The model.'),
      permissionModeId: trimmed('The permission mode.'),
      reasoningEffort: trimmed('The reasoning effort.'),
      speed: trimmed('The speed.'),
    }),
  }),
  rootAgentSessionId: filled('The session that the recording is about.'),
  mode: choice('Whether the recording begins its session or goes on with one.', cassetteModes),
  totalBytes: i64('The sizes of all files together.', { minimum: 0, maximum: policy.limits.maxCassetteBytes }),
  maxTotalBytes: i64('The limit it was written for.', { const: policy.limits.maxCassetteBytes }),
  files: list('Every file but this one.', file),
  createdAtUnixMs: i64('When it was sealed.', { minimum: 1 }),
  recordedWith: optional(free('The programs that wrote it; ours.', { [isOurs]: true })),
}, { allOf: [
  refused('scopeId', 'workspaceId'),
  { properties: { name: { maxLength: nameCodePointsMax } } },
  ...inventoryFiles.filter(({ required }) => required).map(({ path }) => holds(path)),
  { ...when('mode', ['continue-session'], holds(initialState)), else: { not: holds(initialState) } },
] });
