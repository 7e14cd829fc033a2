/** The one place that hands a prompt to a provider, and makes durable what came of it (agent-host 1.2). */

import type { ExecResult } from '../../core/agent/runtime.ts';
import type { SessionRef, Settings, TurnError } from '../../core/agent/views.ts';
import type { Prompt } from './content.ts';
import type { HostContext } from './context.ts';
import { submitActionOf } from './dispositions.ts';

export type Dispatched = { state: 'accepted' } | { state: 'rejected' | 'not_dispatched'; error: TurnError } | { state: 'unknown'; cause: unknown };
export type Dispatch = { ref: SessionRef; turnId: string; prompt: Prompt; settings: Settings };

/** The turn is stored. A failure to store the result counts as unknown: the claim stays, and nothing is sent again. */
export async function dispatch(host: HostContext, input: Dispatch): Promise<Dispatched> {
  try {
    return settle(host, input, await exec(host, input));
  } catch (cause) {
    host.log('cannot say what became of a submission', cause);
    return { state: 'unknown', cause };
  }
}

function exec({ runtime }: HostContext, { ref, turnId, prompt, settings }: Dispatch): Promise<ExecResult> {
  return runtime.exec({ ref, turnId, clientSubmitId: prompt.clientSubmitId || null, content: prompt.content, settings, requireProviderAcceptance: true });
}

function settle({ store }: HostContext, { ref, turnId, prompt }: Dispatch, result: ExecResult): Dispatched {
  const turn = { ...ref, turnId };
  const error = result.error ?? { code: 'provider_rejected', message: 'Cannot send the prompt: the provider did not take it and named no reason, a turn was needed' };
  switch (submitActionOf(result.disposition)) {
    case 'accept':
      // The binding is the proof, not the word of the adapter.
      if (result.disposition === 'applied' && store.turn(turn)?.rootProviderTurnId !== result.providerTurnId) return { state: 'unknown', cause: new Error('Cannot accept the prompt: the identity of the provider turn is not stored, a bound turn was needed') };
      store.accept(turn, prompt.clientSubmitId);
      return { state: 'accepted' };
    case 'reject':
      store.reject(turn, { clientSubmitId: prompt.clientSubmitId, error });
      return { state: 'rejected', error };
    case 'withdraw':
      return { state: 'not_dispatched', error };
    case 'keep':
      return { state: 'unknown', cause: result.error };
  }
}
