/** What a person does to a turn: start it, stop it, answer what it asks (agent-host 1.2, 1.4). */

import { RuntimeError, type CancelResult, type ExecInput, type ExecResult, type InteractiveAnswer, type InteractiveDisposition } from '../../../core/agent/runtime.ts';
import type { JsonObject } from '../../../core/json/exact.ts';
import { objectAt, textAt } from '../../../core/json/read.ts';
import { limits } from '../../../core/limits.ts';
import type { Clock } from '../../../core/ports.ts';
import { toRuntimeError, type CodexConnection } from './connection.ts';
import { readRpcError } from './handshake.ts';
import { decisions, withAsk, type ApprovalOption } from './reduce-request.ts';
import { findTurn, withEntry, withoutEntry, withTurn, type Ask, type TurnState } from './session-state.ts';
import { readSettings, turnOverrides, type ThreadSettings } from './settings.ts';
import type { Answer, TurnEnd } from './waiters.ts';

/** One live session. `settings` is what its thread has now; `execs` are the turns that are on their way. */
export type CodexSession = { connection: CodexConnection; cwd: string; settings: ThreadSettings; execs: Map<string, Promise<ExecResult>> };

/** Sends the turn; the answer's unit is committed, with the acceptance, before this resolves. */
export function startTurn(session: CodexSession, input: ExecInput): Promise<ExecResult> {
  const running = sendTurn(session, input).finally(() => session.execs.delete(input.turnId));
  session.execs.set(input.turnId, running);
  return running;
}

/** How long a stop waits at each step: until Codex has taken the turn, until it runs, until it has ended; `ms` null is without end. */
type Patience = { clock: Clock; ms: number | null };

/** Resolves when the exact turn has ended and its end is committed, or when nobody can say. */
export async function cancelTurn(session: CodexSession, turnId: string, patience: Patience): Promise<CancelResult> {
  const { connection, execs } = session;
  await connection.retryReports();
  const sent = await within(execs.get(turnId) ?? Promise.resolve(undefined), patience);
  // Note: between its answer and turn/started Codex says of a turn that it is not active, and runs it all the same.
  const begun = sent === null ? null : await within(connection.whenBegun(turnId), patience);
  if (begun === null) return { state: 'unconfirmed' };
  if (connection.state.ended.has(turnId)) return stateOf(await connection.whenEnded(turnId));
  if (!connection.isLive) return { state: 'unconfirmed' };
  const turn = findTurn(connection.state, turnId);
  if (!turn) return { state: sent?.disposition === 'outcome_unknown' ? 'unconfirmed' : 'target_absent' };
  return (await within(interrupt(connection, turn, patience.clock), patience)) ?? { state: 'unconfirmed' };
}

async function interrupt(connection: CodexConnection, turn: TurnState, clock: Clock): Promise<CancelResult> {
  connection.state = withTurn(connection.state, { ...turn, isCancelRequested: true });
  const ended = connection.whenEnded(turn.turnId);
  const { sent, answer } = connection.request('turn/interrupt', { threadId: connection.state.threadId, turnId: turn.providerTurnId });
  const unsent = sent.then(() => new Promise<never>(() => {}), () => 'unsent' as const);
  const first = await Promise.race([ended, answer, unsent]);
  if (first === 'unsent') return { state: 'unconfirmed' };
  return typeof first === 'string' ? stateOf(first) : afterInterrupt(first, ended, clock);
}

/** Gives the person's decision under the exact id that Codex asked with; a second answer changes nothing. */
export async function respondTo(session: CodexSession, input: { turnId: string; requestId: string; answer: InteractiveAnswer }): Promise<InteractiveDisposition> {
  const { connection } = session;
  const ask = findAsk(session, input);
  if (!ask || ask.disposition !== 'pending') return ask?.disposition ?? 'unknown';
  const option = readOption(input.answer);
  setAsk(connection, { ...ask, disposition: 'resolving' });
  if (option === 'abort') markCanceled(connection, ask.turnId);
  try {
    await connection.send({ id: ask.serverId, result: { decision: decisions[ask.dialect][option] } });
  } catch (error) {
    setAsk(connection, { ...ask, disposition: 'interrupted' });
    throw toRuntimeError(error, 'provider_unreachable');
  }
  setAsk(connection, { ...ask, disposition: 'answered' });
  return 'answered';
}

/** What is known of a question without asking. */
export function dispositionOf(session: CodexSession, input: { turnId: string; requestId: string }): InteractiveDisposition {
  return findAsk(session, input)?.disposition ?? 'unknown';
}

