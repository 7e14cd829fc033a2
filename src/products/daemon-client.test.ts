import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { createRecordDaemon, createReplayDaemon } from './daemon-client.ts';

type Asked = { method: string; path: string; authorization: string | undefined; type: string | undefined; body: unknown };
type Answer = (asked: Asked, response: ServerResponse) => void;

const servers: Server[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

async function listen(answer: Answer) {
  const log: Asked[] = [];
  const server = createServer((request, response) => {
    void readBody(request).then((body) => {
      const asked = { method: request.method ?? '', path: request.url ?? '', authorization: request.headers.authorization, type: request.headers['content-type'], body };
      log.push(asked);
      answer(asked, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  servers.push(server);
  const address = { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, token: 'control-1' };
  return { server, log, replay: createReplayDaemon(address), record: createRecordDaemon(address) };
}

async function readBody(request: IncomingMessage): Promise<unknown> {
  let text = '';
  for await (const bytes of request) text += String(bytes);
  return text === '' ? null : JSON.parse(text);
}

const json = (value: unknown, code = 200): Answer => (_asked, response) => void response.writeHead(code, { 'content-type': 'application/json' }).end(JSON.stringify(value));
type Desk = Awaited<ReturnType<typeof listen>>;
const facts = { layer: 'effect' as const, code: 'command_missing', message: 'The window made no command' };
const cursor = { command: 'set-provider-cursor' as const, providerConnections: [{ connectionId: 'c1', chunkSeq: 5, unitIndex: 1 }] };

test.each<[string, (desk: Desk) => Promise<unknown>, string, string, unknown, unknown]>([
  ['status()', ({ replay }) => replay.status(), 'GET', '/v1/replay/status', null, { it: 1 }],
  ['playback()', ({ replay }) => replay.playback(cursor), 'POST', '/v1/replay/playback', cursor, undefined],
  ['verifyCheckpoint()', ({ replay }) => replay.verifyCheckpoint(3), 'POST', '/v1/replay/checkpoints/3/verify', null, { it: 1 }],
  ['report()', ({ replay }) => replay.report(facts), 'POST', '/v1/replay/divergence', facts, { it: 1 }],
  ['sent()', ({ replay }) => replay.sent(), 'GET', '/v1/replay/sent', null, { it: 1 }],
  ['captureState()', ({ replay }) => replay.captureState(), 'GET', '/v1/replay/state', null, { it: 1 }],
  ['finish()', ({ replay }) => replay.finish(), 'POST', '/v1/replay/finish', null, { it: 1 }],
  ['status() of a recording', ({ record }) => record.status(), 'GET', '/v1/recording', null, { it: 1 }],
  ['complete()', ({ record }) => record.complete([{ kind: 'open', commandId: 'send:s-1', type: 'queue/sendPrompt' }]), 'POST', '/v1/recording/complete', { defects: [{ kind: 'open', commandId: 'send:s-1', type: 'queue/sendPrompt' }] }, { it: 1 }],
  ['sent() of a recording', ({ record }) => record.sent(), 'GET', '/v1/recording/sent', null, { it: 1 }],
])('%s asks the daemon with its token', async (_title, ask, method, path, body, expected) => {
  const desk = await listen(json({ it: 1 }));
  expect(await ask(desk)).toEqual(expected);
  expect(desk.log).toEqual([{ method, path, authorization: 'Bearer control-1', type: body === null ? undefined : 'application/json', body }]);
});

test('playback() takes an answer without content', async () => {
  const desk = await listen((_asked, response) => void response.writeHead(204).end());
  expect(await desk.replay.playback({ command: 'pause' })).toBeUndefined();
});

test.each<[string, (desk: Desk, after: number, signal: AbortSignal) => Promise<{ revision: number }>, string]>([
  ['a replay', ({ replay }, after, signal) => replay.changed(after, signal), '/v1/replay/status'],
  ['a recording', ({ record }, after, signal) => record.changed(after, signal), '/v1/recording'],
])('changed() of %s asks until the revision is above', async (_title, changed, path) => {
  let revision = 5;
  const desk = await listen((asked, response) => json({ revision: revision++, status: 'armed' })(asked, response));
  expect(await changed(desk, 6, new AbortController().signal)).toEqual({ revision: 7, status: 'armed' });
  expect(desk.log.map((asked) => asked.path)).toEqual(Array.from({ length: 3 }, () => `${path}?after=6&waitMs=5000`));
});

test('changed() ends with its signal, also while the daemon is silent', async () => {
  const stop = new AbortController();
  const desk = await listen(() => stop.abort());
  expect(await desk.replay.changed(6, stop.signal)).toEqual({ revision: 6 });
  expect(await desk.replay.changed(6, stop.signal)).toEqual({ revision: 6 });
  expect(desk.log).toHaveLength(1);
});

test.each<[string, Answer, object]>([
  ['a code of ours', json({ error: { code: 'target_unknown', message: 'Cannot verify checkpoint 3: the plan has 2, one of them was needed' } }, 404), { code: 'target_unknown', message: 'Cannot verify checkpoint 3: the plan has 2, one of them was needed', at: '/v1/replay/checkpoints/3/verify', facts: { status: 404, code: 'target_unknown' } }],
  ['another code', json({ error: { code: 'too_early', message: 'Cannot verify yet' } }, 409), { code: 'daemon_refused', message: 'Cannot verify yet', facts: { status: 409, code: 'too_early' } }],
  ['no error at all', json({ detail: 'no' }, 500), { code: 'daemon_refused', message: 'Cannot ask the daemon for /v1/replay/checkpoints/3/verify: it answered 500' }],
  ['no JSON', (_asked, response) => void response.writeHead(502).end('<html>'), { code: 'daemon_refused', message: 'Cannot ask the daemon for /v1/replay/checkpoints/3/verify: it answered 502' }],
  ['a page where a document was needed', (_asked, response) => void response.writeHead(200).end('<html>'), { code: 'daemon_refused', message: 'Cannot ask the daemon for /v1/replay/checkpoints/3/verify: its answer is no JSON, a document was needed' }],
])('a refusal with %s is a fault', async (_title, answer, expected) => {
  const desk = await listen(answer);
  await expect(desk.replay.verifyCheckpoint(3)).rejects.toMatchObject({ name: 'Fault', exitCode: expect.any(Number), ...expected });
});

test.each<[string, Answer]>([
  ['before its answer', (_asked, response) => void response.socket?.destroy()],
  ['in the middle of its answer', (_asked, response) => {
    response.writeHead(200, { 'content-length': '100' });
    response.write('{"revision":', () => response.socket?.destroy());
  }],
])('a daemon that ends %s is lost, also for a wait', async (_title, answer) => {
  const desk = await listen(answer);
  await expect(desk.replay.status()).rejects.toMatchObject({ code: 'daemon_lost', message: expect.stringMatching(/^Cannot ask the daemon for \/v1\/replay\/status: .+, an answer was needed$/) });
  await expect(desk.replay.changed(1, new AbortController().signal)).rejects.toMatchObject({ code: 'daemon_lost' });
});

test('a daemon that is not there is lost, and the cause is named', async () => {
  const desk = await listen(json({}));
  await new Promise((resolve) => desk.server.close(resolve));
  servers.length = 0;
  await expect(desk.replay.status()).rejects.toMatchObject({ code: 'daemon_lost', message: 'Cannot ask the daemon for /v1/replay/status: ECONNREFUSED, an answer was needed' });
});
