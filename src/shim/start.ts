/** What both stand-ins do first: read the folder, find the route of this launch, or refuse it (stand-in b7, b8, b16). */

import { appendFileSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { chooseRoute, folderFiles, type RefusedLaunch, type Route, type ShimConfig } from '../core/shim/folder.ts';
import { limits } from '../core/limits.ts';

export type Launch = { folder: string; provider: string; argv: string[]; cwd: string; config: ShimConfig };

/** `<stand-in file> <folder> <provider> <arguments…>` */
export function readLaunch(processArgv: string[]): Launch {
  const [, , folder, provider, ...argv] = processArgv;
  if (!folder || !provider) {
    process.stderr.write('Cannot start stand-in: it was called by hand, it is started through its folder\n');
    process.exit(limits.exitRefused);
  }
  const config = JSON.parse(readFileSync(`${folder}/${folderFiles.config}`, 'utf8')) as ShimConfig;
  const launch = { folder, provider, argv, cwd: process.cwd(), config };
  appendLine(launch, folderFiles.arrivals, { provider, argv, cwd: launch.cwd, pid: process.pid, reason: '' });
  return launch;
}

export function readRoutes(launch: Launch): Route[] {
  const folder = `${launch.folder}/${folderFiles.routes}`;
  const names = readdirSync(folder).filter((name) => name.endsWith('.json'));
  return names.sort().flatMap((name) => {
    try {
      return [JSON.parse(readFileSync(`${folder}/${name}`, 'utf8')) as Route];
    } catch {
      return []; // Removed between the listing and the reading: its test has ended.
    }
  });
}

/** The route by the folder the launch runs in; a single registered test gets everything. */
export function findRoute(launch: Launch, cwd: string): Route | null {
  const routes = readRoutes(launch);
  if (routes.length === 1) return routes[0] ?? null;
  return chooseRoute(routes, cwd) ?? chooseRoute(routes, realOf(cwd));
}

/** Writes the launch where the owning run finds it, and ends with 71. */
export function refuse(launch: Launch, reason: string): never {
  appendLine(launch, folderFiles.refused, { provider: launch.provider, argv: launch.argv, cwd: launch.cwd, pid: process.pid, reason });
  process.stderr.write(`Cannot start "${launch.provider}": ${reason}, a running test was expected to own "${launch.cwd}" (docs/errors.md#launch_unregistered)\n`);
  process.exit(limits.exitRefused);
}

export function namedEnv(launch: Launch): { [name: string]: string } {
  const names = [...launch.config.homeEnv, 'HOME', 'USERPROFILE', 'USER', 'LOGNAME'];
  return Object.fromEntries(names.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])));
}

/** The homes of this launch, the provider's own first. */
export function namedHomes(launch: Launch): string[] {
  const env = namedEnv(launch);
  return [...launch.config.homeEnv, 'HOME', 'USERPROFILE'].flatMap((name) => (env[name] ? [env[name]] : []));
}

function appendLine(launch: Launch, file: string, line: RefusedLaunch): void {
  appendFileSync(`${launch.folder}/${file}`, `${JSON.stringify(line)}\n`);
}

function realOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
