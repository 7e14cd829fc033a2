import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { limits } from '../core/limits.ts';
import type { InputUnit, ProcessConnection, ProcessSpec } from '../core/ports.ts';
import type { TapeManifest } from '../core/tape/manifest.ts';
import { findDesk, line } from './fixtures/desk.ts';
import { FakeClock, settle } from './fixtures/fake-clock.ts';
import { FakeLive, specOf, type FakeProcess } from './fixtures/fake-live.ts';
import { MemoryDisk } from './fixtures/memory-disk.ts';
import { load, makeFolder, removeFolders } from './fixtures/tapes.ts';
import { nodeDisk } from './node-disk.ts';
import { RecordingTransport, type RecorderOptions } from './recording-transport.ts';

afterEach(removeFolders);

function record(options: Partial<RecorderOptions> = {}) {
  const base = new FakeLive();
  const clock = new FakeClock();
  const disk = new MemoryDisk();
  const units: InputUnit[] = [];
  const recorder = new RecordingTransport({ base, clock, disk, findProvider: findDesk, machine: { roots: ['/srv/lab'], host: 'box-17', user: 'ada' }, recordedWith: { playhead: '0.1.0', platform: 'linux' }, onUnit: (unit) => void units.push(unit), ...options });
  const arm = (rootSessionId = 'root', recordingId = 'rec-1') => recorder.arm({ rootSessionId, recordingId, folder: 't' });
  const start = async (overrides: Partial<ProcessSpec> = {}): Promise<[ProcessConnection, FakeProcess]> => {
    const connection = await recorder.start(specOf(overrides));
    return [connection, base.started.at(-1)!];
  };
  const manifest = () => JSON.parse(disk.readWhole('t/manifest.json').toString()) as TapeManifest;
  const stored = () => disk.lines('t/frames.jsonl').map((chunk) => `${String(chunk.connectionId).at(-1)}/${String(chunk.chunkSeq)} ${String(chunk.kind)} ${chunk.kind === 'exit' ? `${String(chunk.exitCode)} ${String(chunk.message ?? '')}` : Buffer.from(String(chunk.data ?? ''), 'base64').toString().trim()}`);
  return { base, clock, disk, recorder, units, arm, start, manifest, stored };
}

const failing = (code: string) => expect.objectContaining({ code });

test('a process of the armed session is captured from its first byte, with a stamp on each frame', async () => {
  const { arm, start, recorder, stored, manifest } = record();
  arm(' root ');
  const [connection, process] = await start();
  await connection.send(line({ id: 1, method: 'open' }));
  process.say('{"id":1,"result":{"version":"1.2.3"}}\n');
  process.say('log\n', 'stderr');
  expect((await connection.recv())?.stamp).toEqual({ recordingId: 'rec-1', connectionId: 'connection-1', chunkSeq: 2 });
  expect((await connection.recv())?.stamp.chunkSeq).toBe(3);
  process.exit(0);
  expect(await connection.recv()).toEqual({ stamp: { recordingId: 'rec-1', connectionId: 'connection-1', chunkSeq: 4 }, kind: 'exit', exitCode: 0, message: null });
  recorder.complete('root');
  expect(stored()).toEqual(['1/1 outbound {"id":1,"method":"open"}', '1/2 stdout {"id":1,"result":{"version":"1.2.3"}}', '1/3 stderr log', '1/4 exit 0 ']);
  expect(manifest()).toMatchObject({
    status: 'complete',
    recordedWith: { playhead: '0.1.0', platform: 'linux', provider: { name: 'desk', version: '1.2.3' } },
    connections: [{ agentSessionId: 'root', rootAgentSessionId: 'root', launchOrdinal: 1, cwdToken: '${SESSION_CWD:root:1}', captureOrigin: 'process-start' }],
  });
});

