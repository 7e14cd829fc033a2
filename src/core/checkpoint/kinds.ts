/** The closed vocabularies of a checkpoint plan as data (cassette-contract 4.3, 4.5, 4.8). */

import type { UnitKind } from '../ports.ts';
import type { EntityKind } from './entity.ts';

/** Every kind of checkpoint, with its weight where two share a cursor and whether a published plan may end with it (4.3). */
export const checkpointKinds = {
  'replay.bootstrap': { priority: 0, isTerminal: false },
  'session.ready': { priority: 0, isTerminal: false },
  'turn.working': { priority: 10, isTerminal: false },
  'turn.canceled': { priority: 60, isTerminal: true },
  'turn.terminal': { priority: 60, isTerminal: true },
  'interaction.pending': { priority: 50, isTerminal: false },
  'interaction.resolved': { priority: 0, isTerminal: false },
  'interaction.superseded': { priority: 50, isTerminal: false },
  'plan.waiting': { priority: 45, isTerminal: false },
  'plan.feedback-submitted': { priority: 0, isTerminal: false },
  'plan.confirmed': { priority: 0, isTerminal: false },
  'plan.superseded': { priority: 0, isTerminal: false },
  'tool.started': { priority: 30, isTerminal: false },
  'tool.completed': { priority: 40, isTerminal: false },
  'queue.stable': { priority: 0, isTerminal: false },
  'settings.applied': { priority: 0, isTerminal: false },
  'submission.accepted': { priority: 0, isTerminal: false },
  'response.committed': { priority: 0, isTerminal: false },
  'goal.running': { priority: 0, isTerminal: false },
  'goal.paused': { priority: 0, isTerminal: false },
  'goal.completed': { priority: 60, isTerminal: true },
  'goal.cleared': { priority: 60, isTerminal: true },
  'compaction.running': { priority: 0, isTerminal: false },
  'compaction.canceled': { priority: 8, isTerminal: true },
  'compaction.completed': { priority: 8, isTerminal: true },
  'child-session.running': { priority: 0, isTerminal: false },
  'child-session.completed': { priority: 60, isTerminal: true },
  'attachment.materialized': { priority: 0, isTerminal: false },
  'project.binding-ready': { priority: 5, isTerminal: false },
} as const satisfies { [kind: string]: { priority: number; isTerminal: boolean } };

export type CheckpointKind = keyof typeof checkpointKinds;

export function isCheckpointKind(text: string): text is CheckpointKind {
  return Object.hasOwn(checkpointKinds, text);
}

export const triggerSources = ['bootstrap', 'activity-boundary', 'provider-observation'] as const;

export const boundaryKinds = ['intent-effects', 'single-event'] as const;
export type BoundaryKind = (typeof boundaryKinds)[number];

export const unitKinds: readonly UnitKind[] = ['protocol-message', 'mapped-stderr-message', 'process-exit'];

/**
 * Every readiness predicate: the kind of entity it asks about, and the one value it must be compared with where there is only
 * one (4.8). The subject's kind and the value are looked at when a predicate is evaluated, not when a plan is checked.
 */
export const predicateTypes = {
  'session.exists': { subject: 'session', only: 'true' },
  'session.status': { subject: 'session', only: null },
  'session.queue-empty': { subject: 'session', only: null },
  'turn.phase': { subject: 'turn', only: null },
  'turn.status': { subject: 'turn', only: null },
  'interaction.status': { subject: 'interaction', only: null },
  'call.status': { subject: 'tool-call', only: null },
  'plan.status': { subject: 'turn', only: null },
  'goal.status': { subject: 'goal', only: null },
  'settings.equal': { subject: 'session', only: 'recorded' },
  'attachment.materialized': { subject: 'attachment', only: null },
  'compaction.status': { subject: 'turn', only: null },
  'child-session.status': { subject: 'session', only: null },
  'project.binding': { subject: 'session', only: 'recorded' },
} as const satisfies { [type: string]: { subject: EntityKind; only: string | null } };

export type PredicateType = keyof typeof predicateTypes;

export function isPredicateType(text: string): text is PredicateType {
  return Object.hasOwn(predicateTypes, text);
}
