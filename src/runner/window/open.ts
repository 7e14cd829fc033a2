/** Opens the Electron window of a run: the program, a display, a user data folder of its own (design ruling 22). */

import type { WindowBoot } from '../../core/agent/wire.ts';
import type { Clock } from '../../core/ports.ts';
import type { Product } from '../../core/product.ts';
import { packageFolder } from '../versions.ts';
import type { Workroom } from '../workroom.ts';
import { startDisplay } from './display.ts';
import { startElectron, type StartedElectron } from './electron.ts';
import { findElectron, givenElectron } from './find-electron.ts';

/** The program runs, and shows its window when it has the boot. */
export type OpenWindow = (window: { boot: Promise<WindowBoot>; size: { width: number; height: number } }) => Promise<StartedElectron>;

/** How a product's window is opened on Electron; `null` where the product has none. */
export function windowOpener(options: { product: Product; configFolder: string; workroom: Workroom; clock: Clock }): OpenWindow | null {
  const { product, configFolder, workroom, clock } = options;
  const electron = product.windows?.electron;
  if (!electron) return null;
  return async ({ boot, size }) => {
    const executable = electron.executable === undefined ? findElectron({ configFolder, packageRoot: packageFolder(), env: process.env }) : givenElectron(electron.executable);
    const { name: display } = await startDisplay({ workroom, clock });
    return startElectron({ executable, args: electron.args, boot, env: process.env, userDataDir: workroom.makeFolder('window'), display, workroom, clock, size });
  };
}
