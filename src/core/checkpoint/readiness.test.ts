import { expect, test } from 'vitest';
import type { Json } from '../json/exact.ts';
import { rootAddress, type EntityAddress, type EntityKind } from './address.ts';
import { foldCallStatus, foldTurnPhase, goalStatus } from './fold.ts';
import { predicateTypes, type PredicateType } from './kinds.ts';
import { evaluatePredicate, firstUnready, type MessageState, type ReadinessView } from './readiness.ts';

const nothing: ReadinessView = {
  session: () => undefined, turn: () => undefined, call: () => undefined, interaction: () => undefined, goal: () => undefined, attachment: () => undefined,
  areSettingsRecorded: () => false, isProjectRecorded: () => false,
};
const session = (hasActiveTurn: boolean, hasEnded = false): Partial<ReadinessView> => ({ session: () => ({ hasActiveTurn, hasEnded }) });
const message = (payload: Json, status = ''): MessageState => ({ payload, status });
const turn = (phase: string, outcome = '', messages: MessageState[] = []): Partial<ReadinessView> => ({ turn: () => ({ phase, outcome, messages }) });
const address = (kind: EntityKind): EntityAddress => ({ kind, origin: { source: 'initial-state', initialStatePath: '/agent' } });

const check = (type: PredicateType, equals: string, view: Partial<ReadinessView>, expected: boolean | string) => {
  const readiness = evaluatePredicate({ type, subject: 0, equals }, [address(predicateTypes[type].subject)], { ...nothing, ...view });
  expect('fault' in readiness ? readiness.fault : readiness.holds).toBe(expected);
};

test.each<[PredicateType, string, Partial<ReadinessView>, boolean | string]>([
  ['session.exists', 'true', session(false), true],
  ['session.exists', 'true', {}, false],
  ['session.exists', 'false', session(false), 'checkpoint_plan_invalid'],
  ['session.status', 'working', session(true), true],
  ['session.status', 'ready', session(false), true],
  ['session.status', 'ready', session(true), false],
  ['session.queue-empty', 'true', session(false), true],
  ['session.queue-empty', 'whatever', session(false), true],
  ['session.queue-empty', 'true', session(true), false],
  ['turn.phase', 'running', turn('running'), true],
  ['turn.phase', 'working', turn('running'), true],
  ['turn.phase', 'running', turn('working'), true],
  ['turn.phase', 'waiting_approval', turn('waiting'), true],
  ['turn.phase', 'idle', turn('settled', 'completed'), true],
  ['turn.phase', 'settled', turn('running'), false],
  ['turn.phase', 'running', {}, false],
  ['turn.status', 'completed', turn('settled', 'completed'), true],
  ['turn.status', 'settled', turn('settled', 'completed'), false],
  ['turn.status', 'settled', turn('settled'), true],
  ['interaction.status', 'pending', { interaction: () => ({ status: 'pending' }) }, true],
  ['interaction.status', 'answered', { interaction: () => ({ status: 'pending' }) }, false],
  ['call.status', 'running', { call: () => message({ status: 'in_progress' }, 'completed') }, true],
  ['call.status', 'streaming', { call: () => message({ status: ' pending ' }) }, true],
  ['call.status', 'completed', { call: () => message({ status: ' ' }, 'completed') }, true],
  ['call.status', 'completed', { call: () => message({}, 'failed') }, false],
  ['plan.status', 'completed', turn('running', '', [message({ messageKind: 'plan' })]), true],
  ['plan.status', 'completed', turn('running', '', [message({ messageKind: 'plan' }, 'streaming'), message({ messageKind: 'plan' }, 'completed'), message({ messageKind: 'plan' }, 'streaming')]), true],
  ['plan.status', 'completed', turn('running', '', [message({ messageKind: 'plan' }, 'streaming')]), false],
  ['plan.status', 'completed', turn('running', '', [message({ messageKind: 'text' }, 'completed')]), false],
  ['goal.status', 'running', { goal: () => ({ isTombstoned: false, observed: 'active', sync: '' }) }, true],
  ['goal.status', 'cleared', { goal: () => ({ isTombstoned: true, observed: 'active', sync: '' }) }, true],
  ['settings.equal', 'recorded', { ...session(false), areSettingsRecorded: () => true }, true],
  ['settings.equal', 'recorded', session(false), false],
  ['settings.equal', 'equal', session(false), 'checkpoint_plan_invalid'],
  ['attachment.materialized', 'true', { attachment: () => ({ attachmentId: 'a' }) }, true],
  ['attachment.materialized', 'true', { attachment: () => ({ attachmentId: ' ' }) }, false],
  ['attachment.materialized', 'true', {}, false],
  ['compaction.status', 'completed', turn('running', '', [message({ noticeCommand: 'compact', noticeCommandStatus: 'running' }), message({ noticeCommand: 'compact', noticeCommandStatus: 'completed' })]), true],
  ['compaction.status', 'completed', turn('running', '', [message({ noticeCommand: 'clear', noticeCommandStatus: 'completed' })]), false],
  ['child-session.status', 'running', session(false, false), true],
  ['child-session.status', 'completed', session(false, true), true],
  ['project.binding', 'recorded', { ...session(false), isProjectRecorded: () => true }, true],
  ['project.binding', 'recorded', session(false), false],
  ['project.binding', 'true', session(false), 'checkpoint_plan_invalid'],
])('evaluatePredicate() of %s with %j', check);

