/** Makes `tools/electron/dist` of the installed archive; `npm test` does it by itself. */

import { fileURLToPath } from 'node:url';
import { ELECTRON } from './setup/electron.mjs';
import { EXIT_ENVIRONMENT, renderFault } from './setup/fault.mjs';
import { makeElectron } from './setup/make-electron.mjs';

try {
  makeElectron({ root: fileURLToPath(new URL('..', import.meta.url)), temp: '.cache/electron', electron: ELECTRON });
} catch (error) {
  console.error(error.isFault ? renderFault(error) : error);
  process.exitCode = EXIT_ENVIRONMENT;
}
