/** What the window reports to the register of a replay (design ruling 7). */

import { limits } from '../../core/limits.ts';
import type { Json } from '../../core/json/exact.ts';
import type { DivergenceFacts } from '../../core/verdict/divergence.ts';
import type { CommandOutcome, EngineCommand } from '../engine/command.ts';
import type { Judgement } from './judge.ts';
import type { LaneEvent } from './lane.ts';

/** A command that was recorded otherwise, or not at all; `near` is the last event that was dispatched. */
export function commandDivergence(judgement: Exclude<Judgement, { kind: 'same' }>, command: EngineCommand, near: LaneEvent | null): DivergenceFacts {
  if (judgement.kind === 'extra') {
    const live = cut(command.payload);
    return { layer: 'effect', code: 'command_extra', lane, position: near && positionOf(near), recorded: null, live, message: `Cannot continue replay: the window makes command "${command.type}" (${command.commandId}), the recording has no such command here` };
  }
  const { effect, path, recorded, live } = judgement;
  const message = `Cannot continue replay: the window makes command "${command.type}" with ${path} ${cut(live) ?? 'absent'}, ${cut(recorded) ?? 'nothing'} was recorded`;
  return { layer: 'effect', code: 'command_changed', lane, position: positionOf(effect.event), path, recorded: cut(recorded), live: cut(live), message };
}

/** A prompt that leaves while a turn runs, where the recorded one had waited. */
export function overtakingDivergence(event: LaneEvent, turnId: string): DivergenceFacts {
  return { layer: 'effect', code: 'command_changed', lane, position: positionOf(event), path: '$.lanes.started', recorded: 'an idle session', live: `turn "${turnId}"`, message: `Cannot continue replay: the window makes command "${event.type}" while turn "${turnId}" runs, the recorded one waited for an idle session` };
}

/** A command that ended otherwise than it was recorded. */
export function resultDivergence(event: LaneEvent, outcome: CommandOutcome, member: 'outcome' | 'errorCode' | 'errorReason'): DivergenceFacts {
  const [recorded, live] = [cut(event.payload[member] ?? undefined), cut(outcome[member])];
  const said = outcome.errorMessage === undefined ? '' : ` (${outcome.errorMessage})`;
  return { layer: 'effect', code: 'command_result', lane, position: positionOf(event), path: `$.payload.${member}`, recorded, live, message: `Cannot continue replay: command "${event.type}" ended with ${member} ${live ?? 'absent'}${said}, ${recorded ?? 'none'} was recorded` };
}

export function surplusDivergence(surplus: { turnId: string; index: number; recordedCount: number }, agentSessionId: string): DivergenceFacts {
  const { turnId, index, recordedCount } = surplus;
  return { layer: 'state', code: 'turn_surplus', path: `$.turns[${index}]`, recorded: null, live: turnId, message: `Cannot continue replay: session "${agentSessionId}" has turn ${index + 1} ("${turnId}"), ${recordedCount} were recorded` };
}

/** An intent of the recording that this product does not know any more: what it did, nothing does. */
export function unknownIntent(event: LaneEvent): DivergenceFacts {
  return { layer: 'effect', code: 'command_missing', lane, position: positionOf(event), path: '$.type', recorded: event.type, live: null, message: `Cannot continue replay: the window has no intent "${event.type}", it was recorded` };
}

/** The window could not take in what the daemon told it: from here on it shows something old. */
export function brokenDivergence(error: unknown, near: LaneEvent | null): DivergenceFacts {
  const why = cut(error instanceof Error ? error.message : String(error));
  return { layer: 'state', code: 'not_shown', lane, position: near && positionOf(near), message: `Cannot continue replay: the window could not take in what the daemon told it (${why}), a window that shows it was needed` };
}

function positionOf({ sequence, eventId }: LaneEvent): { activitySequence: number; eventId: string } {
  return { activitySequence: sequence, eventId };
}

/** Texts as they are, everything else as JSON. */
function cut(value: Json | undefined): string | null {
  if (value === undefined) return null;
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > limits.shownCharactersMax ? `${text.slice(0, limits.shownCharactersMax)}… (${text.length} characters)` : text;
}

const lane = 'activity';
