/** What the result of a command does (replay-runtime 5.1). What became of the work itself, canonical rows say. */

import { settleSession } from './canonical.ts';
import type { CommandResulted } from './intent.ts';
import type { CommandFailure, EngineState, Failure, Prompt, SessionState } from './state.ts';

export function applyResult(state: EngineState, result: CommandResulted): EngineState {
  const session = state.sessions[result.agentSessionId];
  if (!session) return state;
  switch (result.commandType) {
    case 'session/activate':
      return settleActivation(state, session, result);
    case 'queue/sendPrompt':
      return settleSend(state, session, result);
    case 'turn/cancel': {
      // A turn that ended by itself needed no stop: nothing went wrong.
      const what = result.errorCode === 'turn_settled' ? null : 'stop';
      return settleSession(showFailure(state, result, what), { ...session, cancels: without(session.cancels, result) });
    }
    case 'interaction/respond':
      return settleSession(showFailure(state, result, 'answer'), { ...session, answers: without(session.answers, result) });
    case 'session/updateSettings':
      return settleSession(showFailure(state, result, 'settings'), { ...session, settingsUpdates: without(session.settingsUpdates, result) });
  }
}

function settleActivation(state: EngineState, session: SessionState, result: CommandResulted): EngineState {
  const { activation } = session;
  if (activation?.phase !== 'requested' || activation.commandId !== result.commandId) return state;
  if (result.outcome === 'succeeded') return settleSession(state, { ...session, activation: { ...activation, phase: 'taken' }, awaitedTurnId: turnOf(result) });
  const prompt = activation.prompt && failed(activation.prompt, result);
  return settleSession(showFailure(state, result, 'start'), { ...session, activation: { ...activation, phase: 'failed', prompt } });
}

function settleSend(state: EngineState, session: SessionState, result: CommandResulted): EngineState {
  const { sending, queue } = session;
  if (sending?.commandId !== result.commandId) return state;
  if (result.outcome === 'succeeded') return settleSession(state, { ...session, sending: null, sent: sending, awaitedTurnId: turnOf(result) });
  return settleSession(showFailure(state, result, 'send'), { ...session, sending: null, queue: [failed(sending, result), ...queue] });
}

function failed(prompt: Prompt, result: CommandResulted): Prompt {
  return { ...prompt, failure: failureOf(result) };
}

function failureOf({ outcome, errorCode, errorReason, errorMessage }: CommandResulted): CommandFailure {
  return { code: errorCode ?? outcome, reason: errorReason ?? null, message: errorMessage ?? '' };
}

function showFailure(state: EngineState, result: CommandResulted, what: Failure['what'] | null): EngineState {
  if (result.outcome === 'succeeded' || what === null) return state;
  return { ...state, failures: [...state.failures, { failureId: result.commandId, agentSessionId: result.agentSessionId, what, ...failureOf(result) }] };
}

function turnOf({ value }: CommandResulted): string | null {
  return typeof value?.['turnId'] === 'string' ? value['turnId'] : null;
}

function without<Item extends { commandId: string }>(items: readonly Item[], { commandId }: CommandResulted): Item[] {
  return items.filter((item) => item.commandId !== commandId);
}
