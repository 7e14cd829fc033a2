/** What an observation means for a checkpoint plan, as data (cassette-contract 6.2). */

import type { EntityAddress, EntityKind } from '../checkpoint/entity.ts';
import { observationFingerprint, stableNames } from '../checkpoint/fingerprint.ts';
import { foldTurnPhase } from '../checkpoint/fold.ts';
import { predicateTypes, type CheckpointKind, type PredicateType } from '../checkpoint/kinds.ts';
import { isBlank, trim } from '../json/read.ts';
import { isChild, type EventText, type ObservationEvent } from './batch.ts';

export type Description = { kind: CheckpointKind; predicate: PredicateType; equals: string; subject: EntityKind };

/** The checkpoint of an observation, or `null` where its type makes none or it lacks what the type needs (6.2). */
export function describeObservation(event: ObservationEvent): Description | null {
  const rule = ruleOf(event.type);
  if (!rule || !rule.needs.every((need) => isGiven(event, need))) return null;
  const kind = typeof rule.kind === 'string' ? rule.kind : compactionKind(rule.kind, event);
  if (kind === undefined) return null;
  const word = trim(rule.words.map((name) => event[name]).find((text) => !isBlank(text)) ?? rule.otherwise);
  const equals = rule.predicate === 'turn.phase' ? foldTurnPhase(word) : word;
  return { kind, predicate: rule.predicate, equals, subject: predicateTypes[rule.predicate].subject };
}

/** The fingerprint of an event at an address: what was observed, without ids, in the words it came in (4.7). */
export function eventFingerprint(event: ObservationEvent, address: EntityAddress): string {
  return observationFingerprint({ type: event.type, address, stable: Object.fromEntries(stableNames.map((name) => [name, event[name]])) });
}

/** Whether an observation of this type is the birth of its turn (6.6). */
export function isTurnStart(type: string): boolean {
  return type === 'turn.started' || type === 'root_provider_turn.started';
}

type Need = 'child' | 'compaction' | 'attachments' | EventText;
/** `words` are asked in order, then `otherwise` counts; `kind` may depend on the status of a notice. */
type Rule = { kind: CheckpointKind | { readonly [noticeStatus: string]: CheckpointKind }; predicate: PredicateType; words: readonly EventText[]; otherwise: string; needs: readonly Need[] };

function ruleOf(type: string): Rule | undefined {
  return Object.hasOwn(rules, type) ? rules[type] : undefined;
}

function isGiven(event: ObservationEvent, need: Need): boolean {
  switch (need) {
    case 'child':
      return isChild(event);
    case 'compaction':
      return trim(event.noticeCommand) === 'compact';
    case 'attachments':
      return event.attachmentCount > 0;
    default:
      return !isBlank(event[need]);
  }
}

function compactionKind(kinds: { readonly [status: string]: CheckpointKind }, { noticeCommandStatus }: ObservationEvent): CheckpointKind | undefined {
  const status = trim(noticeCommandStatus);
  return Object.hasOwn(kinds, status) ? kinds[status] : undefined;
}

const childRuns: Rule = { kind: 'child-session.running', predicate: 'child-session.status', words: [], otherwise: 'running', needs: ['child'] };
const childEnds: Rule = { kind: 'child-session.completed', predicate: 'child-session.status', words: [], otherwise: 'completed', needs: ['child'] };
const turnWorks: Rule = { kind: 'turn.working', predicate: 'turn.phase', words: ['turnPhase'], otherwise: 'working', needs: ['turnId'] };
const turnEnds: Rule = { kind: 'turn.terminal', predicate: 'turn.status', words: ['turnOutcome', 'status'], otherwise: 'completed', needs: ['turnId'] };
const callEnds = (otherwise: string): Rule => ({ kind: 'tool.completed', predicate: 'call.status', words: [], otherwise, needs: ['turnId', 'callId'] });
// A compaction that failed has ended; the predicate says how.
const compactionKinds = { running: 'compaction.running', completed: 'compaction.completed', canceled: 'compaction.canceled', failed: 'compaction.completed' } as const;

const rules: { readonly [type: string]: Rule } = {
  'session.started': childRuns,
  'session.updated': childRuns,
  'session.completed': childEnds,
  'session.failed': childEnds,
  'turn.started': turnWorks,
  'turn.updated': turnWorks,
  'root_provider_turn.started': turnWorks,
  'turn.completed': turnEnds,
  'root_provider_turn.completed': turnEnds,
  'turn.failed': { ...turnEnds, words: [], otherwise: 'failed' },
  'turn.canceled': { ...turnEnds, kind: 'turn.canceled', words: [], otherwise: 'canceled' },
  'call.started': { kind: 'tool.started', predicate: 'call.status', words: [], otherwise: 'running', needs: ['turnId', 'callId'] },
  'call.completed': callEnds('completed'),
  'call.failed': callEnds('failed'),
  'interaction.requested': { kind: 'interaction.pending', predicate: 'interaction.status', words: [], otherwise: 'pending', needs: ['turnId', 'interactionId'] },
  'interaction.superseded': { kind: 'interaction.superseded', predicate: 'interaction.status', words: [], otherwise: 'superseded', needs: ['turnId', 'interactionId'] },
  'plan.proposed': { kind: 'plan.waiting', predicate: 'plan.status', words: [], otherwise: 'completed', needs: ['turnId'] },
  'compaction.updated': { kind: compactionKinds, predicate: 'compaction.status', words: ['noticeCommandStatus'], otherwise: '', needs: ['turnId', 'compaction'] },
  'attachment.materialized': { kind: 'attachment.materialized', predicate: 'attachment.materialized', words: [], otherwise: 'true', needs: ['turnId', 'messageId', 'attachments'] },
};
