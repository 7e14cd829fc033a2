/** One line of `activity-events.jsonl` (cassette-contract 3.1, 3.2, 3.5). */

import { choice, document, filled, free, i64, isOurs, list, object, optional, refused, text, u64, version, when, shared } from './members.ts';
import { positions } from './positions.ts';
import { activityKinds, effectOutcomes, effectTypes, intentTypes, policy } from './vocabulary.ts';

const lane = (description: string) => list(description, shared('reached'));

export const activityEventDocument = document('activity-event', 'Activity event', 'One line of the activity events: what the user did, or what came of it.', {
  schemaVersion: version(policy.schemaVersion, 'the cassette'),
  sequence: u64('The number of the line, from 1.', { minimum: 1 }),
  kind: choice('What was meant by the user, what the product did about it, or a request from outside.', activityKinds),
  type: filled('Which intent, effect or request.'),
  eventId: filled('The event, unique in the file.'),
  correlationId: optional(text('Binds an intent and its effects.')),
  causedByEventId: optional(filled('Of an effect: the earlier intent it belongs to.')),
  agentSessionId: optional(text('The session it concerns.')),
  payload: optional(free('What the intent, effect or request said.')),
  occurredAtUnixMs: i64('When it happened.', { minimum: 1 }),
  lanes: optional(object('Where the connections stood; ours.', {
    seen: optional(lane('Of an intent or request: what the window had applied when it was made.')),
    accepted: optional(lane('Of an intent or request: what had been received when it was accepted.')),
    started: optional(lane('Of an effect: what had been received when it began.')),
  }, { [isOurs]: true })),
}, {
  definitions: { reached: positions.reached },
  allOf: [
    refused('scopeId', 'workspaceId'),
    when('kind', ['intent'], { properties: { type: { enum: intentTypes } }, ...refused('causedByEventId') }),
    when('kind', ['direct-stimulus'], refused('causedByEventId')),
    when('kind', ['effect'], { properties: { type: { enum: effectTypes }, payload: { properties: { outcome: { enum: effectOutcomes } }, required: ['outcome'] } }, required: ['causedByEventId', 'payload'] }),
  ],
});
