import { createParser } from 'eventsource-parser';
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { limits } from '../../core/limits.ts';
import { changeOf, message } from './fixtures/fake-host.ts';
import { openServer, tokens } from './fixtures/open-server.ts';

/** Reads `count` events of a stream as a window does. */
async function readEvents(reply: Response, count: number): Promise<{ type: string; revision: number }[]> {
  const events: { type: string; revision: number }[] = [];
  const parser = createParser({ onEvent: ({ data }) => void events.push(JSON.parse(data) as never) });
  const reader = reply.body?.pipeThrough(new TextDecoderStream()).getReader();
  while (reader && events.length < count) {
    const { value, done } = await reader.read();
    if (done) break;
    parser.feed(value);
  }
  return events;
}

const bearer = { headers: { authorization: `Bearer ${tokens.window}` } };

test('GET /v1/events streams a snapshot and changes in order over fetch', async () => {
  const { url, host } = await openServer();
  const reply = await fetch(`${url}/v1/events`, bearer);
  expect(reply.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
  expect(reply.headers.get('x-content-type-options')).toBe('nosniff');
  for (let revision = 1; revision <= 50; revision++) host.commit(changeOf({ revision }));
  const events = await readEvents(reply, 51);
  expect(events.map(({ type, revision }) => `${type} ${revision}`)).toEqual(['snapshot 0', ...Array.from({ length: 50 }, (_, at) => `change ${at + 1}`)]);
});

test('GET /v1/events wants a token', async () => {
  const { url } = await openServer();
  expect((await fetch(`${url}/v1/events`)).status).toBe(401);
});

test('GET /v1/events ends with the publisher', async () => {
  const { url, publisher } = await openServer();
  const reply = await fetch(`${url}/v1/events`, bearer);
  publisher.close();
  expect(await reply.text()).toMatch(/^data: \{"type":"snapshot"/);
});

test('an event above the limit of what may be unread arrives, and so does what follows', async () => {
  const { url, host } = await openServer();
  const reply = await fetch(`${url}/v1/events`, bearer);
  const commit = (revision: number, text: string) => host.commit(changeOf({ revision, messages: [{ before: null, after: { ...message, payload: { text } } }] }));
  commit(1, 'x'.repeat(limits.streamUnreadBytesMax + 1));
  commit(2, 'y');
  const events = await readEvents(reply, 3);
  expect(events.map(({ type, revision }) => `${type} ${revision}`)).toEqual(['snapshot 0', 'change 1', 'change 2']);
});

test('a window that does not read is closed', async () => {
  const { url, host } = await openServer();
  const { hostname, port, host: name } = new URL(url);
  const socket = connect(Number(port), hostname);
  const lost = new Promise<void>((resolve) => void socket.on('error', () => resolve()).once('close', () => resolve()));
  socket.write(`GET /v1/events HTTP/1.1\r\nhost: ${name}\r\nauthorization: Bearer ${tokens.window}\r\n\r\n`);
  await new Promise((resolve) => socket.once('readable', resolve));
  socket.pause();
  const text = 'x'.repeat(1_048_576);
  for (let revision = 1; revision <= 24; revision++) host.commit(changeOf({ revision, messages: [{ before: null, after: { ...message, payload: { text } } }] }));
  socket.resume();
  await lost;
});
