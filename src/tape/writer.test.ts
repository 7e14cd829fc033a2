import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import type { TapeManifest } from '../core/tape/manifest.ts';
import { MemoryDisk } from './fixtures/memory-disk.ts';
import { connection, makeFolder, removeFolders } from './fixtures/tapes.ts';
import { nodeDisk } from './node-disk.ts';
import { TapeWriter, type ConnectionProjection, type TapeLimits } from './writer.ts';

afterEach(removeFolders);

const frames = 't/frames.jsonl';
const asIs: ConnectionProjection = { outbound: (bytes) => bytes, stdoutLine: (line) => line, stderrLine: (line) => line };
const grown: ConnectionProjection = { ...asIs, stdoutLine: (line) => (line.includes('!') ? Buffer.concat([line, line]) : line) };

function write(options: { limits?: TapeLimits; projection?: ConnectionProjection; connectionCount?: number } = {}) {
  const disk = new MemoryDisk();
  const writer = new TapeWriter({ folder: 't', disk, ...(options.limits ? { limits: options.limits } : {}) });
  for (let n = 1; n <= (options.connectionCount ?? 1); n++) writer.openConnection(connection(n), options.projection ?? asIs);
  const manifest = () => JSON.parse(disk.readWhole('t/manifest.json').toString()) as TapeManifest;
  const say = (n: number, kind: 'outbound' | 'stdout' | 'stderr', text: string) => writer.append(`connection-${n}`, { kind, bytes: Buffer.from(text), elapsedMs: 1.6 });
  const stored = () => disk.lines(frames).map((line) => `${String(line.globalSeq)} ${String(line.connectionId).at(-1)}/${String(line.chunkSeq)} ${String(line.kind)} ${Buffer.from(String(line.data ?? ''), 'base64').toString()}`);
  return { disk, writer, manifest, say, stored };
}

test('a tape is incomplete from its start, and at each new connection', () => {
  const { disk, manifest } = write({ connectionCount: 2 });
  expect(manifest()).toMatchObject({ schemaVersion: 4, projectionVersion: 1, status: 'incomplete', framesSha256: '', frameCount: 0, limits: { maxFrameBytes: 8_388_608, maxStoredBytes: 268_435_456 } });
  expect(manifest().connections.map((c) => c.connectionId)).toEqual(['connection-1', 'connection-2']);
  expect(disk.log.filter((entry) => entry === 'write t/manifest.json')).toHaveLength(3);
});

test('finalize() counts by kind, hashes what stands there and syncs before the manifest says complete', () => {
  const { disk, writer, manifest, say } = write();
  say(1, 'outbound', '{"a":1}\n');
  say(1, 'stdout', '{"b"');
  say(1, 'stdout', ':2}\n');
  say(1, 'stderr', 'log\n');
  writer.append('connection-1', { kind: 'exit', exitCode: 0, message: 'self', elapsedMs: 9 });
  writer.closeConnection('connection-1');
  writer.finalize({ playhead: '0.1.0', provider: { name: 'desk', version: null }, platform: 'linux' });
  const bytes = disk.readWhole(frames);
  expect(manifest()).toMatchObject({ status: 'complete', frameCount: 5, payloadBytes: 24, storedBytes: bytes.length, maxFrameBytes: 8, framesSha256: createHash('sha256').update(bytes).digest('hex'), recordedWith: { playhead: '0.1.0' } });
  expect(Object.fromEntries(Object.entries(manifest().framesByKind).map(([kind, counts]) => [kind, counts.frameCount]))).toEqual({ outbound: 1, stdout: 2, stderr: 1, exit: 1 });
  expect(disk.log.slice(-3)).toEqual([`sync ${frames}`, 'write t/manifest.json', `close ${frames}`]);
});

test('chunks of every connection wait behind an open stdout line, so the file keeps the order of globalSeq', () => {
  const { say, stored } = write({ connectionCount: 2 });
  say(1, 'stdout', '{"a"');
  say(2, 'outbound', 'x\n');
  say(2, 'stdout', 'y\n');
  expect(stored()).toEqual([]);
  say(1, 'stdout', ':1}\n');
  expect(stored()).toEqual(['1 1/1 stdout {"a"', '2 2/1 outbound x\n', '3 2/2 stdout y\n', '4 1/2 stdout :1}\n']);
});

test('finalize() keeps the unfinished tails of every connection', () => {
  const { writer, say, stored } = write({ connectionCount: 2 });
  say(1, 'stdout', 'a');
  say(2, 'stderr', 'b');
  say(2, 'stdout', 'c');
  writer.closeConnection('connection-1');
  writer.closeConnection('connection-2');
  writer.finalize(null);
  expect(stored()).toEqual(['1 1/1 stdout a', '2 2/1 stderr b', '3 2/2 stdout c']);
});

