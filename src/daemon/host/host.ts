/** The Agent Host: sessions and turns of people and providers, over one store and one runtime (agent-host 1, 4). */

import { normalize } from 'node:path';
import { HostError, type AgentHost } from '../../core/agent/host.ts';
import type { CommitObserver, CommittedDelta } from '../../core/agent/delta.ts';
import type { ActivitySink } from '../../core/agent/report.ts';
import type { Runtime } from '../../core/agent/runtime.ts';
import type { SessionRef } from '../../core/agent/views.ts';
import { openDatabase } from '../store/open.ts';
import { createStore, type Store } from '../store/store.ts';
import type { TransactionPorts } from '../store/transaction.ts';
import { cancel } from './cancel.ts';
import { needSession, type HostContext } from './context.ts';
import { create } from './create.ts';
import { createEngine } from './engine.ts';
import { ensure } from './ensure.ts';
import { capture, restore } from './graphs.ts';
import { hostLimits } from './limits.ts';
import { createSessionLock } from './lock.ts';
import { updatePin, updateSettings, updateTitle } from './metadata.ts';
import { recover } from './recover.ts';
import { respond } from './respond.ts';
import { send } from './send.ts';

export type HostOptions = {
  /** A file, or `:memory:`. */
  databasePath: string;
  /** Built with the only way in which a runtime reaches the store. */
  runtime: (sink: ActivitySink) => Runtime;
  clock: { nowUnixMs: () => number };
  ids: { uuid: () => string };
  /** Default: nowhere. */
  log?: (text: string, error: unknown) => void;
  /** Inside each transaction, with what it does: what it throws rolls everything back. It may not use the Host. */
  participant?: (delta: CommittedDelta) => void;
  /** A path made clean, with symlinks resolved where its folder exists; default: clean alone. */
  normalisePath?: (path: string) => string;
  /** Default: an operation that was put off waits for its command or a recovery. */
  after?: (ms: number, call: () => void) => () => void;
};

/** Opens the database; throws `StoreError` for one that cannot be used. `recover` before the first command. */
export function createHost(options: HostOptions): AgentHost {
  const connection = openDatabase(options.databasePath);
  return assembleHost(options, (ports) => createStore(connection, ports));
}

/** A Host over any store; a test puts its faults between the two. */
export function assembleHost(options: HostOptions, openStore: (ports: TransactionPorts) => Store): AgentHost {
  const { clock, ids, participant } = options;
  const log = options.log ?? (() => {});
  const observers = createObservers(log);
  const store = openStore({ clock, ids, onCommit: observers.tell, ...(participant && { participant }) });
  // Async, so that a refusal rejects; the transaction itself is over before this returns.
  const sink: ActivitySink = { report: async (report) => store.report(report) };
  const runtime = options.runtime(sink);
  const host: HostContext = { store, runtime, ids, lock: createSessionLock(), normalisePath: options.normalisePath ?? cleanPath, log, after: options.after ?? null };
  return { ...commandsOf(host), ...queriesOf(host), observe: observers.observe, sink };
}

function commandsOf(host: HostContext): Omit<AgentHost, keyof ReturnType<typeof queriesOf> | 'observe' | 'sink'> {
  const engine = createEngine(host);
  let closing: Promise<void> | null = null;
  return {
    create: (input) => create(host, input),
    ensure: (ref) => ensure(host, ref),
    send: (input) => send(host, input),
    respond: (input) => respond(host, engine, input),
    cancel: (ref, turnId) => cancel(host, engine, { ref, turnId }),
    updateSettings: (ref, settings) => updateSettings(host, ref, settings),
    updateTitle: async (ref, title) => updateTitle(host, ref, title),
    updatePin: (ref, isPinned) => updatePin(host, ref, isPinned),
    capture: (root) => capture(host, root),
    restore: (input) => restore(host, input),
    recover: () => recover(host, engine),
    close: () => {
      closing ??= close(host, engine.stop);
      return closing;
    },
  };
}

function queriesOf(host: HostContext) {
  const { store } = host;
  return {
    session: store.view,
    graph: store.graph,
    graphs: store.graphs,
    isSettled: store.isSettled,
    listTurns: (ref: SessionRef, page: { limit: number; before?: string }) => {
      const { limit, before } = page;
      needSession(host, ref, 'list turns');
      if (!Number.isInteger(limit) || limit < 1 || limit > hostLimits.turnPageMax) throw new HostError('invalid_argument', `Cannot list turns: the limit is ${limit}, 1 to ${hostLimits.turnPageMax} were needed`);
      const found = store.turns(ref, page);
      if (!found) throw new HostError('invalid_argument', `Cannot list turns before "${before}": the session has no such turn, one of its own was needed`);
      return found;
    },
  };
}

async function close({ runtime, store, log }: HostContext, stop: () => void): Promise<void> {
  stop();
  try {
    await runtime.closeAll();
  } catch (error) {
    log('cannot close a runtime', error);
  }
  store.close();
}

function createObservers(log: (text: string, error: unknown) => void): { tell: CommitObserver; observe: AgentHost['observe'] } {
  const observers = new Set<CommitObserver>();
  const tell: CommitObserver = (delta) => {
    for (const observer of observers) {
      try {
        observer(delta);
      } catch (error) {
        log('an observer failed', error);
      }
    }
  };
  const observe: AgentHost['observe'] = (observer) => {
    // A function of its own, so that one observer may be added twice.
    const own: CommitObserver = (delta) => observer(delta);
    observers.add(own);
    return () => void observers.delete(own);
  };
  return { tell, observe };
}

function cleanPath(path: string): string {
  return normalize(path).replace(/(?<=.)\/$/, '');
}