async function sendTurn(session: CodexSession, input: ExecInput): Promise<ExecResult> {
  const { connection } = session;
  if (!connection.isLive) return failed('not_dispatched', { code: 'provider_exited', message: 'Cannot start a turn: Codex has ended, a live process was needed' });
  let settings: ThreadSettings;
  try {
    settings = readSettings(input.settings);
  } catch (error) {
    const { code, message } = toRuntimeError(error, 'settings_invalid');
    return failed('not_dispatched', { code, message });
  }
  const params = turnParams(session, input, settings);
  const { sent, answer } = connection.request('turn/start', params, (state, key) => ({ ...state, starting: withEntry(state.starting, key, input.turnId) }));
  try {
    // Where the connection is lost while the message is on its way, nobody will say that it left.
    await Promise.race([sent, answer]);
  } catch (error) {
    forgetStart(connection, input.turnId);
    const { code, message } = toRuntimeError(error, codeOf(error));
    return failed('not_dispatched', { code, message });
  }
  session.settings = { ...settings, effort: settings.effort || session.settings.effort, model: settings.model || session.settings.model, serviceTier: settings.serviceTier || session.settings.serviceTier };
  return execResult(await answer);
}

function turnParams({ connection, settings: current }: CodexSession, { content, clientSubmitId }: ExecInput, settings: ThreadSettings): JsonObject {
  return {
    threadId: connection.state.threadId,
    // Codex knows its connectors by itself: texts alone are sent.
    input: content.flatMap((block) => (block.type === 'text' ? [{ type: 'text', text: block.text, text_elements: [] }] : [])),
    ...(clientSubmitId !== null && { clientUserMessageId: clientSubmitId }),
    ...turnOverrides(current, settings),
  };
}

function execResult(answer: Answer): ExecResult {
  switch (answer.kind) {
    case 'error':
      return failed('rejected', readRpcError(answer.error));
    case 'lost':
      return failed('outcome_unknown', { code: 'provider_exited', message: 'Cannot say what became of the turn: Codex ended before it answered turn/start, an answer was needed' });
    case 'result': {
      const providerTurnId = textAt(objectAt(answer.result, 'turn'), 'id');
      if (providerTurnId === undefined) return failed('outcome_unknown', { code: 'provider_protocol', message: 'Cannot follow the turn: Codex took it without a name, an id was needed' });
      return { disposition: 'applied', providerTurnId, error: null };
    }
  }
}

function failed(disposition: ExecResult['disposition'], error: { code: string; message: string }): ExecResult {
  return { disposition, providerTurnId: null, error };
}

// Codex answers at once; the end of the turn comes behind. A turn that it does not know may have ended just before.
async function afterInterrupt(answer: Answer, ended: Promise<TurnEnd>, clock: Clock): Promise<CancelResult> {
  if (answer.kind === 'lost') return { state: 'unconfirmed' };
  const isAbsent = answer.kind === 'error' && /no active turn|expected active turn|turn not found/i.test(answer.error.message);
  if (answer.kind === 'error' && !isAbsent) return { state: 'unconfirmed' };
  const end = isAbsent ? await within(ended, { clock, ms: limits.stopMs }) : await ended;
  return end === null ? { state: 'target_absent' } : stateOf(end);
}

function stateOf(end: TurnEnd): CancelResult {
  return { state: end === 'settled' ? 'settled' : 'unconfirmed' };
}

// What it comes to, or null where that takes too long. As quick with a limit as without: a recording and its replay must not differ
// in whether the reader is at the next unit before whoever awaited this one goes on.
function within<Value>(work: Promise<Value>, { clock, ms }: Patience): Promise<Value | null> {
  return new Promise((resolve, reject) => {
    const cancel = ms === null ? () => {} : clock.after(ms, () => resolve(null));
    work.then(resolve, reject).finally(cancel);
  });
}

function readOption({ action, optionId }: InteractiveAnswer): ApprovalOption {
  const option = optionId ?? action;
  if (!Object.hasOwn(decisions.item, option)) throw new RuntimeError('invalid_argument', `Cannot answer the approval: "${option}" is no option, one of ${Object.keys(decisions.item).join(', ')} was needed`);
  return option as ApprovalOption;
}

function findAsk({ connection }: CodexSession, { turnId, requestId }: { turnId: string; requestId: string }): Ask | null {
  const ask = connection.state.asks.get(requestId);
  return ask?.turnId === turnId ? ask : null;
}

function setAsk(connection: CodexConnection, ask: Ask): void {
  connection.state = withAsk(connection.state, ask);
}

// An abort stops the turn as a person's cancel does.
function markCanceled(connection: CodexConnection, turnId: string): void {
  const turn = findTurn(connection.state, turnId);
  if (turn) connection.state = withTurn(connection.state, { ...turn, isCancelRequested: true });
}

function forgetStart(connection: CodexConnection, turnId: string): void {
  const key = [...connection.state.starting].find(([, started]) => started === turnId)?.[0];
  if (key !== undefined) connection.state = { ...connection.state, starting: withoutEntry(connection.state.starting, key) };
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'provider_unreachable';
}
