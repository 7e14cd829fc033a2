import { expect, test } from 'vitest';
import type { InteractionReport } from '../../../core/agent/report.ts';
import type { InteractionStatus } from '../../../core/agent/views.ts';
import { stepInteraction } from './interaction.ts';

const existing = (status: InteractionStatus) => ({ agentSessionId: 's', turnId: 't', requestId: 'r', kind: 'approval' as const, status, toolName: 'command', input: { a: 1, b: [2] }, output: null, metadata: {} });
const check = (was: InteractionStatus | null, change: Partial<InteractionReport>, isTurnSettled: boolean, step: string) =>
  expect(stepInteraction(was && existing(was), { turnId: 't', requestId: 'r', kind: 'approval', status: 'pending', ...change }, isTurnSettled)).toBe(step);

test.each<[InteractionStatus | null, Partial<InteractionReport>, boolean, string]>([
  [null, {}, false, 'insert'],
  [null, {}, true, 'already'],
  [null, { status: 'superseded' }, true, 'insert'],
  ['pending', {}, false, 'already'],
  ['pending', { toolName: 'command', input: { b: [2], a: 1 }, metadata: {} }, false, 'already'],
  ['pending', { status: 'answered' }, false, 'apply'],
  ['pending', { status: 'superseded' }, false, 'apply'],
  ['answered', { status: 'superseded' }, false, 'already'],
  ['superseded', { status: 'answered' }, false, 'already'],
  ['answered', {}, false, 'already'],
  ['pending', { kind: 'question' }, false, 'conflict'],
  ['pending', { toolName: 'file_change' }, false, 'conflict'],
  ['pending', { input: { a: 2 } }, false, 'conflict'],
  ['answered', { metadata: { b: 1 } }, false, 'conflict'],
])('stepInteraction() from %s with %j, turn settled %s: %s', check);
