/** Where a turn was born whose start this process did not see first (cassette-contract 6.6). */

import type { EntityAddress } from '../checkpoint/entity.ts';
import type { CheckpointPlan, Trigger } from '../checkpoint/plan.ts';
import { compareUnits, isSameUnit, type ObservationPlace } from '../checkpoint/position.ts';
import type { ObservationEvent } from './batch.ts';
import { eventFingerprint, isTurnStart } from './describe.ts';

/**
 * The addresses that may be the turn's, the likeliest first and its own position last: what the plan says of this very
 * observation, then the last start before it. Fingerprints hold the address, so a wrong one shows at the next checkpoint.
 */
export function turnBirths(event: ObservationEvent, place: ObservationPlace, plan: CheckpointPlan | null): EntityAddress[] {
  const own = turnAt(place);
  if (isTurnStart(event.type) || plan === null) return [own];
  return [...plannedTurns(event, place, plan), ...lastStart(place, plan), own];
}

// A merged checkpoint may have several turns; the one that gives the recorded fingerprint is meant.
function plannedTurns(event: ObservationEvent, place: ObservationPlace, { checkpoints }: CheckpointPlan): EntityAddress[] {
  const planned = checkpoints.find(({ trigger }) => isTriggeredAt(trigger, place));
  if (planned?.trigger.source !== 'provider-observation') return [];
  const { fingerprint } = planned.trigger;
  const turns = planned.subjects.filter(({ kind, origin }) => kind === 'turn' && origin.source === 'provider-observation');
  const exact = turns.find((turn) => eventFingerprint(event, turn) === fingerprint);
  return exact ? [exact] : turns.slice(0, 1);
}

function lastStart(place: ObservationPlace, { checkpoints }: CheckpointPlan): EntityAddress[] {
  const starts = checkpoints.flatMap(({ trigger }) => (trigger.source === 'provider-observation' && isTurnStart(trigger.type) && isAtOrBefore(trigger.position, place) ? [trigger.position] : []));
  const last = starts.reduce<ObservationPlace | null>((latest, start) => (latest === null || isAtOrBefore(latest, start) ? start : latest), null);
  return last === null ? [] : [turnAt(last)];
}

function isTriggeredAt(trigger: Trigger, place: ObservationPlace): boolean {
  return trigger.source === 'provider-observation' && isSameUnit(trigger.position, place) && trigger.position.eventIndex === place.eventIndex;
}

function isAtOrBefore(a: ObservationPlace, b: ObservationPlace): boolean {
  const order = compareUnits(a, b);
  return a.connectionId === b.connectionId && (order < 0 || (order === 0 && a.eventIndex <= b.eventIndex));
}

function turnAt(providerObservation: ObservationPlace): EntityAddress {
  return { kind: 'turn', origin: { source: 'provider-observation', providerObservation } };
}
