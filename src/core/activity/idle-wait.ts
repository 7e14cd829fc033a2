/** Which events wait until their session is idle (cassette-contract 3.6, 3.9). */

import { member } from '../json/exact.ts';
import { objectAt } from '../json/read.ts';
import type { ActivityEvent } from './event.ts';
import { skipsQueue } from './readiness.ts';

/** Whether the session must be idle before this event; `later` are the events behind it. */
export function waitsForIdle(event: Pick<ActivityEvent, 'kind' | 'type' | 'eventId' | 'payload'>, later: Iterable<Pick<ActivityEvent, 'kind' | 'type' | 'causedByEventId'>>): boolean {
  const { kind, type, payload } = event;
  if (kind === 'direct-stimulus') return type === 'session.send' && !isSteering(member(payload, 'guidance'));
  if (kind !== 'intent') return false;
  if (type === 'plan/feedbackRequested') return true;
  if (type !== 'submit/requested') return false;
  if (member(objectAt(payload, 'submitDiagnostics'), 'queued') === true || skipsQueue(payload)) return false;
  // A queued prompt waits for nobody: the turn that runs is the reason why it was queued.
  for (const effect of later) if (effect.kind === 'effect' && effect.causedByEventId === event.eventId && (effect.type === 'queue/sendPrompt' || effect.type === 'session/activate')) return true;
  return false;
}

function isSteering(guidance: unknown): boolean {
  return guidance === true || guidance === 'steer';
}
