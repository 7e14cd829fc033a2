/** Ids of commands that a replay makes itself, and to which correlation they belong (cassette-contract 3.5). */

import type { JsonObject } from '../json/exact.ts';
import { isBlank } from '../json/read.ts';
import { intentRule } from './contract.ts';
import { readIdSource } from './correlation-keys.ts';
import type { ActivityEvent } from './event.ts';

export type CommandBinding = { correlationId: string | null; commandId: string };

export type CommandIntent = Pick<ActivityEvent, 'type' | 'eventId' | 'correlationId' | 'payload'>;

/** The id that the command of an intent gets in a replay: it differs between two cassettes that were recorded alike (3.5). */
export function replayCommandId(cassetteId: string, eventId: string): string {
  return `replay:${cassetteId}:${eventId}`;
}

/** The command id that dispatching an intent fixes beforehand, or null where the product is free to choose (3.5). */
export function commandBinding(cassetteId: string, intent: CommandIntent): CommandBinding | null {
  const rule = intentRule(intent.type);
  if (!rule) return null;
  const commandId = rule.makesCommandId ? replayCommandId(cassetteId, intent.eventId) : rule.boundCommandId && readIdSource(rule.boundCommandId, intent.payload);
  return commandId === null ? null : { correlationId: isBlank(intent.correlationId ?? undefined) ? null : intent.correlationId, commandId };
}

/** The payload as it is dispatched: with the command id where the contract says that the replay makes it (3.5). */
export function materializePayload(cassetteId: string, intent: CommandIntent): JsonObject {
  return intentRule(intent.type)?.makesCommandId ? { ...intent.payload, commandId: replayCommandId(cassetteId, intent.eventId) } : intent.payload;
}

/** Which command id belongs to which correlation, inside one cassette (3.5). */
export class CommandBindings {
  readonly #commands = new Map<string, string>();

  /** Gives the code of the rule that is broken, or null. Binding the same pair again changes nothing. */
  bind({ correlationId, commandId }: CommandBinding): 'command_correlation_missing' | 'command_correlation_repeated' | null {
    if (correlationId === null) return 'command_correlation_missing';
    const bound = this.#commands.get(correlationId);
    if (bound !== undefined && bound !== commandId) return 'command_correlation_repeated';
    this.#commands.set(correlationId, commandId);
    return null;
  }

  commandOf(correlationId: string | null): string | null {
    return correlationId === null ? null : (this.#commands.get(correlationId) ?? null);
  }
}
