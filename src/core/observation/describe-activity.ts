/** What a batch of activity events means for a checkpoint plan, as data (cassette-contract 6.7). */

import type { ActivityEvent } from '../activity/event.ts';
import type { EntityAddress } from '../checkpoint/entity.ts';
import { predicateTypes, type CheckpointKind, type PredicateType } from '../checkpoint/kinds.ts';
import { objectAt, textAt, trim } from '../json/read.ts';
import type { EntityRegistry } from './registry.ts';

export type ActivityDescription = { kind: CheckpointKind; predicate: PredicateType; equals: string; subject: EntityAddress };

/**
 * The checkpoints of a batch: the last event says which, a project adds its own; feedback anywhere in it says it whatever came
 * of it. None where the event makes none, did not succeed, or is about something without an address, which no replay could ask
 * about (6.7).
 */
export function describeActivity(batch: readonly ActivityEvent[], registry: EntityRegistry): ActivityDescription[] {
  const feedback = batch.findLast(({ type }) => trim(type) === 'plan/feedbackRequested');
  const event = feedback ?? batch.at(-1);
  if (!event || !(feedback || hasSucceeded(event))) return [];
  const rules = feedback ? [feedbackSubmitted] : rulesOf(event);
  return rules.flatMap(({ kind, predicate, equals }) => {
    const subject = subjectOf(event, predicate, registry);
    return subject ? [{ kind, predicate, equals, subject }] : [];
  });
}

/** Whether an event has a goal's beginning in it (6.7). */
export function introducesGoal(event: ActivityEvent): boolean {
  const type = trim(event.type);
  return type === 'goal/control' || (type === 'session/activate' && hasSucceeded(event) && Object.keys(objectAt(event.payload, 'initialGoalControl') ?? {}).length > 0);
}

/** Only effects can fail. */
function hasSucceeded({ kind, payload }: ActivityEvent): boolean {
  return kind !== 'effect' || textAt(payload, 'outcome') === 'succeeded';
}

type Rule = Pick<ActivityDescription, 'kind' | 'predicate' | 'equals'>;

function rulesOf({ type, payload }: ActivityEvent): readonly Rule[] {
  const name = trim(type);
  if (name === 'goal/control') return goalRule(textAt(payload, 'action') ?? '');
  if (name === 'session/activate') return isProject(payload) ? [sessionReady, projectReady] : [sessionReady];
  const rule = Object.hasOwn(rules, name) ? rules[name] : undefined;
  return rule ? [rule] : [];
}

function goalRule(action: string): readonly Rule[] {
  const status = Object.hasOwn(goalActions, action) ? goalActions[action] : undefined;
  return status ? [{ kind: `goal.${status}`, predicate: 'goal.status', equals: status }] : [];
}

function subjectOf({ agentSessionId, payload }: ActivityEvent, predicate: PredicateType, registry: EntityRegistry): EntityAddress | null {
  const sessionId = agentSessionId ?? '';
  const turnId = textAt(payload, 'turnId') ?? '';
  switch (predicateTypes[predicate].subject) {
    case 'session':
      return registry.lookup({ kind: 'session', sessionId });
    case 'turn':
      return registry.lookup({ kind: 'turn', sessionId, turnId });
    case 'interaction':
      return registry.lookupInteraction({ sessionId, turnId, requestId: textAt(payload, 'requestId') ?? '' });
    case 'goal':
      return registry.lookup({ kind: 'goal', sessionId });
    case 'tool-call':
    case 'attachment':
      return null;
  }
}

function isProject(payload: ActivityEvent['payload']): boolean {
  return textAt(objectAt(payload, 'railPlacement'), 'kind') === 'project';
}

const sessionReady: Rule = { kind: 'session.ready', predicate: 'session.exists', equals: 'true' };
const projectReady: Rule = { kind: 'project.binding-ready', predicate: 'project.binding', equals: 'recorded' };
const feedbackSubmitted: Rule = { kind: 'plan.feedback-submitted', predicate: 'session.status', equals: 'working' };
const responseGiven: Rule = { kind: 'interaction.resolved', predicate: 'interaction.status', equals: 'answered' };
const turnCanceled: Rule = { kind: 'turn.canceled', predicate: 'turn.status', equals: 'canceled' };
const settingsApplied: Rule = { kind: 'settings.applied', predicate: 'settings.equal', equals: 'recorded' };
const promptAccepted: Rule = { kind: 'submission.accepted', predicate: 'session.status', equals: 'working' };
const planConfirmed: Rule = { kind: 'plan.confirmed', predicate: 'session.status', equals: 'working' };

const rules: { readonly [type: string]: Rule } = {
  'interactive.response': responseGiven,
  'interaction/respond': responseGiven,
  'turn.cancel': turnCanceled,
  'turn/cancel': turnCanceled,
  'session.settings.update': settingsApplied,
  'session/updateSettings': settingsApplied,
  'session.send': promptAccepted,
  'submit/requested': promptAccepted,
  // What a submission waits for: a batch with both ends with it, and without this row had no checkpoint.
  'queue/sendPrompt': promptAccepted,
  'plan.decision': planConfirmed,
  'plan/submitDecision': planConfirmed,
};
const goalActions: { readonly [action: string]: 'running' | 'paused' | 'cleared' } = { set: 'running', resume: 'running', pause: 'paused', clear: 'cleared' };
