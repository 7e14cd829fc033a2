/** A daemon that replays a cassette: players stand where provider processes were, and nothing here can start one (design ruling 15). */

import { openReplayMode } from './main-replay-mode.ts';
import { runComposition } from './main-parts.ts';

await runComposition(({ boot, closeRuntimes }) => ({ mode: openReplayMode({ boot, closeRuntimes }) }));