test('live bytes never change; the tape holds tokens', async () => {
  const { arm, start, recorder, stored } = record();
  arm();
  const [connection, process] = await start({ protocolCwd: '/srv/lab/project' });
  await connection.send(line({ id: 1, method: 'open', params: { cwd: '/srv/lab/project/a' } }));
  process.say('{"method":"m","params":{"path":"/home/ada/.desk/x"}}\n');
  const frame = await connection.recv();
  expect([process.heard, frame?.kind === 'stdout' && frame.bytes.toString()]).toEqual([['{"id":1,"method":"open","params":{"cwd":"/srv/lab/project/a"}}\n'], '{"method":"m","params":{"path":"/home/ada/.desk/x"}}\n']);
  recorder.complete('root');
  expect(stored()).toEqual(['1/1 outbound {"id":1,"method":"open","params":{"cwd":"${SESSION_CWD:root:1}/a"}}', '1/2 stdout {"method":"m","params":{"path":"${REPLAY_HOME}/x"}}']);
});

test('one message is one outbound chunk, whatever was sent at once', async () => {
  const { arm, start, stored } = record();
  arm();
  const [connection] = await start();
  await connection.send(Buffer.from('{"method":"a"}\n\n{"method":"b"}\n'));
  expect(stored()).toEqual(['1/1 outbound {"method":"a"}', '1/2 outbound {"method":"b"}']);
});

test('an open connection is attached and says so', async () => {
  const { arm, start, recorder, stored, manifest } = record();
  const [connection, process] = await start();
  process.say('before\n');
  expect((await connection.recv())?.stamp).toEqual({ recordingId: '', connectionId: '', chunkSeq: 0 });
  await start({ agentSessionId: 'other' });
  await start({ agentSessionId: 'kid', rootAgentSessionId: 'root' });
  arm();
  await connection.send(line({ method: 'go' }));
  recorder.complete('root');
  expect(manifest().connections.map((c) => `${c.agentSessionId} ${c.rootAgentSessionId} ${c.captureOrigin}`)).toEqual(['root root attached-live-connection', 'kid root attached-live-connection']);
  expect(stored()).toEqual(['1/1 outbound {"method":"go"}']);
});

test('launches count per session and provider', async () => {
  const { arm, start, recorder, manifest } = record();
  arm();
  for (const agentSessionId of ['root', 'kid', ' root ', 'kid']) await start({ agentSessionId, rootAgentSessionId: 'root' });
  recorder.complete('root');
  expect(manifest().connections.map((c) => `${c.agentSessionId} ${c.launchOrdinal} ${c.cwdToken}`)).toEqual(['root 1 ${SESSION_CWD:root:1}', 'kid 1 ${SESSION_CWD:kid:1}', 'root 2 ${SESSION_CWD:root:2}', 'kid 2 ${SESSION_CWD:kid:2}']);
});

test('elapsed time counts from the attachment of each connection', async () => {
  const { arm, start, clock, disk } = record();
  const [first] = await start();
  await clock.advance(500);
  arm();
  await clock.advance(20);
  await first.send(line({ method: 'a' }));
  const [second] = await start();
  await clock.advance(5);
  await second.send(line({ method: 'b' }));
  expect(disk.lines('t/frames.jsonl').map((chunk) => chunk.elapsedMs)).toEqual([20, 5]);
});

test('complete() leaves live processes open and unrecorded', async () => {
  const { arm, start, recorder, stored } = record();
  arm();
  const [connection, process] = await start();
  await connection.send(line({ method: 'a' }));
  recorder.complete('root');
  await connection.send(line({ method: 'b' }));
  process.say('c\n');
  expect((await connection.recv())?.stamp.recordingId).toBe('');
  expect([process.isClosed, process.heard.length, stored(), recorder.liveCount]).toEqual([false, 2, ['1/1 outbound {"method":"a"}'], 1]);
});

test('a recording that captured no process is an error and leaves the tape incomplete', async () => {
  const { arm, start, recorder, manifest } = record();
  arm();
  await start({ agentSessionId: 'other' });
  expect(() => recorder.complete('root')).toThrow(failing('recording_empty'));
  expect(manifest().status).toBe('incomplete');
  arm();
});

test.each<[string, string, string]>([
  ['a blank root session', ' ', 'rec'],
  ['a blank recording', 'root', ''],
])('arm() refuses %s', (_title, rootSessionId, recordingId) => {
  const { disk, recorder } = record();
  expect(() => recorder.arm({ rootSessionId, recordingId, folder: 't' })).toThrow(failing('option_invalid'));
  expect(disk.files.size).toBe(0);
});

