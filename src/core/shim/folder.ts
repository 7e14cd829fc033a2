/** The files of a stand-in folder, shared by the program and by whoever makes the folder (stand-in b7, b15, b16, c5). */

export const folderFiles = {
  config: 'shim.json',
  routes: 'routes',
  refused: 'refused.jsonl',
  arrivals: 'arrivals.jsonl',
  bin: 'bin',
  home: 'home',
  owner: 'owner.json',
} as const;

/** `shim.json`: everything a stand-in must know stands here and never in the environment, because backends pass allowlists. */
export type ShimConfig = {
  schemaVersion: 1;
  mode: 'replay' | 'record';
  /** Names of the variables whose values name the provider's home. */
  homeEnv: string[];
  /** Names of the variables that hold keys: no product that is replayed gets them. */
  keyEnv: string[];
  stallMs: number;
};

/** `routes/<name>.json`: one running test. `initialize` is the recorded answer, given before the route is known. */
export type Route = {
  socket: string;
  /** The registered folder, as given and with symlinks resolved. */
  prefixes: string[];
  initialize: string | null;
};

export type RefusedLaunch = { provider: string; argv: string[]; cwd: string; pid: number; reason: string };

/** The route of the longest prefix that holds `cwd`; one registered test gets everything (stand-in b7). */
export function chooseRoute(routes: Route[], cwd: string): Route | null {
  let best: { route: Route; length: number } | null = null;
  for (const route of routes)
    for (const prefix of route.prefixes)
      if (isBelow(cwd, prefix) && prefix.length > (best?.length ?? -1)) best = { route, length: prefix.length };
  return best?.route ?? null;
}

export function isBelow(path: string, folder: string): boolean {
  const bare = folder.length > 1 ? folder.replace(/\/+$/, '') : folder;
  return path === bare || path.startsWith(bare === '/' ? '/' : `${bare}/`);
}
