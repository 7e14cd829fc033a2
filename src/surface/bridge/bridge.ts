/** `globalThis.__playhead`: how a runner records and replays in this window (design ruling 23). Not there in live mode. */

import type { WindowBridge } from '../../core/control/surface.ts';
import type { ShownEntity } from '../../core/control/daemon.ts';
import type { Request } from '../client/http.ts';
import type { Engine } from '../engine/engine.ts';
import { findHidden, type EntityPage, type Hidden } from './find-hidden.ts';
import type { Gate } from './gate.ts';
import type { ActivityLane } from './lane.ts';
import { Player } from './player.ts';
import { createRecorder } from './recorder.ts';

export type InstalledBridge = WindowBridge & {
  /** The first of these entities that the page does not show, with what it shows instead. */
  findHidden: (entities: readonly ShownEntity[]) => Hidden | null;
};

export type BridgeOptions = {
  mode: { kind: 'record'; recordingId: string } | { kind: 'replay'; lane: ActivityLane };
  engine: Engine;
  request: Request;
  now: () => number;
  page: EntityPage;
  /** The app stands in the page. */
  mounted: () => Promise<void>;
  target: { __playhead?: InstalledBridge };
};

/** What the window's start needs of a bridge: the gate for the engine's commands, and whom to tell that the window broke. */
export type Bridged = { gate: Gate; broken: (error: unknown) => void };

/** Puts the bridge into the window. */
export function installBridge(options: BridgeOptions): Bridged {
  const { bridge, ...bridged } = options.mode.kind === 'record' ? recordBridge(options, options.mode) : replayBridge(options, options.mode);
  options.target.__playhead = bridge;
  return bridged;
}

function recordBridge(options: BridgeOptions, { recordingId }: { recordingId: string }): Bridged & { bridge: InstalledBridge } {
  const { engine, request, now } = options;
  const recorder = createRecorder({ recordingId, request, now, getSnapshot: engine.getSnapshot });
  engine.observe(recorder.observer);
  const refuse = (verb: string) => async (sequence: number) => Promise.reject(new Error(`Cannot ${verb} event ${sequence}: this window records, a replaying one was needed`));
  const bridge = { ...common(options), dispatch: refuse('dispatch'), verify: refuse('verify'), seal: recorder.seal, snapshot: () => ({ ...placeOf(engine), awaited: null, openCommands: recorder.open() }) };
  return { gate: recorder.gate, broken: recorder.broken, bridge };
}

function replayBridge(options: BridgeOptions, { lane }: { lane: ActivityLane }): Bridged & { bridge: InstalledBridge } {
  const { engine, request, now } = options;
  const player = new Player({ lane, engine, request, now });
  const bridge: InstalledBridge = {
    ...common(options),
    dispatch: async (sequence) => player.dispatch(sequence),
    verify: (sequence) => player.verify(sequence),
    seal: async () => Promise.reject(new Error('Cannot seal: this window replays, a recording one was needed')),
    snapshot: () => ({ ...placeOf(engine), awaited: player.waits.current(), openCommands: player.open }),
  };
  return { gate: player.gate, broken: player.broken, bridge };
}

function common({ engine, mounted, page }: BridgeOptions): Pick<InstalledBridge, 'ready' | 'findHidden'> {
  return {
    ready: async () => {
      await Promise.all([mounted(), whenOpen(engine)]);
      return true;
    },
    findHidden: (entities) => findHidden(page, entities),
  };
}

function placeOf(engine: Engine): { revision: number; lanes: ReturnType<Engine['getSnapshot']>['lanes'][number][] } {
  const { revision, lanes } = engine.getSnapshot();
  return { revision, lanes: [...lanes] };
}

function whenOpen({ getSnapshot, subscribe }: Engine): Promise<void> {
  if (getSnapshot().connection === 'open') return Promise.resolve();
  return new Promise((resolve) => {
    const end = subscribe(() => {
      if (getSnapshot().connection !== 'open') return;
      end();
      resolve();
    });
  });
}
