/** What stands between the engine and the daemon in record and replay (desktop-order b1, b2, b10). */

import type { JsonObject } from '../../core/json/exact.ts';
import type { CommandHeaders } from '../client/client.ts';
import type { HttpFailure } from '../client/http.ts';
import type { CommandOutcome, EngineCommand } from '../engine/command.ts';

/** Lets a command go, or answers for the daemon. Called in the order in which the engine makes commands. */
export type Gate = (command: EngineCommand, send: (stamp: CommandHeaders) => Promise<CommandOutcome>) => Promise<CommandOutcome>;

/** A command that was held back, because what it follows from was refused. */
export function refused({ code, reason, message }: Pick<HttpFailure, 'code' | 'reason' | 'message'>): CommandOutcome {
  return { outcome: 'failed', errorCode: code, ...(reason === null ? {} : { errorReason: reason }), errorMessage: message };
}

/** How a command ended, as an effect's payload says it (cassette-contract 3.5). */
export function outcomePayload({ outcome, errorCode, errorReason, errorMessage, value }: CommandOutcome): JsonObject {
  return {
    outcome,
    ...(errorCode === undefined ? {} : { errorCode }),
    ...(errorReason === undefined ? {} : { errorReason }),
    ...(errorMessage === undefined ? {} : { errorMessage }),
    ...(value === undefined ? {} : { result: value }),
  };
}
