/** A daemon for everyday use: real provider processes, and nobody who records. */

import { createLiveTransport } from './process/live-transport.ts';
import { launchEnv } from './process/launch-env.ts';
import { livePatience, runComposition } from './main-parts.ts';
import { nodeClock } from '../tape/node-clock.ts';

await runComposition(({ boot }) => {
  const transport = createLiveTransport({ programs: boot.providers ?? {}, env: process.env, clock: nodeClock });
  // A forced end leaves no process behind.
  process.once('exit', transport.killAll);
  return {
    env: launchEnv(boot, process.env),
    patience: livePatience,
    mode: {
      bootstrap: { mode: 'live', recordingId: null, cassetteId: null },
      transport,
      attach: () => {},
      begin: async () => {},
      lanes: () => [],
      routes: () => {},
      close: async () => transport.killAll(),
    },
  };
});
