/** The stream of the daemon: opened again whenever it is lost, each time from a new snapshot (agent-host 4). */

import { createParser } from 'eventsource-parser';
import type { WindowBoot, WindowEvent } from '../../core/agent/wire.ts';
import type { Clock } from '../../core/ports.ts';
import { windowLimits } from '../limits.ts';
import { initOf, urlOf, type Fetch } from './http.ts';

export type EventsOptions = {
  boot: WindowBoot;
  fetch: Fetch;
  clock: Pick<Clock, 'after'>;
  onEvent: (event: WindowEvent) => void;
  /** The stream ended, broke, or could not be opened; it is tried again. */
  onLost: () => void;
  /** What came could not be taken in. Nothing is read any more: another snapshot would hide it. */
  onBroken: (error: unknown) => void;
};

/** Reads until it is stopped. The wait before another try doubles, and begins anew with each snapshot. */
export function openEvents(options: EventsOptions): () => void {
  const stopping = new AbortController();
  let cancel = () => {};
  let failureCount = 0;
  const onBroken = (error: unknown): void => {
    stopping.abort();
    options.onBroken(error);
  };
  const open = async (): Promise<void> => {
    await readStream({ ...options, onBroken, signal: stopping.signal, onSnapshot: () => (failureCount = 0) }).catch(() => {});
    if (stopping.signal.aborted) return;
    options.onLost();
    cancel = options.clock.after(Math.min(windowLimits.reconnectMs * 2 ** failureCount++, windowLimits.reconnectMsMax), () => void open());
  };
  void open();
  return () => {
    stopping.abort();
    cancel();
  };
}

/** Ends with the stream. A change before the first snapshot has nothing to change. */
async function readStream({ boot, fetch, signal, onEvent, onBroken, onSnapshot }: EventsOptions & { signal: AbortSignal; onSnapshot: () => void }): Promise<void> {
  const response = await fetch(urlOf(boot, '/v1/events'), initOf(boot, { method: 'GET', headers: { accept: 'text/event-stream' }, signal }));
  if (!response.ok || !response.body) return;
  let hasSnapshot = false;
  const parser = createParser({
    onEvent: ({ data }) => {
      if (signal.aborted) return;
      try {
        const event = JSON.parse(data) as WindowEvent;
        hasSnapshot ||= event.type === 'snapshot';
        if (hasSnapshot) onEvent(event);
        if (event.type === 'snapshot') onSnapshot();
      } catch (error) {
        onBroken(error);
      }
    },
  });
  const text = response.body.pipeThrough(new TextDecoderStream());
  for (const reader = text.getReader(); ; ) {
    const { done, value } = await reader.read();
    if (done) return;
    parser.feed(value);
  }
}