test('elapsed time is a whole number from zero', () => {
  const { disk, writer } = write();
  writer.append('connection-1', { kind: 'outbound', bytes: Buffer.from('x\n'), elapsedMs: -0.4 });
  writer.append('connection-1', { kind: 'outbound', bytes: Buffer.from('x\n'), elapsedMs: 1.6 });
  expect(disk.lines(frames).map((line) => line.elapsedMs)).toEqual([0, 2]);
});

const checkRefused = (limits: TapeLimits, projection: ConnectionProjection, text: string, code: string) => {
  const { disk, writer, manifest, say } = write({ limits, projection });
  say(1, 'stdout', 'ok\n');
  const before = { bytes: disk.readWhole(frames), storedBytes: writer.storedBytes };
  expect(() => say(1, 'stdout', text)).toThrow(expect.objectContaining({ code }));
  expect({ bytes: disk.readWhole(frames), storedBytes: writer.storedBytes }).toEqual(before);
  // Fails closed: nothing is taken any more, and the tape stays incomplete.
  expect(() => say(1, 'stdout', 'ok\n')).toThrow(expect.objectContaining({ code }));
  expect(disk.readWhole(frames)).toEqual(before.bytes);
  writer.closeConnection('connection-1');
  expect(() => writer.finalize(null)).toThrow(expect.objectContaining({ code }));
  writer.abort();
  expect(manifest().status).toBe('incomplete');
};

test.each<[string, TapeLimits, ConnectionProjection, string, string]>([
  ['over the frame limit', { frameBytesMax: 4, storedBytesMax: 9_999 }, asIs, '12345\n', 'frame_too_large'],
  ['over the frame limit after projection', { frameBytesMax: 4, storedBytesMax: 9_999 }, grown, '1!\n', 'frame_too_large'],
  ['over the stored limit', { frameBytesMax: 99, storedBytesMax: 150 }, asIs, 'more\n', 'tape_too_large'],
])('a chunk %s leaves file and counters untouched', (_title, limits, projection, text, code) => checkRefused(limits, projection, text, code));

test('a chunk of exactly the frame limit is kept', () => {
  const { say, stored } = write({ limits: { frameBytesMax: 4, storedBytesMax: 9_999 } });
  say(1, 'stdout', '123\n');
  expect(stored()).toHaveLength(1);
});

test('a refused projection gives no number away and fails the tape', () => {
  const { writer, say, stored } = write({ projection: { ...asIs, outbound: () => { throw new Error('not portable'); } } });
  say(1, 'stdout', 'ok\n');
  expect(() => say(1, 'outbound', 'x\n')).toThrow('not portable');
  expect(writer.failure?.message).toBe('not portable');
  expect(stored()).toHaveLength(1);
});

test('a full disk fails the tape', () => {
  const { disk, writer, say } = write();
  disk.isFull = true;
  expect(() => say(1, 'stdout', 'x\n')).toThrow('no space left');
  disk.isFull = false;
  expect(() => say(1, 'stdout', 'x\n')).toThrow('no space left');
  expect(writer.failure?.message).toBe('no space left');
});

test('abort() syncs and closes once and leaves the tape incomplete', () => {
  const { disk, writer, manifest } = write();
  writer.abort();
  writer.abort();
  expect(disk.log.slice(-2)).toEqual([`sync ${frames}`, `close ${frames}`]);
  expect(manifest().status).toBe('incomplete');
});

test('a tape is not finalized while a connection is open', () => {
  expect(() => write().writer.finalize(null)).toThrow('a tape was finalized while a connection was open');
});

test('nodeDisk keeps files to their owner and leaves no half manifest', () => {
  const folder = join(makeFolder(), 'provider');
  const writer = new TapeWriter({ folder, disk: nodeDisk });
  writer.openConnection(connection(1), asIs);
  writer.append('connection-1', { kind: 'outbound', bytes: Buffer.from('x\n'), elapsedMs: 0 });
  writer.closeConnection('connection-1');
  writer.finalize(null);
  const mode = (name: string) => (statSync(join(folder, name)).mode & 0o777).toString(8);
  expect([mode('.'), mode('frames.jsonl'), mode('manifest.json')]).toEqual(['700', '600', '600']);
  expect(() => statSync(join(folder, 'manifest.json.tmp'))).toThrow('ENOENT');
});
