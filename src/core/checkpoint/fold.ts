/** Words of the activity layer as the closed words of stored state (cassette-contract 4.8, 6.7). */

import { isBlank, trim } from '../json/read.ts';

/** The stored phase of a turn; a word that is no alias is trimmed and stays (4.8). */
export function foldTurnPhase(phase: string): string {
  const word = trim(phase);
  return phaseAliases.get(word) ?? word;
}

/** The stored status of a call: one that waits still runs (4.8). */
export function foldCallStatus(status: string): string {
  const word = trim(status);
  return runningCalls.has(word) ? 'running' : word;
}

/** The word for a goal in predicates: a cleared goal first, then what was observed, then how it was synced (6.7). */
export function goalStatus({ isTombstoned, observed, sync }: { isTombstoned: boolean; observed: string; sync: string }): string {
  if (isTombstoned) return 'cleared';
  return goalAliases.get(trim(observed)) ?? (isBlank(observed) ? trim(sync) : trim(observed));
}

const phaseAliases = new Map([
  ['working', 'running'],
  ['streaming', 'running'],
  ['waiting_approval', 'waiting'],
  ['awaiting_approval', 'waiting'],
  ['waiting_input', 'waiting'],
  ['idle', 'settled'],
]);
const runningCalls = new Set(['working', 'streaming', 'in_progress', 'pending', 'waiting_approval', 'awaiting_approval', 'waiting_input']);
const goalAliases = new Map([
  ['active', 'running'],
  ['running', 'running'],
  ['paused', 'paused'],
  ['complete', 'completed'],
  ['completed', 'completed'],
]);