test('arm() refuses a second recording and keeps the first', async () => {
  const { arm, start, recorder } = record();
  arm();
  expect(() => arm('root', 'rec-2')).toThrow(failing('recording_busy'));
  const [connection, process] = await start();
  process.say('x\n');
  expect((await connection.recv())?.stamp.recordingId).toBe('rec-1');
  recorder.complete('root');
});

test.each(['complete', 'cancel'] as const)('%s() refuses a root session that is not armed', (end) => {
  const { arm, recorder } = record();
  expect(() => recorder[end]('root')).toThrow(failing('recording_not_armed'));
  arm();
  expect(() => recorder[end]('other')).toThrow(failing('recording_not_armed'));
});

test('cancel() detaches, leaves the tape incomplete and frees the recorder', async () => {
  const { arm, start, recorder, manifest, stored } = record();
  arm();
  const [connection] = await start();
  recorder.cancel('root');
  await connection.send(line({ method: 'a' }));
  expect([manifest().status, stored()]).toEqual(['incomplete', []]);
  arm('root', 'rec-2');
});

test('an arm that cannot attach a connection is rolled back', async () => {
  const { arm, start, disk, manifest } = record();
  const [good, process] = await start();
  await start({ provider: 'clerk' });
  expect(() => arm()).toThrow(failing('provider_unknown'));
  process.say('x\n');
  expect((await good.recv())?.stamp.recordingId).toBe('');
  expect([manifest().status, disk.log.at(-1)]).toEqual(['incomplete', 'close t/frames.jsonl']);
  await start({ agentSessionId: 'other' });
  arm('other', 'rec-2');
});

test('a process that cannot be captured is closed, its start fails, and the recording is given up', async () => {
  const { arm, start, base, recorder } = record();
  arm();
  await expect(start({ provider: 'clerk' })).rejects.toEqual(failing('provider_unknown'));
  expect([base.started[0]?.isClosed, recorder.liveCount]).toEqual([true, 0]);
  expect(() => recorder.complete('root')).toThrow(failing('recording_not_armed'));
});

test('a process that does not start is nobody\'s', async () => {
  const { arm, start, base, recorder } = record();
  arm();
  base.startError = new Error('ENOENT');
  await expect(start()).rejects.toThrow('ENOENT');
  expect(() => recorder.complete('root')).toThrow(failing('recording_empty'));
});

test('a send that failed is not recorded', async () => {
  const { arm, start, stored, recorder } = record();
  arm();
  const [connection, process] = await start();
  process.sendError = new Error('EPIPE');
  await expect(connection.send(line({ method: 'a' }))).rejects.toThrow('EPIPE');
  expect(stored()).toEqual([]);
  expect(recorder.complete('root').frameCount).toBe(0);
});

test('an answer that overtakes the end of its send stands behind it on the tape', async () => {
  const { arm, start, stored } = record();
  arm();
  const [connection, process] = await start();
  process.answer = () => '{"id":1,"result":1}\n';
  const reading = connection.recv();
  await connection.send(line({ id: 1, method: 'open' }));
  await reading;
  expect(stored()).toEqual(['1/1 outbound {"id":1,"method":"open"}', '1/2 stdout {"id":1,"result":1}']);
});

test('a send that fails after its answer came fails the recording', async () => {
  const { arm, start, recorder } = record();
  arm();
  const [connection, process] = await start();
  process.answer = () => '{"id":1,"result":1}\n';
  process.sendError = new Error('EPIPE');
  const reading = connection.recv();
  await expect(connection.send(line({ id: 1, method: 'open' }))).rejects.toThrow('EPIPE');
  await reading.catch(() => {});
  expect(() => recorder.complete('root')).toThrow('EPIPE');
});

test('what may not be recorded fails the send, after the provider has it, and everything later', async () => {
  const { arm, start, recorder, manifest } = record();
  arm();
  const [connection, process] = await start();
  await expect(connection.send(line({ id: 1, method: 'login' }))).rejects.toEqual(failing('credential_method'));
  expect(process.heard).toHaveLength(1);
  process.say('x\n');
  await expect(connection.recv()).rejects.toEqual(failing('credential_method'));
  expect(() => recorder.complete('root')).toThrow(failing('credential_method'));
  expect(manifest().status).toBe('incomplete');
});

