/** Starting and stopping a product; what it starts is ended with us, also after a kill. */

import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { Fault, isFault } from '../core/fault.ts';
import { limits } from '../core/limits.ts';
import type { Clock } from '../core/ports.ts';
import type { Product, RunBackend, RunningProduct } from '../core/product.ts';
import { signalGroup } from './group.ts';
import type { Workroom } from './workroom.ts';

/** `stop` rejects with `product_not_stopped` where the product's own stop failed; our backends are ended all the same. */
export type StartedProduct = { url: string | null; stop: () => Promise<void> };

type StartOptions = {
  product: Product;
  cwd: string;
  stateDir: string;
  env: { [name: string]: string };
  workroom: Workroom;
  clock: Clock;
  /** How long the product may take until it gives its address. */
  startMs: number;
};

export async function startProduct(options: StartOptions): Promise<StartedProduct> {
  const { product, clock } = options;
  if (!product.start) return { url: null, stop: async () => {} };
  const abort = new AbortController();
  const backends: Backend[] = [];
  const run = createRunBackend(options, backends, abort.signal);
  const stopBackends = async () => {
    abort.abort();
    await Promise.all(backends.map((backend) => stopBackend(backend, clock, options.workroom)));
  };
  const starting = (async (): Promise<RunningProduct> => (await product.start?.({ cwd: options.cwd, stateDir: options.stateDir, env: options.env, signal: abort.signal, run })) ?? {})();
  try {
    const running = await withStartLimit(starting, options);
    return { url: running.url ?? null, stop: () => stopProduct({ product, running, clock, stopBackends }) };
  } catch (error) {
    // It may yet come up, and nobody else would stop it then. The run has its fault: what its stop says adds nothing.
    void starting.then((late) => late.stop?.()).catch(() => {});
    await stopBackends();
    if (isFault(error)) throw error;
    const text = error instanceof Error ? error.message : String(error);
    throw new Fault({ code: 'product_not_started', message: `Cannot start product "${product.name}": ${text}, an address was needed`, cause: error });
  }
}

type Backend = { child: ChildProcessByStdio<null, Readable, Readable>; exited: Promise<void> };

function createRunBackend(options: StartOptions, backends: Backend[], signal: AbortSignal): RunBackend {
  const { name } = options.product;
  return async (command, given = {}) => {
    if (signal.aborted) throw new Fault({ code: 'product_not_started', message: `Cannot start a backend of product "${name}": its run has ended, a running one was needed` });
    const [program, ...args] = command;
    const child = spawn(program ?? '', args, { cwd: given.cwd ?? options.cwd, env: given.env ?? options.env, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
    const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()).once('error', () => resolve()));
    backends.push({ child, exited });
    if (child.pid !== undefined) options.workroom.guardGroup(child.pid);
    const tail: string[] = [];
    const keep = (line: string) => void (tail.push(line) > tailLineCount && tail.shift());
    createInterface({ input: child.stderr }).on('line', keep);
    const lines = createInterface({ input: child.stdout });
    return new Promise<RunningProduct>((resolve, reject) => {
      const fail = (why: string) => reject(notStarted(name, why, { tail, program }));
      child.once('error', (error: NodeJS.ErrnoException) => fail(`its program could not be run (${error.code ?? error.message})`));
      child.once('exit', (code, signal) => fail(`its process ended with ${code === null ? signal : `code ${code}`}`));
      lines.on('line', (line) => {
        keep(line);
        const url = (given.readUrl ?? readUrl)(line);
        if (url) resolve({ url });
      });
    });
  };
}

async function withStartLimit(starting: Promise<RunningProduct>, { product, clock, startMs }: StartOptions): Promise<RunningProduct> {
  let cancel = () => {};
  const late = new Promise<never>((_, reject) => {
    cancel = clock.after(startMs, () =>
      reject(new Fault({ code: 'product_start_timeout', message: `Cannot start product "${product.name}": it gave no address within ${startMs} ms, one was needed` })),
    );
  });
  try {
    return await Promise.race([starting, late]);
  } finally {
    cancel();
  }
}

async function stopProduct(options: { product: Product; running: RunningProduct; clock: Clock; stopBackends: () => Promise<void> }): Promise<void> {
  const { product, running, clock, stopBackends } = options;
  const fail = (why: string, cause?: unknown) => {
    throw new Fault({ code: 'product_not_stopped', message: `Cannot stop product "${product.name}": ${why}, an end was needed`, cause });
  };
  try {
    const stopping = (async () => running.stop?.())();
    if (!(await endsWithin(stopping, limits.stopMs, clock))) fail(`its stop did not settle within ${limits.stopMs} ms`);
  } catch (error) {
    if (isFault(error)) throw error;
    fail(error instanceof Error ? error.message : String(error), error);
  } finally {
    await stopBackends();
  }
}

// Each wait has its limit: a process that cannot be killed, or a grandchild that holds our pipes, must not hold the verdict.
async function stopBackend({ child, exited }: Backend, clock: Clock, workroom: Workroom): Promise<void> {
  if (child.pid === undefined) return;
  if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM');
  const hasEnded = await endsWithin(exited, limits.stopMs, clock);
  // Also what the backend left in its group.
  signalGroup(child.pid, 'SIGKILL');
  if (!hasEnded) await endsWithin(exited, limits.stopMs, clock);
  child.stdout.destroy();
  child.stderr.destroy();
  workroom.releaseGroup(child.pid);
}

async function endsWithin(ending: Promise<unknown>, limitMs: number, clock: Clock): Promise<boolean> {
  let cancel = () => {};
  const late = new Promise<false>((resolve) => (cancel = clock.after(limitMs, () => resolve(false))));
  try {
    return await Promise.race([ending.then(() => true), late]);
  } finally {
    cancel();
  }
}

// `{"url":"http://…"}` or any line that holds a loopback address.
function readUrl(line: string): string | null {
  return /https?:\/\/(?:127\.0\.0\.1|localhost|\[::1\])(?::\d+)?[^\s"'<>]*/.exec(line)?.[0] ?? null;
}

// What it printed may hold secrets: a fact for whoever sits before it, never a part of a message that is reported.
function notStarted(name: string, why: string, { tail, program }: { tail: readonly string[]; program: string | undefined }): Fault {
  return new Fault({ code: 'product_not_started', message: `Cannot start product "${name}": ${why}, an address was needed`, facts: { program: program ?? '', output: [...tail] } });
}

const tailLineCount = 15;
