/** The mode that makes a daemon replay: recorded provider lanes in place of processes, and gates for what the window does. */

import type { DaemonMode } from '../mode.ts';
import { Replay, type ReplayOptions } from './replay.ts';
import { routeReplay } from './routes.ts';

export type ReplayModeOptions = ReplayOptions;

/** The mode of one cassette (design, three ways in: product; desktop-order b2 to b4). */
export function createReplayMode(options: ReplayModeOptions): DaemonMode {
  const replay = new Replay(options);
  return {
    bootstrap: { mode: 'replay', recordingId: null, cassetteId: options.boot.cassetteId },
    transport: replay.tape.transport,
    attach: (host) => replay.attach(host),
    begin: (command) => replay.begin(command),
    lanes: () => replay.lanes,
    routes: (app, windows) => routeReplay(app, replay, windows),
    close: async () => replay.close(),
  };
}