test('what may not be recorded fails the read', async () => {
  const { arm, start } = record();
  arm();
  const [connection, process] = await start();
  process.say('{"method":"m","params":{"path":"/etc/passwd"}}\n');
  await expect(connection.recv()).rejects.toThrow('m at $.params.path: a non-portable path remains');
});

test('a full disk fails send and read', async () => {
  const { arm, start, disk } = record();
  arm();
  const [connection, process] = await start();
  disk.isFull = true;
  await expect(connection.send(line({ method: 'a' }))).rejects.toThrow('no space left');
  process.say('x\n');
  await expect(connection.recv()).rejects.toThrow('no space left');
});

test.each([
  ['closeInput', 'stdin-eof'],
  ['terminate', 'signal:SIGTERM'],
  ['kill', 'signal:SIGKILL'],
] as const)('%s() is handed on, and the tape knows it for the cause of the exit', async (call, cause) => {
  const { arm, start, recorder, stored, manifest } = record();
  arm();
  const [connection, process] = await start();
  await connection.send(line({ method: 'a' }));
  connection[call]?.();
  process.say('{"method":"bye"}\n');
  process.exit(0, 'went');
  await connection.recv();
  expect(await connection.recv()).toMatchObject({ kind: 'exit', message: 'went' });
  recorder.complete('root');
  expect([process.calls, stored().at(-1), manifest().connections[0]?.inputEndedAt]).toEqual([[call], `1/3 exit 0 ${cause}`, 1]);
});

test('a connection that closes is forgotten, also where the process resists', async () => {
  const { arm, start, recorder } = record();
  arm();
  const [connection, process] = await start();
  process.closeError = new Error('busy');
  await expect(connection.close()).rejects.toThrow('busy');
  expect(recorder.liveCount).toBe(0);
  expect(recorder.complete('root').connections).toHaveLength(1);
});

test('a cancelled read leaves the connection usable', async () => {
  const { arm, start } = record();
  arm();
  const [connection, process] = await start();
  const stop = new AbortController();
  const reading = connection.recv(stop.signal);
  stop.abort();
  expect(await reading).toBe(null);
  process.say('x\n');
  expect((await connection.recv())?.stamp.chunkSeq).toBe(1);
});

test('a unit reports the recording it was received under, and none that was received outside', async () => {
  const { arm, start, recorder, units } = record();
  arm();
  const [connection, process] = await start();
  process.say('x\n');
  const stamp = (await connection.recv())!.stamp;
  recorder.cancel('root');
  arm('root', 'rec-2');
  const unit = (connectionId: string, recordingId: string): InputUnit => ({ kind: 'protocol-message', recordingId, position: { connectionId, chunkSeq: 1, unitIndex: 1 } });
  await connection.completeProviderInputUnit?.(unit(stamp.connectionId, stamp.recordingId));
  await connection.completeProviderInputUnit?.(unit('', ''));
  expect(units.map((each) => each.recordingId)).toEqual(['rec-1']);
  expect([process.units.length, recorder.tracksProviderInputUnits]).toEqual([2, true]);
});

test('finalize() gives a left-over recording up and finalizes what stands behind', async () => {
  const { arm, start, recorder, base, manifest } = record();
  arm();
  await start();
  await recorder.finalize();
  expect([base.isFinalized, manifest().status]).toEqual([true, 'incomplete']);
});

test('a recording on disk loads and plays', async () => {
  const folder = join(makeFolder(), 'provider');
  const { recorder, start } = record({ disk: nodeDisk });
  recorder.arm({ rootSessionId: 'root', recordingId: 'rec-1', folder });
  const [connection, process] = await start();
  await connection.send(line({ id: 1, method: 'open', params: { cwd: '/srv/lab/app' } }));
  process.say('{"id":1,"result":{"session":"s"}}\n');
  await connection.recv();
  recorder.complete('root');
  expect(load(folder).observations.map((o) => o.kind)).toEqual(['session.ready']);
});

