/** The engine of one window: takes intents one after the other, has its commands executed, and tells observers (replay-runtime 5.1). */

import type { CommandOutcome, EngineCommand } from './command.ts';
import type { Intent } from './intent.ts';
import { reduce } from './reduce.ts';
import type { EngineState } from './state.ts';

export type EngineObserver = {
  /** Every intent that was dispatched, as the reducer left it, with the state before it. */
  intent?: (intent: Intent, before: EngineState) => void;
};

export type Engine = {
  dispatch: (intent: Intent) => void;
  getSnapshot: () => EngineState;
  /** Called after every change; the result ends it. Fits `useSyncExternalStore`. */
  subscribe: (listener: () => void) => () => void;
  observe: (observer: EngineObserver) => () => void;
};

export type EngineOptions = {
  initial: EngineState;
  execute: (command: EngineCommand) => Promise<CommandOutcome>;
  /** Hears what an observer or a listener threw; the product goes on. */
  onObserverError?: (error: unknown) => void;
};

/** Makes an engine. An intent that is dispatched inside a listener is taken after the one that is being told of. */
export function createEngine({ initial, execute, onObserverError = () => {} }: EngineOptions): Engine {
  let state = initial;
  let isTaking = false;
  const waiting: Intent[] = [];
  const listeners = new Set<() => void>();
  const observers = new Set<EngineObserver>();

  const tell = (call: () => void): void => {
    try {
      call();
    } catch (error) {
      onObserverError(error);
    }
  };

  const run = async (command: EngineCommand): Promise<void> => {
    const { commandId, type: commandType, agentSessionId } = command;
    const outcome = await settle(execute, command);
    dispatch({ type: 'engine/commandResult', commandId, commandType, agentSessionId, ...outcome });
  };

  const take = (intent: Intent): void => {
    const before = state;
    const reduced = reduce(state, intent);
    state = reduced.state;
    for (const observer of observers) tell(() => observer.intent?.(reduced.intent, before));
    for (const command of reduced.commands) void run(command);
    if (state !== before) for (const listener of listeners) tell(listener);
  };

  function dispatch(intent: Intent): void {
    waiting.push(intent);
    if (isTaking) return;
    isTaking = true;
    try {
      for (let next = waiting.shift(); next; next = waiting.shift()) take(next);
    } finally {
      isTaking = false;
    }
  }

  return {
    dispatch,
    getSnapshot: () => state,
    subscribe: (listener) => add(listeners, listener),
    observe: (observer) => add(observers, observer),
  };
}

/** A command that could not even be made has failed, as one that the daemon refused. */
async function settle(execute: EngineOptions['execute'], command: EngineCommand): Promise<CommandOutcome> {
  try {
    return await execute(command);
  } catch (error) {
    return { outcome: 'failed', errorCode: 'internal_error', errorMessage: error instanceof Error ? error.message : String(error) };
  }
}

function add<Item>(items: Set<Item>, item: Item): () => void {
  items.add(item);
  return () => items.delete(item);
}
