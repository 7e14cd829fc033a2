/**
 * Which intent caused which command, while a window is recorded (cassette-contract 3.5, 3.7). Every doubt is a defect, and a
 * defect keeps the recording from being sealed.
 */

import { setMember, type Json, type JsonObject } from '../json/exact.ts';
import { isBlank } from '../json/read.ts';
import { effectRule, isEffectAllowed } from './contract.ts';
import { correlationCandidates } from './correlation-keys.ts';
import { isInternalCommand, type LiveCommand } from './match-command.ts';

export type CommandDefect = { kind: 'uncorrelated-command' | 'disallowed-effect' | 'unsettled-command'; commandId: string; type: string };

export type Cause = { eventId: string; type: string; correlationId: string | null };

/** Remembers recorded intents by every id that a command may name, and the commands whose result is still open. */
export class CommandLedger {
  readonly #causes = new Map<string, Cause>();
  readonly #open = new Map<string, string>();
  readonly #defects: CommandDefect[] = [];

  /** `intent` holds the members of the intent as the engine dispatched it. A later intent takes over an id. */
  addIntent(cause: Cause, intent: JsonObject): void {
    for (const candidate of correlationCandidates(cause.type, intent)) this.#causes.set(candidate, cause);
  }

  /** The cause of a command that is recorded; null where it is none of ours, or a defect was noted. */
  begin(command: Pick<LiveCommand, 'type' | 'commandId' | 'correlationId'>): Cause | null {
    const { type, commandId, correlationId } = command;
    if (!effectRule(type) || isInternalCommand(command)) return null;
    const cause = (correlationId === null ? undefined : this.#causes.get(correlationId)) ?? this.#causes.get(commandId);
    if (!cause) return this.#fail({ kind: 'uncorrelated-command', commandId, type });
    if (!isEffectAllowed(cause.type, type)) return this.#fail({ kind: 'disallowed-effect', commandId, type });
    this.#open.set(commandId, type);
    return cause;
  }

  settle(commandId: string): void {
    this.#open.delete(commandId);
  }

  /** What stands against sealing now: every defect so far, and every command without a result. */
  defects(): CommandDefect[] {
    return [...this.#defects, ...[...this.#open].map(([commandId, type]) => ({ kind: 'unsettled-command' as const, commandId, type }))];
  }

  #fail(defect: CommandDefect): null {
    this.#defects.push(defect);
    return null;
  }
}

/** The correlation that is stored with an effect: the intent's before the result's before the command's (3.7). */
export function effectCorrelation(cause: string | null, result: string | null, command: string | null): string | null {
  return [cause, result, command].find((id) => id !== null && !isBlank(id)) ?? null;
}

/** An intent or command as payload: without the members that the event itself holds (3.5). */
export function recordedPayload(members: JsonObject): JsonObject {
  const payload: JsonObject = {};
  for (const key of Object.keys(members)) if (!strippedMembers.has(key)) setMember(payload, key, members[key] as Json);
  return payload;
}

const strippedMembers = new Set(['agentSessionId', 'commandId', 'correlationId', 'type', 'workspaceId']);
