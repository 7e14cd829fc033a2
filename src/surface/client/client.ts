/** The window's side of the daemon: bootstrap, commands, events (agent-host 4, replay-runtime 8). */

import { causeHeader, commandHeader, type Bootstrap, type WindowBoot } from '../../core/agent/wire.ts';
import type { Clock } from '../../core/ports.ts';
import type { CommandOutcome, EngineCommand } from '../engine/command.ts';
import { outcomeOf, requestOf } from './command-request.ts';
import { openEvents, type EventsOptions } from './events.ts';
import { createRequest, type Fetch, type Request } from './http.ts';

/** Which recorded or recording command a request is, and the event that it follows from (desktop-order b2). */
export type CommandHeaders = { id: string; cause: string | null };

export type ClientOptions = {
  boot: WindowBoot;
  fetch: Fetch;
  clock: Pick<Clock, 'after'>;
};

export type Client = {
  /** Rejects where the daemon does not answer: there is no window without it. */
  bootstrap: () => Promise<Bootstrap>;
  /** `stamp` is null in live mode. */
  execute: (command: EngineCommand, stamp: CommandHeaders | null) => Promise<CommandOutcome>;
  /** Reads the stream until the result is called. */
  events: (hear: Pick<EventsOptions, 'onEvent' | 'onLost' | 'onBroken'>) => () => void;
  request: Request;
};

/** Makes a client; commands go to the workspace that the bootstrap named. */
export function createClient({ boot, fetch, clock }: ClientOptions): Client {
  const request = createRequest({ boot, fetch });
  let workspaceId = '';
  return {
    request,
    bootstrap: async () => {
      const reply = await request({ method: 'GET', path: '/v1/bootstrap' });
      if (!reply.isOk) throw new Error(`Cannot start the window: ${reply.message} (${reply.code}), its bootstrap was needed`);
      const bootstrap = reply.body as unknown as Bootstrap;
      workspaceId = bootstrap.workspaceId;
      return bootstrap;
    },
    execute: async (command, stamp) => outcomeOf(command, await request({ ...requestOf(command, workspaceId), headers: headersOf(stamp) })),
    events: (hear) => openEvents({ boot, fetch, clock, ...hear }),
  };
}

function headersOf(stamp: CommandHeaders | null): { [name: string]: string } {
  return stamp === null ? {} : { [commandHeader]: stamp.id, ...(stamp.cause === null ? {} : { [causeHeader]: stamp.cause }) };
}
