/** Launches that reached a stand-in and then no tape: refused, or cut off from their runner. */

import { Fault } from '../core/fault.ts';
import type { RefusedLaunch } from '../core/shim/folder.ts';
import type { Divergence } from '../core/verdict/divergence.ts';
import { findProvider } from '../providers/registry.ts';
import type { CassettePlayer } from '../tape/cassette-player.ts';
import { describe } from '../tape/describe.ts';

/** What a launch that belongs to no running test fails the run with (stand-in b16). */
export function unregisteredFault(launch: RefusedLaunch): Fault {
  // Where it ran is a fact beside the message: messages stand in verdicts, whose digests no machine may change.
  return new Fault({
    code: 'launch_unregistered',
    message: `Cannot start "${launch.provider}" outside every registered project folder: ${launch.reason}, a folder of a running test was needed`,
    at: launch.cwd,
    facts: { cwd: launch.cwd, argv: launch.argv },
  });
}

/** The divergence of a stand-in that started and never said hello: its socket is gone. */
export function lostLaunch(arrivals: readonly RefusedLaunch[], cassette: CassettePlayer): Divergence | null {
  const arrival = arrivals.find(({ provider, argv }) => findProvider(provider)?.speaksProtocol(argv));
  const lane = arrival && cassette.lanes.find(({ connection }) => connection.provider === arrival.provider);
  return lane ? describe.lost(lane, 0) : null;
}
