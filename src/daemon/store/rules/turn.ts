/** Canonical transitions of a turn (agent-host 2.1). */

import type { TurnOutcome, TurnPhase } from '../../../core/agent/views.ts';

export type TurnState = { phase: TurnPhase; outcome: TurnOutcome | null };
export type TurnStep = 'apply' | 'already' | 'refuse';

/** What becomes of a step that a report asks for; a settled turn is never reopened, nor does its outcome change. */
export function stepTurn(from: TurnState, to: TurnState): TurnStep {
  if ((to.phase === 'settled') !== (to.outcome !== null)) return 'refuse';
  if (from.phase === to.phase) return from.outcome === to.outcome ? 'already' : 'refuse';
  return next[from.phase].includes(to.phase) ? 'apply' : 'refuse';
}

const next: { readonly [phase in TurnPhase]: readonly TurnPhase[] } = {
  submitted: ['running', 'waiting', 'settling', 'settled'],
  running: ['waiting', 'settling', 'settled'],
  waiting: ['running', 'settling', 'settled'],
  settling: ['settled'],
  settled: [],
};

export type ProviderTurnState = TurnState & { providerTurnId: string; providerPhase: 'running' | 'completed' | null };
export type ProviderTurnStep = {
  kind: 'refuse' | 'already' | 'project';
  /** What the canonical turn becomes with it, where it becomes anything. */
  canonical: TurnState | null;
};

/**
 * The provider's own turn began or ended. It ends the canonical one unless a child still lives; behind a settled turn it only
 * shows in the projection (subtlest rule 5).
 */
export function stepProviderTurn(from: ProviderTurnState, report: { providerTurnId: string; phase: 'running' | 'completed'; outcome: TurnOutcome }, liveChildCount: number): ProviderTurnStep {
  if (from.providerTurnId !== report.providerTurnId) return { kind: 'refuse', canonical: null };
  if (from.providerPhase === 'completed' || from.providerPhase === report.phase) return { kind: 'already', canonical: null };
  if (from.phase === 'settled') return { kind: report.phase === 'completed' ? 'project' : 'already', canonical: null };
  if (report.phase === 'running') return { kind: 'project', canonical: from.phase === 'submitted' ? { phase: 'running', outcome: null } : null };
  if (liveChildCount > 0) return { kind: 'project', canonical: from.phase === 'waiting' || from.phase === 'settling' ? null : { phase: 'waiting', outcome: null } };
  return { kind: 'project', canonical: { phase: 'settled', outcome: report.outcome } };
}