/** A recorder that writes down what it hears, in order. */
async function listen() {
  const heard: string[] = [];
  const named = ({ position: { connectionId, chunkSeq, unitIndex } }: InputUnit) => `${connectionId} ${chunkSeq}.${unitIndex}`;
  const recorded = record({ onReceived: (unit) => void heard.push(`received ${named(unit)}`), onAnswered: (connectionId) => void heard.push(`answered ${connectionId}`), onUnit: (unit) => void heard.push(`handled ${named(unit)}`) });
  recorded.arm();
  const [connection, process] = await recorded.start();
  return { ...recorded, heard, connection, process };
}

test('what has arrived is numbered and told before anybody reads it', async () => {
  const { heard, connection, process, stored } = await listen();
  process.say('{"a":1}\n{"b":2}\n');
  process.say('{"c":3}\n');
  await settle();
  expect([heard, stored().length]).toEqual([['received connection-1 1.1', 'received connection-1 1.2', 'received connection-1 2.1'], 2]);
  expect([(await connection.recv())?.stamp.chunkSeq, (await connection.recv())?.stamp.chunkSeq]).toEqual([1, 2]);
});

const checkUnits = async (chunks: string[], units: string[]) => {
  const { heard, process } = await listen();
  for (const chunk of chunks) process.say(chunk);
  await settle();
  expect(heard.map((text) => text.replace('received connection-1 ', ''))).toEqual(units);
};

test.each<[string, string[], string[]]>([
  ['in the chunk that ends it', ['{"a":', '1}\n{"b"', ':2}\n'], ['2.1', '3.1']],
  ['by its end of line', ['{"a":1}', '\n'], ['2.1']],
  ['and a blank line not at all', ['\n  \n{"a":1}\n'], ['1.1']],
])('a message counts %s, as on the tape', (_title, chunks, units) => checkUnits(chunks, units));

test('an answer is told when it is written, behind what came before it', async () => {
  const { heard, connection, process } = await listen();
  process.say('{"a":1}\n');
  await settle();
  await connection.send(Buffer.from('{"method":"b"}\n{"method":"c"}\n'));
  process.say('{"d":1}\n');
  await settle();
  expect(heard).toEqual(['received connection-1 1.1', 'answered connection-1', 'answered connection-1', 'received connection-1 4.1']);
});

test('nothing is told of a connection that is not recorded', async () => {
  const { heard, start } = await listen();
  const [other, process] = await start({ agentSessionId: 'other' });
  process.say('{"a":1}\n');
  await other.send(line({ method: 'b' }));
  await settle();
  expect([heard, (await other.recv())?.kind]).toEqual([[], 'stdout']);
});

test('a connection whose process can no longer be read fails every read behind what it said', async () => {
  const { connection, process } = await listen();
  process.say('{"a":1}\n');
  await settle();
  process.recv = async () => Promise.reject(new Error('EIO'));
  process.say('x\n');
  expect((await connection.recv())?.kind).toBe('stdout');
  expect((await connection.recv())?.kind).toBe('stdout');
  await expect(connection.recv()).rejects.toThrow('EIO');
  await expect(connection.recv()).rejects.toThrow('EIO');
});

test('each message is handed on as it is kept', async () => {
  const messages: unknown[] = [];
  const { arm, start } = record({ onMessage: (connectionId, direction, message) => void messages.push([connectionId, direction, message]) });
  arm();
  const [connection, process] = await start();
  await connection.send(line({ id: 1, method: 'open', params: { cwd: '/srv/lab/app' } }));
  process.say('{"id":1,"result":1}\n');
  await connection.recv();
  expect(messages).toEqual([
    ['connection-1', 'outbound', { id: 1, method: 'open', params: { cwd: '${SESSION_CWD:root:1}' } }],
    ['connection-1', 'inbound', { id: 1, result: 1 }],
  ]);
});

test('the output of a process waits while too much of it is unread, and its end waits for nobody', async () => {
  const { arm, start, recorder } = record();
  arm();
  const [connection, process] = await start();
  const frameBytes = limits.providerUnreadBytesMax / 8;
  for (let count = 0; count < 10; count++) process.say('x'.repeat(frameBytes), 'stderr');
  await settle();
  expect(process.unreadCount).toBe(2);
  await connection.recv();
  await settle();
  expect(process.unreadCount).toBe(1);
  recorder.cancel('root');
  await connection.close();
  expect(process.isClosed).toBe(true);
});
