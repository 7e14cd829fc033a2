/** Gives the entities of an observation their addresses (cassette-contract 6.6). */

import type { EntityAddress, EntityKind } from '../checkpoint/entity.ts';
import type { CheckpointPlan } from '../checkpoint/plan.ts';
import type { ObservationPlace } from '../checkpoint/position.ts';
import { isBlank } from '../json/read.ts';
import { isChild, type ObservationEvent } from './batch.ts';
import { turnBirths } from './birth.ts';
import { describeObservation } from './describe.ts';
import type { EntityRef, EntityRegistry } from './registry.ts';

/** `plan` is the recorded one in a replay, `null` in a recording. */
export type Introduction = { place: ObservationPlace; registry: EntityRegistry; plan: CheckpointPlan | null };

/**
 * The addresses of an observation, most have one and attachments one each; none where the event is skipped: it makes no
 * checkpoint, lacks an id, or belongs to a second root (6.6).
 */
export function introduceEntities(event: ObservationEvent, { place, registry, plan }: Introduction): EntityAddress[] {
  if (!isAdmitted(event, registry)) return [];
  const description = describeObservation(event);
  if (description === null) return [];
  const addresses = subjectsOf(event, description.subject, { place, registry, plan });
  return addresses.every((address) => address !== null) ? addresses : [];
}

/** A session that nobody started is the root, and there is only one (6.6). */
function isAdmitted(event: ObservationEvent, registry: EntityRegistry): boolean {
  const { agentSessionId } = event;
  return registry.lookup({ kind: 'session', sessionId: agentSessionId }) !== null || isChild(event) || registry.bindRoot(agentSessionId);
}

function subjectsOf(event: ObservationEvent, subject: EntityKind, { place, registry, plan }: Introduction): (EntityAddress | null)[] {
  const { agentSessionId: sessionId, turnId, callId, interactionId, messageId } = event;
  const introduce = (ref: EntityRef): EntityAddress | null => registry.bind(ref, bornAt(ref.kind, place));
  switch (subject) {
    case 'session':
      return isRoot(sessionId, registry) ? [] : [introduce({ kind: 'session', sessionId })];
    case 'turn':
      return [introduceTurn(event, { place, registry, plan })];
    case 'tool-call':
      return [introduce({ kind: 'tool-call', sessionId, turnId, callId })];
    case 'interaction':
      return [knownInteraction(event, registry) ?? introduce({ kind: 'interaction', sessionId, turnId, interactionKind: interactionKindOf(event), requestId: interactionId })];
    case 'message':
      return [registry.bind({ kind: 'message', sessionId, messageId }, bornAt('message', place, 'message'))];
    case 'goal':
      return [registry.lookup({ kind: 'goal', sessionId })];
    case 'attachment':
      registry.bind({ kind: 'message', sessionId, messageId }, bornAt('message', place, 'message'));
      return Array.from({ length: event.attachmentCount }, (_, i) =>
        registry.bind({ kind: 'attachment', sessionId, messageId, ordinal: i + 1 }, bornAt('attachment', place, String(i + 1))),
      );
  }
}

// A recorded birth that another turn has taken is not this turn's.
function introduceTurn(event: ObservationEvent, { place, registry, plan }: Introduction): EntityAddress | null {
  const ref: EntityRef = { kind: 'turn', sessionId: event.agentSessionId, turnId: event.turnId };
  for (const birth of turnBirths(event, place, plan)) {
    const address = registry.bind(ref, birth);
    if (address) return address;
  }
  return null;
}

// An end that does not say its kind is the end of what was asked.
function knownInteraction({ type, agentSessionId, turnId, interactionId, interactionKind }: ObservationEvent, registry: EntityRegistry): EntityAddress | null {
  return type === 'interaction.superseded' ? registry.lookupInteraction({ sessionId: agentSessionId, turnId, requestId: interactionId, interactionKind }) : null;
}

// What is asked where the observation does not say (6.2).
function interactionKindOf({ interactionKind }: Pick<ObservationEvent, 'interactionKind'>): string {
  return isBlank(interactionKind) ? 'approval' : interactionKind;
}

function isRoot(sessionId: string, registry: EntityRegistry): boolean {
  return registry.sessionKey(sessionId) === '';
}

function bornAt(kind: EntityKind, providerObservation: ObservationPlace, discriminator?: string): EntityAddress {
  return { kind, origin: { source: 'provider-observation', providerObservation }, ...(discriminator ? { discriminator } : {}) };
}
