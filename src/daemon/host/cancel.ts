/** The end of one exact turn, asked for by a person; intent, confirmation and settlement are three facts (agent-host 1.4). */

import { HostError, type CancelOutcome } from '../../core/agent/host.ts';
import type { SessionRef } from '../../core/agent/views.ts';
import { needSession, type HostContext } from './context.ts';
import { disconnected, type Engine } from './engine.ts';
import { operationId as idOf } from './ids.ts';

export async function cancel(host: HostContext, engine: Engine, { ref, turnId }: { ref: SessionRef; turnId: string }): Promise<CancelOutcome> {
  needSession(host, ref, 'cancel');
  const prepared = host.store.prepareCancel({ ...ref, turnId }, idOf(ref, 'cancel_turn', [turnId]));
  switch (prepared.state) {
    case 'not_found':
      return { state: 'not_found', outcome: null, operationId: null };
    case 'already_settled':
      return { state: 'already_settled', outcome: prepared.outcome, operationId: prepared.operationId };
    case 'open':
      return carryOut(host, engine, { ref, turnId, operationId: prepared.operation.operationId });
  }
}

async function carryOut({ store }: HostContext, engine: Engine, { ref, turnId, operationId }: { ref: SessionRef; turnId: string; operationId: string }): Promise<CancelOutcome> {
  const { status, lastError } = await engine.run(operationId);
  const outcome = store.turn({ ...ref, turnId })?.outcome ?? null;
  if (outcome !== null) return { state: 'settled', outcome, operationId };
  if (status === 'failed') throw new HostError('runtime_operation_failed', `Cannot cancel turn "${turnId}": ${lastError}, an end that the provider confirms was needed`);
  if (lastError === disconnected) throw new HostError('runtime_session_disconnected', `Cannot cancel turn "${turnId}": the provider is not connected and the request is kept, a connection was needed`);
  return { state: 'cancel_requested', outcome: null, operationId };
}
