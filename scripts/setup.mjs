/**
 * Sets a fresh checkout up; plain Node 20, no dependency, and a second run changes nothing.
 * `node scripts/setup.mjs` gives what `npm start` needs, `--all` what `npm test` needs besides.
 */

import { fileURLToPath } from 'node:url';
import { setUp } from './setup/carry-out.mjs';
import { EXIT_ENVIRONMENT, renderFault } from './setup/fault.mjs';
import { exitOnInterrupt } from './setup/processes.mjs';
import { createWorld } from './setup/world.mjs';

// Note: import.meta.dirname came with Node 20.11; this runs on every 20.
const root = fileURLToPath(new URL('..', import.meta.url));
const startMs = performance.now();

exitOnInterrupt();
console.log('Setting up');
try {
  await setUp({ world: createWorld({ root, env: process.env }), isAll: process.argv.includes('--all') });
  console.log(`Set up in ${((performance.now() - startMs) / 1000).toFixed(1)} s`);
} catch (error) {
  console.error(error.isFault ? renderFault(error) : error);
  process.exitCode = error.isFault ? error.exitCode : EXIT_ENVIRONMENT;
}
