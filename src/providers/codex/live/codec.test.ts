import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Json } from '../../../core/json/exact.ts';
import type { ProcessFrame } from '../../../core/ports.ts';
import { ConnectionCheck } from '../../../core/tape/connection-check.ts';
import { encodeMessage, FrameDecoder, readMessage, type ServerMessage } from './codec.ts';

const frame = (text: string | Buffer, chunkSeq: number, kind: 'stdout' | 'stderr' = 'stdout'): ProcessFrame => ({ stamp: { recordingId: 'rec', connectionId: 'c', chunkSeq }, kind, bytes: Buffer.from(text) });

/** Chunk and index of each unit of stdout that is read in these pieces. */
const check = (pieces: readonly string[], units: [number, number][]) => {
  const decoder = new FrameDecoder(() => {});
  expect(pieces.flatMap((piece, at) => decoder.take(frame(piece, at + 1)).map(({ unit: { position } }) => [position.chunkSeq, position.unitIndex]))).toEqual(units);
};

test.each<[string, string[], [number, number][]]>([
  ['one message', ['{"id":1}\n'], [[1, 1]]],
  ['several messages of one frame', ['{"id":1}\n{"id":2}\n'], [[1, 1], [1, 2]]],
  ['a message over three frames', ['{"id"', ':', '1}\n'], [[3, 1]]],
  ['a message whose line ends in the next frame', ['{"id":1}', '\n{"id":2}\n'], [[2, 1], [2, 2]]],
  ['blank lines', ['\n \r\n{"id":1}\n\n'], [[1, 1]]],
  ['lines that are no JSON', ['ready\n{"id":1}\nwarn: x\n{"id":2}\n'], [[1, 1], [1, 2]]],
  ['a character in two halves', ['{"a":"\u00e4', '"}\n'], [[2, 1]]],
  ['a message that never ends', ['{"id":1'], []],
])('FrameDecoder numbers %s', (_title, pieces, units) => check(pieces, units));

test('FrameDecoder gives no unit for stderr, and one for the exit', () => {
  const decoder = new FrameDecoder(() => {});
  expect(decoder.take(frame('{"id":1}\n', 1, 'stderr'))).toEqual([]);
  expect(decoder.take({ stamp: { recordingId: '', connectionId: 'c', chunkSeq: 2 }, kind: 'exit', exitCode: 3, message: 'self' })).toEqual([
    { unit: { position: { connectionId: 'c', chunkSeq: 2, unitIndex: 1 }, kind: 'process-exit' }, message: { kind: 'exit', exitCode: 3, message: 'self' } },
  ]);
});

test('FrameDecoder tells of noise once', () => {
  const noise: string[] = [];
  const decoder = new FrameDecoder((what) => noise.push(what));
  decoder.take(frame('one\ntwo\n{"id":1}\nthree\n', 1));
  expect(noise).toEqual(['stdout is no protocol here: invalid']);
});

const cases = new URL('../../../../cases/', import.meta.url);
const tapes = readdirSync(cases).filter((name) => name.startsWith('chat-'));

test.each(tapes)('FrameDecoder numbers the units of %s as its tape does', (name) => {
  const lines = readFileSync(new URL(`${name}/cassettes/main/provider/frames.jsonl`, cases), 'utf8').trim().split('\n');
  const expected: string[] = [];
  const actual: string[] = [];
  const decoders = new Map<string, FrameDecoder>();
  const checks = new Map<string, ConnectionCheck>();
  for (const line of lines) {
    const { connectionId, chunkSeq, kind, data } = JSON.parse(line) as { connectionId: string; chunkSeq: number; kind: string; data?: string };
    if (kind !== 'stdout' || data === undefined) continue;
    const bytes = Buffer.from(data, 'base64');
    if (!decoders.has(connectionId)) decoders.set(connectionId, new FrameDecoder(() => {}));
    if (!checks.has(connectionId)) checks.set(connectionId, countingCheck(connectionId, () => expected.push(`${connectionId}:${current}`)));
    const current = chunkSeq;
    const before = expected.length;
    checks.get(connectionId)?.take({ data: bytes, message: null } as Parameters<ConnectionCheck['take']>[0], 'stdout', 1);
    expected.splice(before, Infinity, ...expected.slice(before).map((_, index) => `${connectionId}:${chunkSeq}:${index + 1}`));
    for (const { unit } of decoders.get(connectionId)?.take({ stamp: { recordingId: '', connectionId, chunkSeq }, kind: 'stdout', bytes }) ?? []) actual.push(Object.values(unit.position).join(':'));
  }
  expect(actual).toEqual(expected);
  expect(actual.length).toBeGreaterThan(10);
});

function countingCheck(connectionId: string, onMessage: () => void): ConnectionCheck {
  return new ConnectionCheck({ connection: { connectionId, agentSessionId: 'wrap' }, credentialMethods: [], allow: [], observer: null, streamBytesMax: 1e9, report: () => {}, onMessage, isAlone: true, losses: { hasLostBytes: false, hasLostChunks: false } });
}

test.each<[Json, ServerMessage]>([
  [{ id: 1, result: { a: 1 } }, { kind: 'answer', id: 1, result: { a: 1 } }],
  [{ id: 1, result: null }, { kind: 'answer', id: 1, result: null }],
  [{ jsonrpc: '2.0', id: 'x', error: { code: -32600, message: 'no', data: 5 } }, { kind: 'refusal', id: 'x', error: { code: -32600, message: 'no', data: 5 } }],
  [{ id: 1, error: 'no' }, { kind: 'refusal', id: 1, error: { code: null, message: '"no"', data: null } }],
  [{ id: 0, method: 'm', params: {} }, { kind: 'request', id: 0, method: 'm', params: {} }],
  [{ method: 'm' }, { kind: 'notification', method: 'm', params: null }],
  [{}, { kind: 'other' }],
  [[1], { kind: 'other' }],
])('readMessage() takes %j', (value, message) => expect(readMessage(value)).toEqual(message));

test('encodeMessage() gives one line', () => expect(encodeMessage({ method: 'a\nb' }).toString()).toBe('{"method":"a\\nb"}\n'));
