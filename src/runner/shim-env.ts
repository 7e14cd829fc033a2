/**
 * The environment for a backend that is started once for many tests (stand-in b15). The folder is made once in the main
 * process; workers find it in `process.env`, and it is gone when that process ends, also when it is killed.
 */

import { providers } from '../providers/registry.ts';
import { unregisteredFault } from './launches.ts';
import { createStandInFolder, openStandInFolder } from './stand-in-folder.ts';
import { programsFolder } from './versions.ts';
import { createWorkroom } from './workroom.ts';

export const sharedFolderVariable = 'PLAYHEAD_SHIM_FOLDER';

/** `mode` follows `PLAYHEAD_MODE`; default `replay`. Spread it into `webServer.env`. */
export function shimEnv(): { [name: string]: string } {
  const known = process.env[sharedFolderVariable];
  if (known) return openStandInFolder(known).env(process.env);
  const workroom = createWorkroom();
  const mode = process.env.PLAYHEAD_MODE === 'record' ? 'record' : 'replay';
  const folder = createStandInFolder({ path: workroom.makeFolder('s'), mode, providers, programs: programsFolder() });
  process.env[sharedFolderVariable] = folder.path;
  // Before the folder is removed: what came after the last test's end still fails the run (stand-in b16).
  process.prependListener('exit', () => {
    for (const launch of folder.claimRefused()) {
      process.stderr.write(`${unregisteredFault(launch).message}\n  at    ${launch.cwd}\n  see   docs/errors.md#launch_unregistered\n`);
      process.exitCode ||= 1;
    }
  });
  return folder.env(process.env);
}
