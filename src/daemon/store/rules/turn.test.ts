import { expect, test } from 'vitest';
import type { TurnOutcome, TurnPhase } from '../../../core/agent/views.ts';
import { stepProviderTurn, stepTurn, type ProviderTurnState } from './turn.ts';

const state = (text: string): { phase: TurnPhase; outcome: TurnOutcome | null } => {
  const [phase, outcome] = text.split('/') as [TurnPhase, TurnOutcome?];
  return { phase, outcome: outcome ?? null };
};
const show = ({ phase, outcome }: { phase: string; outcome: string | null }) => (outcome ? `${phase}/${outcome}` : phase);

const check = (from: string, to: string, step: string) => expect(stepTurn(state(from), state(to))).toBe(step);
test.each([
  ['submitted', 'running', 'apply'], ['submitted', 'waiting', 'apply'], ['submitted', 'settling', 'apply'], ['submitted', 'settled/failed', 'apply'],
  ['running', 'waiting', 'apply'], ['running', 'settling', 'apply'], ['running', 'settled/completed', 'apply'], ['running', 'submitted', 'refuse'],
  ['waiting', 'running', 'apply'], ['waiting', 'settling', 'apply'], ['waiting', 'settled/canceled', 'apply'], ['waiting', 'submitted', 'refuse'],
  ['settling', 'settled/completed', 'apply'], ['settling', 'running', 'refuse'], ['settling', 'waiting', 'refuse'],
  ['settled/completed', 'running', 'refuse'], ['settled/completed', 'settled/completed', 'already'], ['settled/completed', 'settled/failed', 'refuse'],
  ['running', 'running', 'already'], ['running', 'settled', 'refuse'], ['running', 'waiting/completed', 'refuse'],
])('stepTurn() from %s to %s: %s', check);

const checkProvider = (from: string, phase: 'running' | 'completed', children: number, expected: string) => {
  const [canonical, providerPhase = null] = from.split(' ') as [string, ProviderTurnState['providerPhase']?];
  const step = stepProviderTurn({ ...state(canonical), providerTurnId: 'p', providerPhase }, { providerTurnId: 'p', phase, outcome: 'failed' }, children);
  expect([step.kind, ...(step.canonical ? [show(step.canonical)] : [])].join(' ')).toBe(expected);
};
test.each<[string, 'running' | 'completed', number, string]>([
  ['submitted', 'running', 0, 'project running'],
  ['waiting', 'running', 0, 'project'],
  ['running running', 'running', 0, 'already'],
  ['running running', 'completed', 0, 'project settled/failed'],
  ['submitted', 'completed', 0, 'project settled/failed'],
  ['running running', 'completed', 2, 'project waiting'],
  ['waiting running', 'completed', 1, 'project'],
  ['settling running', 'completed', 1, 'project'],
  ['waiting completed', 'completed', 0, 'already'],
  ['waiting completed', 'running', 0, 'already'],
  ['settled/canceled running', 'completed', 0, 'project'],
  ['settled/canceled', 'running', 0, 'already'],
])('stepProviderTurn() from %s by %s with %i live children: %s', checkProvider);

test('stepProviderTurn() refuses another provider turn', () => {
  expect(stepProviderTurn({ phase: 'running', outcome: null, providerTurnId: 'p', providerPhase: 'running' }, { providerTurnId: 'q', phase: 'completed', outcome: 'completed' }, 0).kind).toBe('refuse');
});
