/** Events of a recording on their way to the daemon: one after the other, so that their order is the order of the window (replay-runtime 5.3). */

import type { JsonObject } from '../../core/json/exact.ts';
import type { HttpFailure, Request } from '../client/http.ts';

export type RecordedEvent = { eventId: string; type: string } & JsonObject;

export type Outbox = {
  /** Resolves when the daemon has accepted the event: with null, or with the refusal. */
  post: (event: RecordedEvent) => Promise<HttpFailure | null>;
  /** Everything that was posted so far has an answer. */
  idle: () => Promise<void>;
  /** Events that the daemon refused. */
  refused: readonly RecordedEvent[];
};

/** Makes an outbox; an event is copied when it is posted. */
export function createOutbox(request: Request): Outbox {
  const refused: RecordedEvent[] = [];
  let last: Promise<unknown> = Promise.resolve();
  return {
    refused,
    idle: async () => void (await last),
    post: (event) => {
      const body = { events: [structuredClone(event)] };
      const posted = last.then(async () => {
        const reply = await request({ method: 'POST', path: '/v1/recording/activity-events', body });
        if (reply.isOk) return null;
        refused.push(event);
        return reply;
      });
      last = posted;
      return posted;
    },
  };
}