test('every predicate is evaluated above', () => {
  for (const type of Object.keys(predicateTypes) as PredicateType[]) check(type, predicateTypes[type].only ?? 'x', {}, false);
});

test.each<[string, PredicateType, EntityAddress[], string | boolean]>([
  ['a subject of another kind', 'turn.phase', [rootAddress], 'checkpoint_plan_invalid'],
  ['no subject', 'turn.phase', [], 'checkpoint_plan_invalid'],
  ['the root as a child', 'child-session.status', [rootAddress], 'checkpoint_plan_invalid'],
  ['a turn of the activity lane that nothing is bound to', 'turn.phase', [{ kind: 'turn', origin: { source: 'activity-event', activityEventSequence: 2n } }], 'checkpoint_identity_unresolved'],
  ['a goal of the activity lane that nothing is bound to', 'goal.status', [{ kind: 'goal', origin: { source: 'activity-event', activityEventSequence: 2n } }], false],
])('evaluatePredicate() with %s', (_title, type, subjects, expected) => {
  const readiness = evaluatePredicate({ type, subject: 0, equals: 'x' }, subjects, nothing);
  expect('fault' in readiness ? readiness.fault : readiness.holds).toBe(expected);
});

test('firstUnready() names the predicate that does not hold, and none where there is none', () => {
  const view = { ...nothing, ...session(true) };
  const predicates = [{ type: 'session.exists', subject: 0, equals: 'true' }, { type: 'session.queue-empty', subject: 0, equals: 'true' }, { type: 'session.status', subject: 0, equals: 'ready' }] as const;
  expect(firstUnready(predicates, [rootAddress], view)).toEqual({ predicate: predicates[1], readiness: { holds: false, actual: 'false' } });
  expect(firstUnready(predicates.slice(0, 1), [rootAddress], view)).toBeNull();
  expect(firstUnready([], [], nothing)).toBeNull();
});

test.each([
  ['working', 'running'], ['streaming', 'running'], [' waiting_approval\u00a0', 'waiting'], ['awaiting_approval', 'waiting'], ['waiting_input', 'waiting'], ['idle', 'settled'],
  ['submitted', 'submitted'], ['settling', 'settling'], ['in_progress', 'in_progress'], [' odd ', 'odd'], ['', ''],
])('foldTurnPhase(%j) is %j', (phase, expected) => expect(foldTurnPhase(phase)).toBe(expected));

test.each([
  ['working', 'running'], ['streaming', 'running'], ['in_progress', 'running'], ['pending', 'running'], [' waiting_approval ', 'running'], ['awaiting_approval', 'running'], ['waiting_input', 'running'],
  ['idle', 'idle'], ['completed', 'completed'], [' failed', 'failed'],
])('foldCallStatus(%j) is %j', (status, expected) => expect(foldCallStatus(status)).toBe(expected));

test.each([
  [true, 'active', 'x', 'cleared'], [false, 'active', 'x', 'running'], [false, 'complete', 'x', 'completed'], [false, 'paused', 'x', 'paused'], [false, 'blocked', 'x', 'blocked'], [false, ' ', 'synced', 'synced'],
])('goalStatus(%j, %j, %j) is %j', (isTombstoned, observed, sync, expected) => expect(goalStatus({ isTombstoned, observed, sync })).toBe(expected));
