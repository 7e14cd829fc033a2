/** Whether a command that the window wants to make is the one that was recorded (cassette-contract 3.5). */

import { commandMismatch, type LiveCommand } from '../../core/activity/match-command.ts';
import { stableDifference } from '../../core/activity/stable-fields.ts';
import type { Json } from '../../core/json/exact.ts';
import type { LaneEvent } from './lane.ts';

/** `payload` in the ids and paths of this run; `boundCommandId` is the id that its intent was given. */
export type ExpectedEffect = { event: LaneEvent; boundCommandId: string | null };

export type Judgement =
  | { kind: 'same'; effect: ExpectedEffect }
  | { kind: 'changed'; effect: ExpectedEffect; path: string; recorded: Json | undefined; live: Json | undefined }
  | { kind: 'extra' };

/** `effects` are those without a command yet, in order; `causedBy` is the event of the command's intent, null for nobody's. */
export function judgeCommand({ command, causedBy, effects }: { command: LiveCommand; causedBy: string | null; effects: readonly ExpectedEffect[] }): Judgement {
  const alike = effects.filter(({ event }) => event.type === command.type);
  const own = causedBy === null ? undefined : alike.find(({ event }) => event.causedByEventId === causedBy);
  if (!own) return { kind: 'extra' };
  // Prompts of one session go out one at a time: a later one here has overtaken another.
  const effect = command.type === 'queue/sendPrompt' ? (alike.find(({ event }) => event.agentSessionId === command.agentSessionId) ?? own) : own;
  return compare(effect, command);
}

function compare(effect: ExpectedEffect, command: LiveCommand): Judgement {
  const { event, boundCommandId } = effect;
  const difference = stableDifference(event.type, event.payload, command.payload);
  if (difference) return { kind: 'changed', effect, ...difference, path: `$.payload${difference.path.slice(1)}` };
  switch (commandMismatch(event, command, boundCommandId)) {
    case null:
      return { kind: 'same', effect };
    case 'session':
      return { kind: 'changed', effect, path: '$.agentSessionId', recorded: event.agentSessionId, live: command.agentSessionId };
    case 'correlation':
    case 'type':
    case 'fields':
      return { kind: 'changed', effect, path: '$.correlationId', recorded: event.correlationId, live: command.correlationId };
  }
}
