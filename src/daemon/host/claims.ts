/** A submission that came before: what became of it, without asking the provider again (agent-host 1.2, subtlest rule 2). */

import { HostError } from '../../core/agent/host.ts';
import type { SessionRef } from '../../core/agent/views.ts';
import type { HostContext } from './context.ts';

/** The turn of a submission that has an end, or null where it is new. One whose fate nobody knows is never sent again. */
export function replaySubmission({ store }: HostContext, ref: SessionRef, clientSubmitId: string): string | null {
  const key = { ...ref, clientSubmitId };
  const claim = clientSubmitId ? store.claim(key) : null;
  if (!claim) return null;
  if (claim.status !== 'prepared') return claim.turnId;
  const prompt = store.prompt(key);
  if (!prompt) throw deliveryUnknown(clientSubmitId);
  if (prompt.turnId !== claim.turnId) throw new HostError('submit_claim_turn_conflict', `Cannot repeat submission "${clientSubmitId}": it was bound to turn "${claim.turnId}", and turn "${prompt.turnId}" holds it, the bound one was needed`);
  store.accept({ ...ref, turnId: claim.turnId }, clientSubmitId);
  return claim.turnId;
}

export function deliveryUnknown(clientSubmitId: string, cause?: unknown): HostError {
  const which = clientSubmitId ? ` "${clientSubmitId}"` : '';
  return new HostError('submit_delivery_unknown', `Cannot say what became of submission${which}: the provider may have it and it is not sent twice, a word of the provider was needed`, cause === undefined ? undefined : { cause });
}
