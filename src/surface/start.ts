/** Puts a window together: engine, client, and in record and replay the bridge. The renderer shows what comes out. */

import type { Bootstrap, WindowBoot } from '../core/agent/wire.ts';
import { createActions, type Actions } from './actions.ts';
import { installBridge, type Bridged, type BridgeOptions, type InstalledBridge } from './bridge/bridge.ts';
import { loadLane } from './bridge/lane.ts';
import { whenMounted, type MountPage, type ObserveChanges } from './bridge/mounted.ts';
import type { EntityPage } from './bridge/find-hidden.ts';
import { createClient, type Client } from './client/client.ts';
import { createEngine, type Engine } from './engine/engine.ts';
import { createState } from './engine/state.ts';

export type StartOptions = {
  boot: WindowBoot;
  fetch: typeof globalThis.fetch;
  /** Unix milliseconds. */
  now: () => number;
  newId: () => string;
  /** `globalThis` of the window. */
  global: WindowGlobal;
};

export type WindowGlobal = {
  document: MountPage & EntityPage;
  setTimeout: (call: () => void, ms: number) => unknown;
  clearTimeout: (timer: never) => void;
  MutationObserver: typeof MutationObserver;
  reportError?: (error: unknown) => void;
  __playhead?: InstalledBridge;
};

/** `stop` closes the stream; a page that goes away need not call it. */
export type StartedWindow = { engine: Engine; actions: Actions; stop: () => void };

/** Rejects where the daemon does not answer; afterwards the window lives with a lost connection. */
export async function startWindow({ boot, fetch, now, newId, global }: StartOptions): Promise<StartedWindow> {
  const client = createClient({ boot, fetch, clock: clockOf(global) });
  const bootstrap = await client.bootstrap();
  const mode = await modeOf(bootstrap, client);
  const onError = (error: unknown): void => global.reportError?.(error);
  let bridge: Bridged | null = null;
  const engine = createEngine({
    initial: createState(bootstrap),
    execute: (command) => (bridge ? bridge.gate(command, (stamp) => client.execute(command, stamp)) : client.execute(command, null)),
    onObserverError: onError,
  });
  // Before the stream: it must not miss anything.
  if (mode) bridge = installBridge({ mode, engine, request: client.request, now, page: global.document, mounted: () => whenMounted(global.document, changesOf(global)), target: global });
  const stop = client.events({
    onEvent: (event) => engine.dispatch(event.type === 'snapshot' ? { type: 'canonical/snapshot', event } : { type: 'canonical/changed', event }),
    onLost: () => engine.dispatch({ type: 'connection/changed', connection: 'lost' }),
    onBroken: (error) => {
      onError(error);
      bridge?.broken(error);
      engine.dispatch({ type: 'connection/changed', connection: 'broken' });
    },
  });
  return { engine, actions: createActions(engine, { now, newId }), stop };
}

async function modeOf({ mode, recordingId }: Bootstrap, { request }: Client): Promise<BridgeOptions['mode'] | null> {
  switch (mode) {
    case 'live':
      return null;
    case 'record':
      return { kind: 'record', recordingId: recordingId ?? '' };
    case 'replay':
      return { kind: 'replay', lane: await loadLane(request) };
  }
}

function clockOf({ setTimeout, clearTimeout }: WindowGlobal): { after: (ms: number, call: () => void) => () => void } {
  return {
    after: (ms, call) => {
      const timer = setTimeout(call, ms);
      return () => clearTimeout(timer as never);
    },
  };
}

function changesOf({ MutationObserver, document }: WindowGlobal): ObserveChanges {
  return (onChange) => {
    const observer = new MutationObserver(onChange);
    observer.observe(document.documentElement, { childList: true, subtree: true });
    return () => observer.disconnect();
  };
}
