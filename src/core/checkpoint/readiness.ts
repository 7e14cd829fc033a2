/** Whether what a checkpoint waits for is so, asked of a read-only view of the product's state (cassette-contract 4.8, 6.8). */

import { member, type Json } from '../json/exact.ts';
import { isBlank, textAt } from '../json/read.ts';
import type { EntityAddress } from './address.ts';
import { foldCallStatus, foldTurnPhase, goalStatus } from './fold.ts';
import { predicateTypes } from './kinds.ts';
import type { Predicate } from './plan.ts';

export type SessionState = { hasActiveTurn: boolean; hasEnded: boolean };
export type MessageState = { status: string; payload: Json };
export type TurnState = { phase: string; outcome: string; messages: readonly MessageState[] };
export type GoalState = { isTombstoned: boolean; observed: string; sync: string };

/** The product's state by address; `undefined` for what is not there, or not bound to its address yet. */
export type ReadinessView = {
  session: (address: EntityAddress) => SessionState | undefined;
  turn: (address: EntityAddress) => TurnState | undefined;
  call: (address: EntityAddress) => MessageState | undefined;
  interaction: (address: EntityAddress) => { status: string } | undefined;
  goal: (address: EntityAddress) => GoalState | undefined;
  /** The attachment block that the address means; its ordinal is the discriminator. */
  attachment: (address: EntityAddress) => { attachmentId: string } | undefined;
  /** Composer settings of the session against those of the expected state (7.7). */
  areSettingsRecorded: (address: EntityAddress) => boolean;
  /** Target, provider, folder and rail of the session against those of the resolved expected state. */
  isProjectRecorded: (address: EntityAddress) => boolean;
};

/** `actual` is what the state says, in the words of the predicate; `null` where the subject is not there. */
export type Readiness = { holds: boolean; actual: string | null } | { fault: 'checkpoint_plan_invalid' | 'checkpoint_identity_unresolved'; reason: string };

/** Evaluates one predicate. Both sides are folded, so that plans recorded before the fold stay replayable (seed 001; 4.8). */
export function evaluatePredicate({ type, subject, equals }: Predicate, subjects: readonly EntityAddress[], view: ReadinessView): Readiness {
  const address = subjects[subject];
  const { subject: kind, only } = predicateTypes[type];
  if (address === undefined) return invalid(`${type} has no subject ${subject}`);
  if (address.kind !== kind) return invalid(`${type} asks about a ${kind} and its subject is a ${address.kind}`);
  if (only !== null && equals !== only) return invalid(`${type} can only be compared with "${only}"`);
  if (type === 'child-session.status' && address.origin.source === 'recording-root') return invalid('child-session.status asks about the root');
  const actual = actualValue({ type, equals }, address, view);
  if (actual === null) return absent(address);
  return { holds: actual === expectedValue(type, equals), actual };
}

/** The first predicate that does not hold, or `null` when the checkpoint is ready; none at all is ready at once (4.8). */
export function firstUnready(predicates: readonly Predicate[], subjects: readonly EntityAddress[], view: ReadinessView): { predicate: Predicate; readiness: Readiness } | null {
  for (const predicate of predicates) {
    const readiness = evaluatePredicate(predicate, subjects, view);
    if ('fault' in readiness || !readiness.holds) return { predicate, readiness };
  }
  return null;
}

function actualValue({ type, equals }: Pick<Predicate, 'type' | 'equals'>, address: EntityAddress, view: ReadinessView): string | null {
  switch (type) {
    case 'session.exists':
      return view.session(address) ? 'true' : null;
    case 'session.status':
      return ifFound(view.session(address), ({ hasActiveTurn }) => (hasActiveTurn ? 'working' : 'ready'));
    case 'session.queue-empty':
      return ifFound(view.session(address), ({ hasActiveTurn }) => String(!hasActiveTurn));
    case 'turn.phase':
      return ifFound(view.turn(address), ({ phase }) => foldTurnPhase(phase));
    case 'turn.status':
      return ifFound(view.turn(address), ({ phase, outcome }) => (outcome === '' ? phase : outcome));
    case 'interaction.status':
      return ifFound(view.interaction(address), ({ status }) => status);
    case 'call.status':
      return ifFound(view.call(address), ({ status, payload }) => foldCallStatus(firstSaid(textAt(payload, 'status'), status)));
    case 'plan.status':
      return ifFound(view.turn(address), ({ messages }) => chosen(messages.filter(isPlan).map(({ status }) => (isBlank(status) ? 'completed' : status)), equals));
    case 'goal.status':
      return ifFound(view.goal(address), goalStatus);
    case 'settings.equal':
      return ifFound(view.session(address), () => (view.areSettingsRecorded(address) ? 'recorded' : 'different'));
    case 'attachment.materialized':
      return ifFound(view.attachment(address), ({ attachmentId }) => String(!isBlank(attachmentId)));
    case 'compaction.status':
      return ifFound(view.turn(address), ({ messages }) => chosen(messages.filter(isCompaction).map(({ payload }) => textAt(payload, 'noticeCommandStatus') ?? ''), equals));
    case 'child-session.status':
      return ifFound(view.session(address), ({ hasEnded }) => (hasEnded ? 'completed' : 'running'));
    case 'project.binding':
      return ifFound(view.session(address), () => (view.isProjectRecorded(address) ? 'recorded' : 'different'));
  }
}

function expectedValue(type: Predicate['type'], equals: string): string {
  if (type === 'turn.phase') return foldTurnPhase(equals);
  if (type === 'call.status') return foldCallStatus(equals);
  // Note: the reference does not look at what the queue is compared with.
  return type === 'session.queue-empty' ? 'true' : equals;
}

// Of several messages any one may be the one that is meant.
function chosen(values: readonly string[], wanted: string): string {
  return values.includes(wanted) ? wanted : (values.at(-1) ?? '');
}

const firstSaid = (text: string | undefined, otherwise: string): string => (text === undefined || isBlank(text) ? otherwise : text);
const isPlan = ({ payload }: MessageState): boolean => member(payload, 'messageKind') === 'plan';
const isCompaction = ({ payload }: MessageState): boolean => member(payload, 'noticeCommand') === 'compact';

function ifFound<State>(state: State | undefined, read: (state: State) => string): string | null {
  return state === undefined ? null : read(state);
}

// A provider's entity may still come; one of the activity lane is bound before its effect, or never (6.6). Goals are looked up.
function absent({ kind, origin }: EntityAddress): Readiness {
  if (origin.source !== 'activity-event' || kind === 'goal') return { holds: false, actual: null };
  return { fault: 'checkpoint_identity_unresolved', reason: `nothing is bound to the ${kind} of activity event ${origin.activityEventSequence}` };
}

const invalid = (reason: string): Readiness => ({ fault: 'checkpoint_plan_invalid', reason });
