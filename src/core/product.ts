/** The Product port: how a product is started, and what it can give (interface.md). */

import type { WindowBoot } from './agent/wire.ts';
import type { RecordBoot, ReplayBoot } from './control/boot.ts';
import type { RecordDaemon, ReplayDaemon } from './control/daemon.ts';

export type RunningProduct = { url?: string; stop?: () => Promise<void> | void };

export type ProductStart = {
  /** The project folder of this replay. */
  cwd: string;
  /** Private and empty; gone afterwards. */
  stateDir: string;
  /** Holds the stand-ins: give it to the backend. */
  env: { [name: string]: string };
  signal: AbortSignal;
  /** Starts a backend that prints its address; it is ended with the replay, also after a kill. */
  run: RunBackend;
};

export type RunOptions = {
  cwd?: string;
  env?: { [name: string]: string };
  readUrl?: (line: string) => string | null;
  /** Written to the standard input, which stays open until the backend is stopped; default: no input at all. */
  input?: string;
};

export type RunBackend = (command: string[], options?: RunOptions) => Promise<RunningProduct>;

/** `electron.executable` absent: the `electron` package, or this repository's own. `args` end with the app's folder. */
export type ProductWindows = { browser?: boolean; electron?: { executable?: string; args: string[] } };

/**
 * A product that records and replays inside its own daemon gives the activity lane, and with it the layers effect and state.
 * The window gets `boot`, and installs `globalThis.__playhead` (design ruling 23).
 */
export type ProductBridge = {
  replay: (options: ProductStart & { replay: ReplayBoot }) => Promise<Bridged<ReplayDaemon>>;
  record: (options: ProductStart & { record: Omit<RecordBoot, 'agentTargetId'>; providers: ProviderPrograms }) => Promise<Bridged<RecordDaemon>>;
};

export type ProviderPrograms = { [provider: string]: { command: string[]; env: { [name: string]: string } } };
export type Bridged<Daemon> = RunningProduct & { url: string; boot: WindowBoot; daemon: Daemon };

export type Product = {
  name: string;
  version?: string;
  /** Absent: the product runs already (Playwright's `webServer`), and the spec opens its page. */
  start?: (options: ProductStart) => Promise<RunningProduct>;
  /** Neither member: no window. Default `{ browser: true }`. */
  windows?: ProductWindows;
  bridge?: ProductBridge;
};

export type PlayheadConfig = {
  /** Name → module path, relative to the configuration. */
  products: { [name: string]: string };
  /** Record mode: provider → the real program; default is the next one on PATH. */
  providers?: { [name: string]: string };
};

/** Types a product module; gives the argument. */
export function defineProduct(product: Product): Product {
  return product;
}

/** Types `playhead.config.ts`; gives the argument. */
export function defineConfig(config: PlayheadConfig): PlayheadConfig {
  return config;
}
