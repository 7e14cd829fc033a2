/** `GET /v1/events`: server-sent events over fetch, with the bearer token of any request. */

import type { ServerResponse } from 'node:http';
import { limits } from '../../core/limits.ts';
import type { Publisher } from './publisher.ts';
import type { DaemonApp } from './type-provider.ts';

/** A window that does not read is closed before it fills the memory; it opens the stream again and starts from a snapshot. */
export function routeEvents(app: DaemonApp, publisher: Publisher): void {
  app.get('/v1/events', { config: { role: ['window', 'control'] }, schema: { summary: 'Snapshot, then every change (text/event-stream)', produces: ['text/event-stream'] } }, (_request, reply) => {
    reply.hijack();
    const response = reply.raw;
    response.on('error', () => {}); // The window left; `close` tells the rest.
    response.writeHead(200, { ...(reply.getHeaders() as { [name: string]: string }), 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-store' });
    const leave = publisher.open(subscriberOf(response));
    response.once('close', leave);
  });
}

// One event may be larger than the limit by itself, a snapshot above all: what waits beside the largest is what counts.
function subscriberOf(response: ServerResponse) {
  let largest = 0;
  return {
    write(bytes: Buffer) {
      if (response.destroyed) return;
      const unread = response.writableLength;
      if (unread - largest > limits.streamUnreadBytesMax) return void response.destroy();
      largest = Math.max(unread === 0 ? 0 : largest, bytes.length);
      response.write(bytes);
    },
    end: () => void response.end(),
  };
}
