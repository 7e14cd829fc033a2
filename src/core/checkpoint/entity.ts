/** The closed sets of an entity address, and the address itself (cassette-contract 4.6). */

import type { ObservationPlace } from './position.ts';

export const entityKinds = ['session', 'turn', 'message', 'tool-call', 'interaction', 'goal', 'attachment'] as const;
export type EntityKind = (typeof entityKinds)[number];

export type EntityOrigin =
  | { source: 'recording-root' }
  | { source: 'initial-state'; initialStatePath: string }
  | { source: 'activity-event'; activityEventSequence: bigint }
  | { source: 'provider-observation'; providerObservation: ObservationPlace };

export type OriginSource = EntityOrigin['source'];
export const originSources = ['recording-root', 'initial-state', 'activity-event', 'provider-observation'] as const satisfies readonly OriginSource[];

/** `discriminator` is absent where it would be empty. */
export type EntityAddress = { kind: EntityKind; origin: EntityOrigin; discriminator?: string };
