/** Everything by which live, record and replay differ: a composition hands it in (design ruling 14). */

import type { FastifyInstance } from 'fastify';
import type { AgentHost } from '../core/agent/host.ts';
import type { Bootstrap } from '../core/agent/wire.ts';
import type { LanePlaceView } from '../core/control/lanes.ts';
import type { ProcessTransport } from '../core/ports.ts';

export type Role = 'window' | 'control';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whose bearer token a route below `/v1` takes. */
    role?: Role | readonly Role[];
  }
}

/** A request is refused with this HTTP status; modes and handlers throw it (replay-runtime 8). */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly status: number;
  readonly code: string;
  readonly reason: string | null;

  constructor(status: number, code: string, message: string, options?: ErrorOptions & { reason?: string }) {
    super(message, options);
    this.status = status;
    this.code = code;
    this.reason = options?.reason ?? null;
  }
}

/** What the headers of a command say; both are null outside of record and replay. */
export type CommandStamp = { id: string | null; cause: string | null };

/** How many windows read the stream. */
export type Windows = { readonly count: number };

export type DaemonMode = {
  bootstrap: Pick<Bootstrap, 'mode' | 'recordingId' | 'cassetteId'>;
  transport: ProcessTransport;
  /** Called with the Host before it recovers: to restore a graph, to observe commits. */
  attach: (host: AgentHost) => void | Promise<void>;
  /** Waits until a command of the window may begin; rejects with the refusal. */
  begin: (command: CommandStamp) => Promise<void>;
  /** Lanes that a window which opens its stream now starts from. */
  lanes: () => LanePlaceView[];
  /** Own endpoints, with their whole path (`/v1/…`). Each route says in its config whose token it takes: `{ config: { role: 'window' | 'control' } }`. */
  routes: (app: FastifyInstance, windows: Windows) => void;
  close: () => Promise<void>;
};
