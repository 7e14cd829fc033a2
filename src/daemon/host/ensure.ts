/** Makes the runtime of a stored session live again, where the policy and the evidence allow it (agent-host 1.3). */

import { HostError } from '../../core/agent/host.ts';
import type { SessionRef, SessionView } from '../../core/agent/views.ts';
import type { StoredSession } from '../store/sessions.ts';
import { needSession, type HostContext } from './context.ts';
import { sessionNotFound, toHostError } from './errors.ts';
import { isEstablished, resumePolicy } from './resume-policy.ts';

export function ensure(host: HostContext, ref: SessionRef): Promise<SessionView> {
  return host.lock(ref, async () => {
    await ensureLive(host, needSession(host, ref, 'resume session'));
    return host.store.view(ref)!;
  });
}

/** Under the session's lock. */
export async function ensureLive(host: HostContext, session: StoredSession): Promise<void> {
  const { store, runtime } = host;
  const { ref, providerSessionId } = session;
  const policy = resumePolicy(session);
  if (policy === 'reject') throw sessionNotFound(ref, 'resume session');
  const isLive = runtime.has(ref) && runtime.isLive(ref);
  const isKnown = isEstablished(store.evidence(ref), { isLive, isActive: session.activeTurnId !== null });
  if (!isKnown || (!isLive && providerSessionId === '')) throw notEstablished(ref);
  if (isLive) return;
  const { provider, cwd, settings, resumeCheckpoint } = session;
  try {
    store.bindRuntime(ref, await runtime.resume({ ref, provider, cwd, settings, providerSessionId, resumeCheckpoint, recreateIfMissing: policy === 'recreate' }));
  } catch (error) {
    throw toHostError(error);
  }
}

function notEstablished({ agentSessionId }: SessionRef): HostError {
  return new HostError('provider_session_not_established', `Cannot resume session "${agentSessionId}": its provider never took up a turn of it, one was needed`);
}
