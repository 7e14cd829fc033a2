/** Starting and stopping a product; what it starts is ended with us, also after a kill. */

import { spawn, type ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import { Fault, isFault } from '../core/fault.ts';
import { limits } from '../core/limits.ts';
import type { Clock } from '../core/ports.ts';
import type { Product, RunBackend, RunningProduct } from '../core/product.ts';
import { signalGroup } from './group.ts';
import type { Workroom } from './workroom.ts';

export type StartedProduct = { url: string | null; stop: () => Promise<void> };

export async function startProduct(options: {
  product: Product;
  cwd: string;
  stateDir: string;
  env: { [name: string]: string };
  workroom: Workroom;
  clock: Clock;
  /** How long the product may take until it gives its address. */
  startMs: number;
}): Promise<StartedProduct> {
  const { product, clock } = options;
  if (!product.start) return { url: null, stop: async () => {} };
  const abort = new AbortController();
  const backends: Backend[] = [];
  const run = createRunBackend(options, backends);
  const stop = async () => {
    abort.abort();
    await Promise.all(backends.map((backend) => stopBackend(backend, clock, options.workroom)));
  };
  try {
    const running = await withLimit(product.start({ cwd: options.cwd, stateDir: options.stateDir, env: options.env, signal: abort.signal, run }), options);
    return {
      url: running.url ?? null,
      async stop() {
        await running.stop?.();
        await stop();
      },
    };
  } catch (error) {
    await stop();
    if (isFault(error)) throw error;
    const text = error instanceof Error ? error.message : String(error);
    throw new Fault({ code: 'product_not_started', message: `Cannot start product "${product.name}": ${text}, an address was needed`, cause: error });
  }
}

type Backend = { child: ChildProcess; exited: Promise<void> };

function createRunBackend(options: { product: Product; cwd: string; env: { [name: string]: string }; workroom: Workroom }, backends: Backend[]): RunBackend {
  return async (command, given = {}) => {
    const [program, ...args] = command;
    const child = spawn(program ?? '', args, { cwd: given.cwd ?? options.cwd, env: given.env ?? options.env, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
    const exited = new Promise<void>((resolve) => child.once('close', () => resolve()).once('error', () => resolve()));
    backends.push({ child, exited });
    if (child.pid !== undefined) options.workroom.guardGroup(child.pid);
    const tail: string[] = [];
    const keep = (line: string) => void (tail.push(line) > tailLineCount && tail.shift());
    createInterface({ input: child.stderr }).on('line', keep);
    const lines = createInterface({ input: child.stdout });
    return new Promise<RunningProduct>((resolve, reject) => {
      const fail = (why: string) => reject(notStarted(options.product.name, why, tail));
      child.once('error', (error) => fail(error.message));
      child.once('exit', (code, signal) => fail(`its process ended with ${code === null ? signal : `code ${code}`}`));
      lines.on('line', (line) => {
        keep(line);
        const url = (given.readUrl ?? readUrl)(line);
        if (url) resolve({ url });
      });
    });
  };
}

async function withLimit(starting: Promise<RunningProduct>, { product, clock, startMs }: { product: Product; clock: Clock; startMs: number }): Promise<RunningProduct> {
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

async function stopBackend(backend: Backend, clock: Clock, workroom: Workroom): Promise<void> {
  const { child, exited } = backend;
  if (child.pid === undefined) return;
  if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM');
  const cancel = clock.after(limits.stopMs, () => signalGroup(child.pid as number, 'SIGKILL'));
  await exited;
  cancel();
  // What the backend left in its group.
  signalGroup(child.pid, 'SIGKILL');
  workroom.releaseGroup(child.pid);
}

// `{"url":"http://…"}` or any line that holds a loopback address.
function readUrl(line: string): string | null {
  return /https?:\/\/(?:127\.0\.0\.1|localhost|\[::1\])(?::\d+)?[^\s"'<>]*/.exec(line)?.[0] ?? null;
}

function notStarted(name: string, why: string, tail: readonly string[]): Fault {
  const last = tail.slice(-3).join(' ⏎ ');
  return new Fault({ code: 'product_not_started', message: `Cannot start product "${name}": ${why}${last ? ` (${last})` : ''}, an address was needed`, facts: { output: tail.slice(-tailLineCount) } });
}

const tailLineCount = 15;
