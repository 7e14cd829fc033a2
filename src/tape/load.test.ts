import { mkdirSync, readFileSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { limits } from '../core/limits.ts';
import { plainSessionId, type TapeManifest } from '../core/tape/manifest.ts';
import { findDesk } from './fixtures/desk.ts';
import { connection, load, makeFolder, removeFolders, rewriteFrames, rewriteManifest, tapeOf, writeTape, type Step } from './fixtures/tapes.ts';
import { loadTape } from './load.ts';

afterEach(removeFolders);

const good: readonly Step[] = [
  [1, 'outbound', { id: 1, method: 'open', params: { cwd: '${SESSION_CWD:wrap:1}' } }, 1],
  [1, 'stdout', { id: 1, result: { session: 's', version: '1.2.3' } }, 5],
  [1, 'outbound', { id: 2, method: 'ask', params: { session: 's', text: 'go' } }, 6],
  [1, 'stdout', '{"method":"began"}\n{"id":7,"method":"con', 8],
  [1, 'stderr', 'a log\n', 9],
  [1, 'stdout', 'firm"}\n', 10],
  [1, 'outbound', { id: 7, result: true }, 20],
  [1, 'stdout', '{"method":"confirmed"}\n\n{"id":2,"result":{}}\n{"method":"ended"}\n', 30],
  [1, 'exit', 0, 40, 'self'],
];

test('loadTape() indexes lanes, units, observations and the end', () => {
  const tape = tapeOf({ steps: good });
  const [lane] = tape.lanes;
  expect(lane?.chunks.map((chunk) => `${chunk.kind} ${chunk.unitCount}`)).toEqual(['outbound 0', 'stdout 1', 'outbound 0', 'stdout 1', 'stderr 0', 'stdout 1', 'outbound 0', 'stdout 3', 'exit 0']);
  expect(tape.observations.map((o) => `${o.kind} ${o.position.chunkSeq}.${o.position.unitIndex} @${o.elapsedMs}`)).toEqual(['session.ready 2.1 @5', 'turn.working 4.1 @8', 'interaction.pending 6.1 @10', 'interaction.resolved 8.1 @30', 'turn.terminal 8.3 @30']);
  expect([lane?.requiredCount, lane?.exit, lane?.initialize, lane?.openEnds, tape.durationMs]).toEqual([9, { chunkIndex: 8, exitCode: 0, message: 'self' }, '{"session":"s","version":"1.2.3"}', [], 40]);
});

test('loadTape() requires nothing that the product brought about by leaving', () => {
  const steps: Step[] = [...good.slice(0, 8), [1, 'stdout', { method: 'bye' }], [1, 'exit', 0, 0, 'stdin-eof']];
  expect(tapeOf({ steps }).lanes[0]?.requiredCount).toBe(9);
  expect(tapeOf({ steps, connections: [connection(1, { inputEndedAt: 8 })] }).lanes[0]?.requiredCount).toBe(8);
  expect(tapeOf({ steps: good.slice(0, 8) }).lanes[0]?.requiredCount).toBe(8);
});

test('loadTape() accepts a tape without chunks, and a killed session with open ends', () => {
  expect(tapeOf({ steps: [] }).lanes[0]?.requiredCount).toBe(0);
  expect(tapeOf({ steps: [...good.slice(0, 4), [1, 'exit', 137, 0, 'signal:SIGKILL']] }).lanes[0]?.openEnds.length).toBeGreaterThan(0);
});

test('loadTape() does not read plain launches as a protocol', () => {
  const tape = tapeOf({ connections: [connection(1, { agentSessionId: plainSessionId, argv: ['--version'] })], steps: [[1, 'stdout', 'desk 1.2\n'], [1, 'exit', 0, 0, 'self']] });
  expect([tape.lanes[0]?.speaksProtocol, tape.observations]).toEqual([false, []]);
});

test('loadTape() reads frames of another writer: white space, escapes and unknown members', async () => {
  const folder = makeFolder();
  writeTape(folder, { steps: good });
  rewriteFrames(folder, (lines) => lines.map((line) => JSON.stringify({ extra: 1, ...(JSON.parse(line) as object) }, null, 1).replaceAll('\n', ' ')));
  const tape = load(folder);
  const { LaneReader } = await import('./lane-reader.ts');
  const reader = new LaneReader({ lane: tape.lanes[0]!, folder });
  expect([1, 8, 5].map((i) => reader.read(i).toString())).toEqual(['{"id":1,"result":{"session":"s","version":"1.2.3"}}\n', '', 'firm"}\n']);
  reader.close();
});

type Damage = (folder: string) => void;
const manifest = (change: (manifest: TapeManifest) => object): Damage => (folder) => rewriteManifest(folder, change);
const frame = (index: number, change: (chunk: Record<string, unknown>) => object): Damage => (folder) => rewriteFrames(folder, (lines) => lines.map((line, i) => (i === index ? JSON.stringify(change(JSON.parse(line) as Record<string, unknown>)) : line)));
const payload = (index: number, text: string): Damage => frame(index, (chunk) => ({ ...chunk, data: Buffer.from(text).toString('base64') }));
const path = (folder: string, name: string) => join(folder, name);

const check = (damage: Damage, codes: string[]) => {
  const folder = makeFolder();
  writeTape(folder, { steps: good });
  damage(folder);
  const { tape, issues } = loadTape({ folder, findProvider: findDesk });
  expect([...new Set(issues.map((issue) => issue.code))]).toEqual(codes);
  expect(tape).toBe(null);
  for (const issue of issues) expect(issue.message).toMatch(/^Cannot accept provider\/(manifest\.json|frames\.jsonl)/);
};

test.each<[string, Damage, string[]]>([
  ['no manifest', (folder) => rmSync(path(folder, 'manifest.json')), ['manifest_missing']],
  ['a manifest that is a link', (folder) => (rmSync(path(folder, 'manifest.json')), symlinkSync('frames.jsonl', path(folder, 'manifest.json'))), ['file_not_regular']],
  ['a manifest without end', (folder) => truncateSync(path(folder, 'manifest.json'), limits.manifestBytesMax + 1), ['manifest_too_large']],
  ['a manifest that is no JSON', (folder) => writeFileSync(path(folder, 'manifest.json'), '{'), ['json_invalid']],
  ['another schema', manifest((m) => ({ ...m, schemaVersion: 3 })), ['tape_schema_unsupported']],
  ['no projection version', manifest((m) => ({ ...m, projectionVersion: undefined })), ['tape_projection_unsupported']],
  ['an incomplete tape', manifest((m) => ({ ...m, status: 'incomplete' })), ['tape_incomplete']],
  ['an unregistered provider', manifest((m) => ({ ...m, connections: [{ ...m.connections[0], provider: 'clerk' }] })), ['provider_unknown']],
  ['ordinal zero', manifest((m) => ({ ...m, connections: [{ ...m.connections[0], launchOrdinal: 0 }] })), ['launch_ordinal_invalid']],
  ['no capture origin', manifest((m) => ({ ...m, connections: [{ ...m.connections[0], captureOrigin: undefined }] })), ['capture_origin_invalid']],
  ['a connection twice', manifest((m) => ({ ...m, connections: [...m.connections, ...m.connections] })), ['connection_duplicate']],
  ['no frames', (folder) => rmSync(path(folder, 'frames.jsonl')), ['frames_missing']],
  ['frames that are a folder', (folder) => (rmSync(path(folder, 'frames.jsonl')), mkdirSync(path(folder, 'frames.jsonl'))), ['file_not_regular']],
  ['frames without end', (folder) => truncateSync(path(folder, 'frames.jsonl'), limits.storedBytesMax + 1), ['tape_too_large']],
  ['a line without end', (folder) => rewriteFrames(folder, (lines) => [...lines.slice(0, -1), 'x'.repeat(limits.frameLineBytesMax)]), ['frame_line_too_long']],
  ['one changed byte', (folder) => writeFileSync(path(folder, 'frames.jsonl'), readFileSync(path(folder, 'frames.jsonl'), 'utf8').replace('"elapsedMs":1,', '"elapsedMs":2,')), ['frames_sha256_mismatch']],
  ['a hash in upper case', manifest((m) => ({ ...m, framesSha256: m.framesSha256.toUpperCase() })), ['frames_sha256_mismatch']],
  ['another count', manifest((m) => ({ ...m, frameCount: 8 })), ['frame_count_mismatch']],
  ['a line that is no JSON', (folder) => rewriteFrames(folder, (lines) => [...lines.slice(0, -1), '{']), ['json_invalid']],
  ['a gap in globalSeq', frame(8, (chunk) => ({ ...chunk, globalSeq: 10 })), ['frame_order_invalid']],
  ['a gap in chunkSeq', frame(8, (chunk) => ({ ...chunk, chunkSeq: 10 })), ['chunk_order_invalid']],
  ['a payload over the limit', frame(4, (chunk) => ({ ...chunk, data: Buffer.alloc(limits.frameBytesMax + 1, 32).toString('base64') })), ['frame_too_large']],
  ['a frame of an unknown connection', (folder) => rewriteFrames(folder, (lines) => [...lines, '{"connectionId":"connection-9","chunkSeq":1,"globalSeq":10,"elapsedMs":0,"kind":"stderr"}']), ['frame_connection_unknown']],
  ['a frame behind the exit', (folder) => rewriteFrames(folder, (lines) => [...lines, '{"connectionId":"connection-1","chunkSeq":10,"globalSeq":10,"elapsedMs":0,"kind":"stderr"}']), ['chunk_after_exit']],
  ['an outbound chunk that is no JSON', payload(2, 'go\n'), ['protocol_json_invalid']],
  ['a line of stdout that is no JSON', payload(3, 'Segfault\n{"method":"began"}\n{"id":7,"method":"con'), ['protocol_json_invalid']],
  ['an unfinished last message', (folder) => rewriteFrames(folder, (lines) => [...lines.slice(0, 8), lines[3]!.replace('"chunkSeq":4,"globalSeq":4', '"chunkSeq":9,"globalSeq":9')]), ['protocol_json_invalid']],
  ['a last message without an end of line', (folder) => rewriteFrames(folder, (lines) => [...lines.slice(0, 8), `{"connectionId":"connection-1","chunkSeq":9,"globalSeq":9,"elapsedMs":40,"kind":"stdout","data":"${Buffer.from('{"method":"bye"}').toString('base64')}"}`]), ['message_unfinished']],
  ['a credential method', payload(2, '{"id":2,"method":"login"}\n'), ['credential_method']],
  ['an e-mail address', payload(1, '{"id":1,"result":{"email":"ada@example.org"}}\n'), ['recording_sensitive']],
  ['an absolute path', payload(1, '{"id":1,"result":{"path":"/home/ada/x"}}\n'), ['recording_not_portable']],
  ['a turn without an end', payload(7, '{"method":"confirmed"}\n{"id":2,"result":{}}\n'), ['turn_open']],
  ['a request without an answer', payload(7, '{"method":"confirmed"}\n{"method":"ended"}\n'), ['request_open']],
  ['an interaction without a resolution', payload(7, '{"id":2,"result":{}}\n{"method":"ended"}\n'), ['interaction_open']],
])('loadTape() refuses %s', (_title, damage, codes) => check(damage, codes));

test('loadTape() names line and path, never the value', () => {
  const folder = makeFolder();
  writeTape(folder, { steps: good });
  payload(1, '{"id":1,"result":{"email":"ada@example.org","path":"/home/ada/x"}}\n')(folder);
  const { issues } = loadTape({ folder, findProvider: findDesk });
  expect(issues.map((issue) => `${issue.file}:${issue.line} ${issue.path}`)).toEqual(['provider/frames.jsonl:2 $.result.email', 'provider/frames.jsonl:2 $.result.path']);
  expect(JSON.stringify(issues)).not.toMatch(/ada/);
});

test('loadTape() accepts an exit of a connection that the manifest does not list', () => {
  const folder = makeFolder();
  writeTape(folder, { steps: good });
  rewriteFrames(folder, (lines) => [...lines, '{"connectionId":"connection-9","chunkSeq":1,"globalSeq":10,"elapsedMs":0,"kind":"exit","exitCode":0}']);
  expect(load(folder).lanes).toHaveLength(1);
});
