/** Whether the runtime of a stored session may be made live again (agent-host 1.3, subtlest rule 3). */

import type { ResumeEvidence } from '../store/queries.ts';

export type ResumePolicy = 'existing' | 'recreate' | 'reject';

/** A child lives and dies with its root; an imported session may be made anew where the provider has lost it. */
export function resumePolicy({ kind, isImported, isImportResumable }: { kind: 'root' | 'child'; isImported: boolean; isImportResumable: boolean }): ResumePolicy {
  if (kind === 'child') return 'reject';
  if (!isImported) return 'existing';
  return isImportResumable ? 'recreate' : 'reject';
}

/** Whether the provider ever took the session up; a settled turn that it never named is evidence against it. */
export function isEstablished({ hasTurns, hasSettledTurn, hasProviderTurn }: ResumeEvidence, { isLive, isActive }: { isLive: boolean; isActive: boolean }): boolean {
  if (hasProviderTurn) return true;
  return isLive ? isActive || !hasSettledTurn : hasTurns && !hasSettledTurn;
}
