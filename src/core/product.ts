/** The Product port: how a product is started, and what it can give (interface.md). */

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

export type RunBackend = (
  command: string[],
  options?: { cwd?: string; env?: { [name: string]: string }; readUrl?: (line: string) => string | null },
) => Promise<RunningProduct>;

export type ProductWindows = { browser?: boolean; electron?: { executable: string; args: string[] } };

export type Product = {
  name: string;
  version?: string;
  /** Absent: the product runs already (Playwright's `webServer`), and the spec opens its page. */
  start?: (options: ProductStart) => Promise<RunningProduct>;
  /** Neither member: no window. Default `{ browser: true }`. */
  windows?: ProductWindows;
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
