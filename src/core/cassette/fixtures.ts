/** A manifest without fault, for the tests of this folder and of the store. */

import { createHash } from 'node:crypto';
import type { Json, JsonObject } from '../json/exact.ts';

export const digestOfText = (text: string): string => createHash('sha256').update(text).digest('hex');
export const requiredPaths = ['activity-events.jsonl', 'blobs/manifest.json', 'checkpoint-plan.json', 'expected-state.json', 'provider/frames.jsonl', 'provider/manifest.json'];
export const roles: { [path: string]: string } = {
  'activity-events.jsonl': 'activity-events',
  'blobs/manifest.json': 'referenced-blob-manifest',
  'checkpoint-plan.json': 'checkpoint-plan',
  'expected-state.json': 'semantic-expected-state',
  'initial-state.json': 'semantic-initial-state',
  'provider/frames.jsonl': 'provider-tape-frames',
  'provider/manifest.json': 'provider-tape-manifest',
};

/** Each file holds its own path and a line feed. */
export const contentOf = (path: string): string => `${path}\n`;
export const entryOf = (path: string, role = roles[path] ?? 'referenced-blob'): JsonObject => ({ path, role, sizeBytes: contentOf(path).length, sha256: digestOfText(contentOf(path)) });

export function manifestWith(change: JsonObject = {}): JsonObject {
  const files = (change.files ?? requiredPaths.map((path) => entryOf(path))) as Json[];
  const totalBytes = files.reduce<number>((sum, file) => sum + Number((file as JsonObject | null)?.sizeBytes ?? 0), 0);
  return {
    schemaVersion: 7,
    stateFormat: 'tutti.agent-session-replay-state.v1',
    id: '3f2a9c54-8a0b-4b39-9a3e-0d2f4f0f6c01',
    name: 'Two turns',
    sourceRecordingId: '9b1d7e10-5c44-4a6f-8b8e-7f2f1f0e5d02',
    agentTargetId: 'local:codex',
    replayPrerequisites: { composerDefaults: { model: 'large', permissionModeId: 'ask', reasoningEffort: 'low', speed: 'standard' } },
    rootAgentSessionId: 'root-1',
    mode: 'create-session',
    totalBytes,
    maxTotalBytes: 402_653_184,
    files,
    createdAtUnixMs: 1_900_000_000_000,
    ...change,
  };
}
