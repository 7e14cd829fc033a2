/** Which Electron a window is opened with: the project's own, else the one this repository is tested with. */

import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, isAbsolute, join } from 'node:path';
import { Fault } from '../../core/fault.ts';

type FindOptions = {
  /** The folder of `playhead.config.*`, from which the `electron` package is looked for. */
  configFolder: string;
  /** The folder of Playhead's own package.json. */
  packageRoot: string;
  env: NodeJS.ProcessEnv;
  platform?: NodeJS.Platform;
};

/** The path of the program. The package's code is not run, because from version 42 on it would fetch the program. */
export function findElectron({ configFolder, packageRoot, env, platform = process.platform }: FindOptions): string {
  const packageFolder = findPackage(configFolder);
  const candidates = [
    ...(packageFolder === null ? [] : [join(env['ELECTRON_OVERRIDE_DIST_PATH'] ?? join(packageFolder, 'dist'), programOf(packageFolder, platform))]),
    join(packageRoot, 'tools', 'electron', 'dist', 'electron'),
  ];
  const found = candidates.find((candidate) => existsSync(candidate));
  if (found !== undefined) return found;
  throw new Fault({
    code: 'no_electron',
    message: `Cannot open an Electron window: ${packageFolder === null ? 'package "electron" is not installed' : 'package "electron" has not fetched its program yet'}, a program was needed`,
    at: packageFolder ?? configFolder,
    next: [packageFolder === null ? 'npm i -D electron && npx electron --version' : 'npx electron --version'],
  });
}

/** The program that a product names itself; a bare name is looked for on PATH when it is run. */
export function givenElectron(executable: string): string {
  if (!isAbsolute(executable) || existsSync(executable)) return executable;
  throw new Fault({ code: 'no_electron', message: `Cannot open an Electron window: the program that the product names, "${basename(executable)}", is not there, one was needed`, at: executable });
}

function findPackage(folder: string): string | null {
  try {
    return dirname(createRequire(join(folder, 'package.json')).resolve('electron/package.json'));
  } catch {
    // Not installed there: this repository's own may do.
    return null;
  }
}

// Note: the package keeps the name of its program in path.txt, without a line end.
function programOf(packageFolder: string, platform: NodeJS.Platform): string {
  const named = join(packageFolder, 'path.txt');
  if (existsSync(named)) return readFileSync(named, 'utf8').trim();
  if (platform === 'darwin') return 'Electron.app/Contents/MacOS/Electron';
  return platform === 'win32' ? 'electron.exe' : 'electron';
}
