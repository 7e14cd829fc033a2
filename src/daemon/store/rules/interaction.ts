/** Transitions of an interaction (agent-host 2.1): the first resolution wins, and what it is about does not change. */

import { firstDifference } from '../../../core/json/compare.ts';
import type { InteractionReport } from '../../../core/agent/report.ts';
import type { InteractionView } from '../../../core/agent/views.ts';

export type InteractionStep = 'insert' | 'apply' | 'already' | 'conflict';

export function stepInteraction(existing: InteractionView | null, report: InteractionReport, isTurnSettled: boolean): InteractionStep {
  // Nobody could answer it any more.
  if (!existing) return isTurnSettled && report.status === 'pending' ? 'already' : 'insert';
  if (!isSame(existing, report)) return 'conflict';
  return existing.status === 'pending' && report.status !== 'pending' ? 'apply' : 'already';
}

// A report of a resolution may leave out what the request was about.
function isSame(existing: InteractionView, report: InteractionReport): boolean {
  return (
    existing.kind === report.kind &&
    (report.toolName === undefined || existing.toolName === report.toolName) &&
    (report.input === undefined || firstDifference(existing.input, report.input) === null) &&
    (report.metadata === undefined || firstDifference(existing.metadata, report.metadata) === null)
  );
}
