/** The operation engine: one runner per operation, whose end is stored before anybody hears of it (agent-host 1.4). */

import { isObject } from '../../core/json/exact.ts';
import { textAt } from '../../core/json/read.ts';
import { RuntimeError, type InteractiveAnswer } from '../../core/agent/runtime.ts';
import type { TurnError, TurnOutcome } from '../../core/agent/views.ts';
import type { Operation, OperationResult } from '../store/operations.ts';
import type { HostContext } from './context.ts';
import { answerActionOf, resendActionOf, type AnswerAction } from './dispositions.ts';
import { textOf } from './errors.ts';
import { hostLimits } from './limits.ts';

export type Engine = {
  /** Carries an operation on; whoever asks while it runs gets the same end. */
  run: (operationId: string, options?: { isStartup: boolean }) => Promise<Operation>;
  stop: () => void;
};

type Decision =
  | { kind: 'complete'; result: OperationResult }
  | { kind: 'settle'; end: { outcome: TurnOutcome; error?: TurnError } }
  | { kind: 'retry' | 'fail'; error: string };

/** The reason of a wait that only a live provider ends. */
export const disconnected = 'runtime_session_disconnected';

export function createEngine(host: HostContext): Engine {
  const flights = new Map<string, Promise<Operation>>();
  const timers = new Set<() => void>();
  let isStopped = false;
  const owner = host.ids.uuid();
  const run: Engine['run'] = (operationId, { isStartup } = { isStartup: false }) => {
    const known = flights.get(operationId);
    if (known) return known;
    const flight = attempt(host, { operationId, owner, isStartup, putOff }).finally(() => flights.delete(operationId));
    flights.set(operationId, flight);
    return flight;
  };
  const putOff = (operationId: string, delayMs: number): void => {
    if (isStopped) return;
    const cancel = host.after?.(delayMs, () => {
      timers.delete(cancel!);
      run(operationId).catch((error: unknown) => host.log('cannot carry on an operation', error));
    });
    if (cancel) timers.add(cancel);
  };
  const stop = (): void => {
    isStopped = true;
    for (const cancel of timers) cancel();
    timers.clear();
  };
  return { run, stop };
}

type Attempt = { operationId: string; owner: string; isStartup: boolean; putOff: (operationId: string, delayMs: number) => void };

async function attempt(host: HostContext, { operationId, owner, isStartup, putOff }: Attempt): Promise<Operation> {
  const { store } = host;
  const leased = store.lease({ operationId, owner, leaseMs: hostLimits.leaseMs });
  if (!leased) return store.operation(operationId)!;
  const decision = leased.kind === 'cancel_turn' ? await cancelTurn(host, leased) : await answer(host, leased, isStartup);
  switch (decision.kind) {
    case 'complete':
      store.complete({ operationId, result: decision.result });
      break;
    case 'settle':
      store.completeCancel({ ...leased.ref, turnId: leased.turnId }, { operationId, end: decision.end });
      break;
    case 'fail':
      store.fail({ operationId, error: decision.error });
      break;
    case 'retry': {
      const delayMs = retryDelayMs(leased.attempt);
      store.release({ operationId, delayMs, error: decision.error });
      if (store.operation(operationId)!.status === 'prepared') putOff(operationId, delayMs);
      break;
    }
  }
  return store.operation(operationId)!;
}

/** Doubles with each attempt, up to a limit. */
export function retryDelayMs(attempts: number): number {
  return Math.min(hostLimits.retryFirstMs * 2 ** Math.max(0, attempts - 1), hostLimits.retryLastMs);
}

async function answer({ runtime }: HostContext, operation: Operation, isStartup: boolean): Promise<Decision> {
  const { ref, turnId, requestId, payload, attempt: attempts } = operation;
  // After a restart nobody is left who asked.
  if (!runtime.has(ref) && isStartup) return { kind: 'fail', error: 'the provider that asked is gone' };
  if (!runtime.has(ref) || !runtime.isLive(ref)) return { kind: 'retry', error: disconnected };
  const known = attempts > 1 ? resendActionOf(runtime.dispositionOf({ ref, turnId, requestId })) : 'send';
  if (known !== 'send') return answered(known);
  try {
    return answered(answerActionOf(await runtime.respond({ ref, turnId, requestId, answer: answerOf(payload) })));
  } catch (error) {
    return failed(error);
  }
}

function answered(action: AnswerAction): Decision {
  switch (action) {
    case 'answered':
    case 'superseded':
      return { kind: 'complete', result: action };
    case 'retry':
      return { kind: 'retry', error: 'the provider has not taken the answer yet' };
    case 'fail':
      return { kind: 'fail', error: 'the provider knows nothing of the request' };
  }
}

async function cancelTurn({ runtime }: HostContext, { ref, turnId }: Operation): Promise<Decision> {
  // The provider that ran the turn has gone with all it knew.
  if (!runtime.has(ref)) return { kind: 'settle', end: lost };
  if (!runtime.isLive(ref)) return { kind: 'retry', error: disconnected };
  try {
    const { state } = await runtime.cancel({ ref, turnId });
    switch (state) {
      case 'settled':
        return { kind: 'settle', end: { outcome: 'canceled' } };
      case 'target_absent':
        return { kind: 'settle', end: lost };
      case 'unconfirmed':
        return { kind: 'retry', error: 'the provider has not confirmed the end of the turn' };
    }
  } catch (error) {
    return failed(error);
  }
}

function failed(error: unknown): Decision {
  if (!(error instanceof RuntimeError)) return { kind: 'fail', error: textOf(error) };
  const isDisconnected = error.code === disconnected || error.code === 'session_not_found';
  return isDisconnected ? { kind: 'retry', error: disconnected } : { kind: 'fail', error: `${error.code}: ${error.message}` };
}

function answerOf(payload: Operation['payload']): InteractiveAnswer {
  const inner = payload['payload'];
  return { action: textAt(payload, 'action') ?? '', optionId: textAt(payload, 'optionId') ?? null, payload: isObject(inner) ? inner : null };
}

// Absence never reads as success: nobody knows how far the turn came (agent-host D4).
const lost: { outcome: TurnOutcome; error: TurnError } = { outcome: 'failed', error: { code: 'execution_status_unknown', message: 'The provider no longer knows this turn, so how far it came is unknown' } };
