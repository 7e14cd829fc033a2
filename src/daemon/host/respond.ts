/** The answer to a request of a provider: the first one wins, an equal one joins it (agent-host 1.4). */

import { HostError, type RespondInput } from '../../core/agent/host.ts';
import { listAt } from '../../core/json/read.ts';
import type { Operation } from '../store/operations.ts';
import { needSession, type HostContext } from './context.ts';
import { disconnected, type Engine } from './engine.ts';
import { operationId as idOf } from './ids.ts';

export type Responded = { status: 'answered' | 'superseded'; operationId: string };

export async function respond(host: HostContext, engine: Engine, { ref, turnId, requestId, answer }: RespondInput): Promise<Responded> {
  if (answer.action.trim() === '') throw new HostError('invalid_argument', 'Cannot answer: the action is blank, one was needed');
  needSession(host, ref, 'answer');
  checkOption(host, { ref, turnId, requestId, answer });
  const operationId = idOf(ref, 'interactive_response', [turnId, requestId]);
  const { action, optionId, payload } = answer;
  const prepared = host.store.prepareAnswer({ ...ref, turnId, requestId }, { operationId, output: { action, optionId, payload } });
  switch (prepared.state) {
    case 'not_found':
      throw new HostError('interaction_not_found', `Cannot answer: turn "${turnId}" has no request "${requestId}", one that it asked was needed`);
    case 'superseded':
      return { status: 'superseded', operationId };
    case 'claimed':
    case 'same':
      return resultOf(await engine.run(operationId));
  }
}

// Before the answer is claimed: one that no provider can take would use up the request.
function checkOption({ store }: HostContext, { ref, turnId, requestId, answer: { action, optionId } }: RespondInput): void {
  const options = listAt(store.interaction({ ...ref, turnId, requestId })?.metadata, 'options')?.filter((option) => typeof option === 'string') ?? [];
  const option = optionId ?? action;
  if (options.length > 0 && !options.includes(option)) throw new HostError('invalid_argument', `Cannot answer: "${option}" is no option of request "${requestId}", one of ${options.join(', ')} was needed`);
}

function resultOf({ operationId, status, result, lastError }: Operation): Responded {
  if (status === 'completed') return { status: result === 'answered' ? 'answered' : 'superseded', operationId };
  if (status === 'failed') throw new HostError('runtime_operation_failed', `Cannot answer: ${lastError}, an answer that the provider takes was needed`);
  if (lastError === disconnected) throw new HostError('runtime_session_disconnected', 'Cannot answer: the provider is not connected and the answer is kept, a connection was needed');
  throw new HostError('runtime_operation_in_progress', 'Cannot say whether the answer arrived: it is under way, its end was needed');
}
