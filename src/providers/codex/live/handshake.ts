/** How a connection comes to a thread: `initialize`, `initialized`, and a thread that is new or resumed (replay-runtime 7). */

import { RuntimeError } from '../../../core/agent/runtime.ts';
import type { Json, JsonObject } from '../../../core/json/exact.ts';
import { objectAt, textAt } from '../../../core/json/read.ts';
import type { RpcError } from './codec.ts';
import type { CodexConnection, Prepare } from './connection.ts';
import { readTurnError } from './reduce-turn.ts';

export type ClientInfo = { name: string; title: string; version: string };
export type Thread = { threadId: string; model: string };

/** Rejects with a `RuntimeError` that has Codex's own words. */
export async function initialize(connection: CodexConnection, { name, title, version }: ClientInfo): Promise<void> {
  await call(connection, 'initialize', { clientInfo: { name, title, version }, capabilities: { experimentalApi: true } });
  // If it does not leave, then neither does the request behind it, which says so.
  connection.send({ method: 'initialized' }).catch(() => {});
}

export async function startThread(connection: CodexConnection, params: JsonObject): Promise<Thread> {
  return takeThread(await call(connection, 'thread/start', params, opens));
}

export async function resumeThread(connection: CodexConnection, threadId: string, params: JsonObject): Promise<Thread> {
  return takeThread(await call(connection, 'thread/resume', { threadId, excludeTurns: true, ...params }, opens));
}

/** Whether Codex says that it has no such thread. */
export function isThreadMissing(error: unknown): boolean {
  return error instanceof RuntimeError && /no rollout found|thread not found|no such thread/i.test(error.message);
}

/** A refusal of Codex with a stable code: its own name of the error, or that of JSON-RPC. */
export function readRpcError({ code, message, data }: RpcError): { code: string; message: string } {
  const named = readTurnError(objectAt(data, 'codexErrorInfo') || textAt(data, 'codexErrorInfo') ? data : null);
  return { code: named.code === 'provider_error' ? (rpcCodes.get(code ?? 0) ?? named.code) : named.code, message };
}

async function call(connection: CodexConnection, method: string, params: JsonObject, prepare?: Prepare): Promise<Json> {
  const { sent, answer } = connection.request(method, params, prepare);
  // Where the process ends while the message is on its way, nobody will say that it left.
  await Promise.race([sent, answer]);
  const answered = await answer;
  switch (answered.kind) {
    case 'result':
      return answered.result;
    case 'error': {
      const { code, message } = readRpcError(answered.error);
      throw new RuntimeError(code, message);
    }
    case 'lost':
      throw new RuntimeError('provider_exited', `Cannot open a Codex thread: Codex ended before it answered ${method}, an answer was needed`);
  }
}

function takeThread(result: Json): Thread {
  const threadId = textAt(objectAt(result, 'thread'), 'id');
  if (threadId === undefined) throw new RuntimeError('provider_protocol', 'Cannot open a Codex thread: its answer names no thread, an id was needed');
  return { threadId, model: textAt(result, 'model') ?? textAt(objectAt(result, 'thread'), 'model') ?? '' };
}

const opens: Prepare = (state, key) => ({ ...state, opening: key });
const rpcCodes = new Map([
  [-32_600, 'invalid_request'],
  [-32_601, 'method_not_found'],
  [-32_602, 'invalid_params'],
  [-32_603, 'internal_error'],
]);
