/** Steers a daemon over loopback HTTP with its control token (replay-runtime 8). */

import type { CheckpointReply, FinishReply, RecordDaemon, RecordStatus, ReplayDaemon, ReplayStatus } from '../core/control/daemon.ts';
import { Fault } from '../core/fault.ts';
import { isFaultCode } from '../core/fault.ts';
import type { JsonObject } from '../core/json/exact.ts';
import type { Divergence } from '../core/verdict/divergence.ts';

export type DaemonAddress = { url: string; token: string };

/** The port of a replaying daemon. Rejects with `daemon_lost` where it cannot be asked. */
export function createReplayDaemon(address: DaemonAddress): ReplayDaemon {
  const call = createCall(address);
  return {
    status: () => call<ReplayStatus>('GET', '/v1/replay/status'),
    changed: (after, signal) => poll<ReplayStatus>(call, '/v1/replay/status', { after, signal }),
    playback: async (command) => void (await call('POST', '/v1/replay/playback', { body: command })),
    verifyCheckpoint: (index) => call<CheckpointReply>('POST', `/v1/replay/checkpoints/${index}/verify`),
    report: (facts) => call<Divergence>('POST', '/v1/replay/divergence', { body: facts }),
    sent: () => call<JsonObject[]>('GET', '/v1/replay/sent'),
    captureState: () => call<JsonObject>('GET', '/v1/replay/state'),
    finish: () => call<FinishReply>('POST', '/v1/replay/finish'),
  };
}

/** The port of a recording daemon. */
export function createRecordDaemon(address: DaemonAddress): RecordDaemon {
  const call = createCall(address);
  return {
    status: () => call<RecordStatus>('GET', '/v1/recording'),
    changed: (after, signal) => poll<RecordStatus>(call, '/v1/recording', { after, signal }),
    complete: (defects) => call<RecordStatus>('POST', '/v1/recording/complete', { body: { defects } }),
    sent: () => call<JsonObject[]>('GET', '/v1/recording/sent'),
  };
}

type Call = <Reply>(method: 'GET' | 'POST', path: string, options?: { body?: unknown; signal?: AbortSignal }) => Promise<Reply>;

function createCall({ url, token }: DaemonAddress): Call {
  return async <Reply>(method: 'GET' | 'POST', path: string, { body, signal }: { body?: unknown; signal?: AbortSignal } = {}) => {
    const headers = { authorization: `Bearer ${token}`, ...(body === undefined ? {} : { 'content-type': 'application/json' }) };
    const response = await fetch(new URL(path, url), { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }), ...(signal ? { signal } : {}) }).catch((error: unknown) => {
      throw lost(path, error);
    });
    const text = await response.text().catch((error: unknown) => {
      throw lost(path, error);
    });
    if (!response.ok) throw refused(path, response.status, text);
    return (text === '' ? null : parseReply(path, text)) as Reply;
  };
}

/** A long poll: the daemon answers at the next change, or after a while as things stand. An aborted one gives the revision that is known already. */
async function poll<Status extends { revision: number }>(call: Call, path: string, { after, signal }: { after: number; signal: AbortSignal }): Promise<Status> {
  while (!signal.aborted) {
    try {
      const status = await call<Status>('GET', `${path}?after=${after}&waitMs=${pollMs}`, { signal });
      if (status.revision > after) return status;
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }
  return { revision: after } as Status;
}

function parseReply(path: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new Fault({ code: 'daemon_refused', message: `Cannot ask the daemon for ${path}: its answer is no JSON, a document was needed`, at: path, cause });
  }
}

function lost(path: string, cause: unknown): Fault {
  const why = cause instanceof Error ? ((cause.cause as NodeJS.ErrnoException | undefined)?.code ?? cause.message) : String(cause);
  return new Fault({ code: 'daemon_lost', message: `Cannot ask the daemon for ${path}: ${why}, an answer was needed`, cause });
}

function refused(path: string, status: number, text: string): Fault {
  const told = errorOf(text);
  const code = ownNames[told.code] ?? told.code;
  const { message } = told;
  return new Fault({ code: isFaultCode(code) ? code : 'daemon_refused', message: `${message || `Cannot ask the daemon for ${path}: it answered ${status}`}`, at: path, facts: { status, code } });
}

// What has a name of the reference in a daemon, and one of ours for whoever runs it.
const ownNames: { readonly [code: string]: string } = { session_graph_settle_failed: 'recording_unsettled', recording_command_open: 'recording_unsettled' };

function errorOf(text: string): { code: string; message: string } {
  try {
    const { error } = JSON.parse(text) as { error?: { code?: string; message?: string } };
    return { code: error?.code ?? '', message: error?.message ?? '' };
  } catch {
    return { code: '', message: '' };
  }
}

const pollMs = 5_000;
