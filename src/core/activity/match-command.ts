/** Finding the live command that a recorded effect speaks of, and comparing how both ended (cassette-contract 3.5). */

import { member, type JsonObject } from '../json/exact.ts';
import { isBlank, textAt, trim } from '../json/read.ts';
import { effectRule } from './contract.ts';
import type { ActivityEvent } from './event.ts';
import { stableDifference } from './stable-fields.ts';

export type LiveCommand = { type: string; commandId: string; agentSessionId: string | null; correlationId: string | null; payload: JsonObject };

export type RecordedEffect = Pick<ActivityEvent, 'type' | 'agentSessionId' | 'correlationId' | 'payload'>;

export type CommandMismatch = 'type' | 'session' | 'correlation' | 'fields';

/** Why a live command is not the recorded effect, nearest reason last; null where it is (3.5). */
export function commandMismatch(effect: RecordedEffect, command: LiveCommand, boundCommandId: string | null): CommandMismatch | null {
  if (effect.type !== command.type) return 'type';
  if (sessionOf(effect) !== sessionOf(command)) return 'session';
  if (!isCorrelated(effect, command, boundCommandId)) return 'correlation';
  return stableDifference(effect.type, effect.payload, command.payload) === null ? null : 'fields';
}

/** The member in which two results differ; message and value of a result are not compared (3.5). */
export function outcomeMismatch(recorded: JsonObject, live: JsonObject): 'outcome' | 'errorCode' | 'errorReason' | null {
  return (['outcome', 'errorCode', 'errorReason'] as const).find((key) => (member(recorded, key) ?? null) !== (member(live, key) ?? null)) ?? null;
}

/** Whether the window makes such a command by itself, so that it is neither recorded nor missed (3.5). */
export function isInternalCommand(command: Pick<LiveCommand, 'type' | 'commandId'>): boolean {
  return effectRule(command.type)?.internalCommandIdPrefixes.some((prefix) => command.commandId.startsWith(prefix)) ?? false;
}

function isCorrelated(effect: RecordedEffect, command: LiveCommand, boundCommandId: string | null): boolean {
  if (effect.correlationId !== null && !isBlank(effect.correlationId) && effect.correlationId === command.correlationId) return true;
  if (boundCommandId !== null && boundCommandId === command.commandId) return true;
  const field = effectRule(effect.type)?.alternateCorrelation ?? null;
  const id = field === null ? undefined : textAt(effect.payload, field);
  return field !== null && id !== undefined && !isBlank(id) && id === member(command.payload, field);
}

function sessionOf({ agentSessionId }: { agentSessionId: string | null }): string | null {
  return agentSessionId === null ? null : trim(agentSessionId) || null;
}
