/** A prompt to a session that is there (agent-host 1.2). */

import { HostError, type SendInput } from '../../core/agent/host.ts';
import type { TurnError } from '../../core/agent/views.ts';
import { deliveryUnknown, replaySubmission } from './claims.ts';
import { readPrompt, type Prompt } from './content.ts';
import { needSession, type HostContext } from './context.ts';
import { dispatch } from './dispatch.ts';
import { ensureLive } from './ensure.ts';
import { toHostError } from './errors.ts';
import { deriveTitle } from './title.ts';

export async function send(host: HostContext, input: SendInput): Promise<{ turnId: string }> {
  const prompt = readPrompt(input);
  return host.lock(input.ref, async () => {
    needSession(host, input.ref, 'send');
    const turnId = replaySubmission(host, input.ref, prompt.clientSubmitId) ?? (await submit(host, input, prompt));
    return { turnId };
  });
}

// Everything that can fail without the provider comes before the turn is stored, and only then does anything leave.
async function submit(host: HostContext, { ref, settings: patch }: SendInput, prompt: Prompt): Promise<string> {
  const session = needSession(host, ref, 'send');
  if (session.activeTurnId !== null) throw new HostError('turn_active', `Cannot send: turn "${session.activeTurnId}" has not settled, an idle session was needed`);
  await ensureLive(host, session);
  const settings = { ...session.settings, ...patch };
  const turnId = host.ids.uuid();
  try {
    host.runtime.validate(ref, prompt.content);
    host.store.beginTurn(ref, { turnId, envelope: prompt, ...(patch && { settings }), derivedTitle: deriveTitle(prompt), withClaim: prompt.clientSubmitId !== '' });
  } catch (error) {
    throw toHostError(error);
  }
  const dispatched = await dispatch(host, { ref, turnId, prompt, settings });
  switch (dispatched.state) {
    case 'accepted':
      return turnId;
    case 'rejected':
      throw rejected(dispatched.error);
    case 'not_dispatched':
      host.store.withdraw({ ...ref, turnId }, { clientSubmitId: prompt.clientSubmitId, before: session });
      throw rejected(dispatched.error);
    case 'unknown':
      throw deliveryUnknown(prompt.clientSubmitId, dispatched.cause);
  }
}

export function rejected({ code, message }: TurnError): HostError {
  return new HostError('provider_rejected', message, { reason: code });
}
