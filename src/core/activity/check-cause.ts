/** How an effect hangs on its intent, and which intents lack one (cassette-contract 3.3, T3 to T7). */

import type { Report } from '../issue.ts';
import { isBlank, shown, trim } from '../json/read.ts';
import { intentRule, isEffectAllowed } from './contract.ts';
import type { ActivityFacts, ActivityTimeline } from './event.ts';
import { refuseAt, type Refuse } from './refuse.ts';

/** Checks an effect against its cause (T3, T4, T5): the event of that id so far, which may be the effect itself. */
export function checkCause(effect: ActivityFacts, before: { cause: ActivityFacts | undefined; isWhole: boolean }, refuse: Refuse): void {
  if (effect.causedByEventId === null || isBlank(effect.causedByEventId)) return;
  const path = '$.causedByEventId';
  const { cause } = before;
  if (!cause) {
    // A record that could not be read may be the cause.
    if (before.isWhole) refuse('cause_not_earlier_intent', path, `no earlier event has the id ${shown(effect.causedByEventId)}`, 'an earlier intent was needed');
    return;
  }
  if (cause.kind !== 'intent') {
    if (cause.kind !== null) refuse('cause_not_earlier_intent', path, cause === effect ? 'the effect names itself' : `line ${cause.line} is of kind "${cause.kind}"`, 'an earlier intent was needed');
    return;
  }
  // The reference's audit compares ids as they are written (14.1); white space inside the effect itself was reported before.
  if (trim(effect.causedByEventId) === effect.causedByEventId && effect.causedByEventId !== cause.eventId) refuse('activity_padding', path, `the id in line ${cause.line} has white space around it`, 'the same text was expected');
  if (effect.type !== null && !isBlank(effect.type) && intentRule(cause.type) && !isEffectAllowed(cause.type, effect.type)) refuse('effect_not_allowed', '$.type', `an intent "${trim(cause.type ?? '')}" does not cause ${shown(effect.type)}`, `one of ${intentRule(cause.type)?.effects.join(', ') || 'no effects'} was needed`);
  checkCorrelation(effect, cause, refuse);
}

/** Reports every intent that requires an effect and has none (T6). A file without events is not asked, as in the reference (3.3). */
export function reportIncompleteIntents(timeline: ActivityTimeline, report: Report): void {
  for (const { line, eventId, type, correlationId } of timeline.incomplete)
    refuseAt(line, report)('intent_effect_missing', '$.eventId', `intent ${shown(eventId)} of type ${shown(type)} and correlation ${shown(correlationId)} has no effect`, `at least one of ${intentRule(type)?.effects.join(', ')} was needed`);
}

function checkCorrelation(effect: ActivityFacts, cause: ActivityFacts, refuse: Refuse): void {
  const path = '$.correlationId';
  if (cause.correlationId === null || isBlank(cause.correlationId) || effect.correlationId === null) return;
  if (isBlank(effect.correlationId)) refuse('correlation_blank', path, 'it is blank', `${shown(cause.correlationId)}, as in line ${cause.line}, was needed`);
  else if (trim(effect.correlationId) !== trim(cause.correlationId)) refuse('correlation_mismatch', path, `it is ${shown(effect.correlationId)}, line ${cause.line} has ${shown(cause.correlationId)}`, 'one correlation was needed');
}

/** Which intents still lack a required effect, while the events come in (T6). */
export class OpenIntents {
  readonly #open = new Set<ActivityFacts>();
  readonly #strayTypes = new Set<string>();

  /** `cause` is the event that the id of the cause names. An event of unknown kind may have been an effect. */
  take(event: ActivityFacts, cause: ActivityFacts | undefined): void {
    if (event.kind === 'intent' && intentRule(event.type)?.requiresEffect) this.#open.add(event);
    if (event.kind === 'intent' || event.kind === 'direct-stimulus') return;
    if (cause?.kind === 'intent') this.#open.delete(cause);
    else this.#strayTypes.add(trim(event.type ?? ''));
  }

  /** An effect that names no intent is red already, and may belong to any that allows it: such intents are not blamed too. */
  left(): ActivityFacts[] {
    return [...this.#open].filter(({ type }) => !intentRule(type)?.effects.some((effect) => this.#strayTypes.has(effect)));
  }
}
