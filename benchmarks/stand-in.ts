/** A stand-in folder and a tape server as a replayed test makes them (src/runner/replay-run.ts), without a product. */

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { bothNames, createStandInFolder } from '../src/runner/stand-in-folder.ts';
import { findProvider, providers } from '../src/providers/registry.ts';
import { CassettePlayer } from '../src/tape/cassette-player.ts';
import { InputBarrier } from '../src/tape/input-barrier.ts';
import { loadTape } from '../src/tape/load.ts';
import { nodeClock } from '../src/tape/node-clock.ts';
import { PlaybackClock } from '../src/tape/playback-clock.ts';
import { createReplaySessions } from '../src/tape/replay-session.ts';
import { listenForStandIns } from '../src/tape/stand-in-server.ts';

export type Player = { program: string; cwd: string; close: () => Promise<void> };

/** `programs` is the folder of the built stand-ins; the tape lies in `tapeFolder/provider`. A player plays one launch. */
export async function openPlayer(options: { folder: string; tapeFolder: string; programs: string }): Promise<Player> {
  const { tape, issues } = loadTape({ folder: join(options.tapeFolder, 'provider'), findProvider });
  if (!tape) throw new Error(issues.map((issue) => `${issue.code} ${issue.is}`).join(', '));
  const cwd = join(options.folder, 'project');
  mkdirSync(cwd, { recursive: true });
  const cassette = new CassettePlayer({ tape, clock: nodeClock, playback: new PlaybackClock(nodeClock, 'instant'), barrier: new InputBarrier('free'), select: 'content' });
  const standIns = createStandInFolder({ path: options.folder, mode: 'replay', providers, programs: options.programs });
  const socket = join(options.folder, 'tape.sock');
  const server = await listenForStandIns({ socketPath: socket, open: createReplaySessions({ cassette, findProvider, cwds: bothNames(cwd) }), onFault: (fault) => { throw fault; } });
  standIns.register('test', { socket, prefixes: bothNames(cwd), initialize: null });
  return { program: standIns.program('codex'), cwd, close: () => server.close() };
}
