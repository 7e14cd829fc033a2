/** Starting and stopping a product; what it starts is ended with us, also after a kill. */

import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { Fault, isFault, isFaultCode } from '../core/fault.ts';
import { limits } from '../core/limits.ts';
import type { Clock } from '../core/ports.ts';
import { endsWithin } from '../core/within.ts';
import type { Product, ProductStart, RunBackend, RunningProduct, RunOptions } from '../core/product.ts';
import { signalGroup } from './group.ts';
import type { Workroom } from './workroom.ts';

/** `stop` rejects with `product_not_stopped` where the product's own stop failed; our backends are ended all the same. */
export type StartedProduct<Running extends RunningProduct = RunningProduct> = { running: Running; url: string | null; stop: () => Promise<void>; died: Promise<string> };

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
  const { start } = options.product;
  if (!start) return { running: {}, url: null, stop: async () => {}, died: new Promise(() => {}) };
  return openProduct(options, async (given) => (await start(given)) ?? {});
}

/** Starts a product in a way of its own; `died` resolves with the cause when one of its backends ends by itself after it was ready. */
export async function openProduct<Running extends RunningProduct>(options: StartOptions, open: (start: ProductStart) => Promise<Running>): Promise<StartedProduct<Running>> {
  const { product, clock } = options;
  const abort = new AbortController();
  const backends: Backend[] = [];
  const run = createRunBackend(options, backends, abort.signal);
  const stopBackends = async () => {
    abort.abort();
    await Promise.all(backends.map((backend) => stopBackend(backend, clock, options.workroom)));
  };
  const starting = (async () => open({ cwd: options.cwd, stateDir: options.stateDir, env: options.env, signal: abort.signal, run }))();
  try {
    const running = await withStartLimit(starting, options);
    let isStopping = false;
    const never = new Promise<never>(() => {});
    const died = Promise.race([...backends.map((backend) => backend.ended), never]).then((why) => (isStopping ? never : why));
    const stop = () => {
      isStopping = true;
      return stopProduct({ product, running, clock, stopBackends });
    };
    return { running, url: running.url ?? null, died, stop };
  } catch (error) {
    // It may yet come up, and nobody else would stop it then. The run has its fault: what its stop says adds nothing.
    void starting.then((late) => late.stop?.()).catch(() => {});
    await stopBackends();
    if (isFault(error)) throw error;
    const text = error instanceof Error ? error.message : String(error);
    throw new Fault({ code: 'product_not_started', message: `Cannot start product "${product.name}": ${text}, an address was needed`, cause: error });
  }
}

type Backend = { child: ChildProcessByStdio<Writable | null, Readable, Readable>; exited: Promise<void>; ended: Promise<string> };

function createRunBackend(options: StartOptions, backends: Backend[], signal: AbortSignal): RunBackend {
  const { name } = options.product;
  return async (command, given = {}) => {
    if (signal.aborted) throw new Fault({ code: 'product_not_started', message: `Cannot start a backend of product "${name}": its run has ended, a running one was needed` });
    const [program, ...args] = command;
    const child = spawnBackend(program ?? '', args, { ...given, cwd: given.cwd ?? options.cwd, env: given.env ?? options.env });
    const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()).once('error', () => resolve()));
    const ended = new Promise<string>((resolve) => child.once('exit', (code, by) => resolve(`its process ended with ${code === null ? by : `code ${code}`}`)));
    backends.push({ child, exited, ended });
    if (child.pid !== undefined) options.workroom.guardGroup(child.pid);
    const tail: string[] = [];
    const keep = (line: string) => void (tail.push(line) > tailLineCount && tail.shift());
    createInterface({ input: child.stderr }).on('line', keep);
    const lines = createInterface({ input: child.stdout });
    return new Promise<RunningProduct>((resolve, reject) => {
      // What the backend itself says in its one line of JSON is the cause; its end only follows from it.
      let told: { code: string; message: string } | null = null;
      const fail = (why: string) => reject(told ? toldFault(name, told) : notStarted(name, why, { tail, program }));
      child.once('error', (error: NodeJS.ErrnoException) => fail(`its program could not be run (${error.code ?? error.message})`));
      // What it printed last may come behind its end; a grandchild that holds the pipe must not hold the cause.
      const closed = new Promise<void>((close) => child.once('close', () => close()));
      void ended.then(async (why) => {
        await endsWithin(closed, lastWordsMs, options.clock);
        fail(why);
      });
      lines.on('line', (line) => {
        keep(line);
        told ??= toldError(line);
        const url = (given.readUrl ?? readUrl)(line);
        if (url) resolve({ url });
      });
    });
  };
}

// Without input there is no pipe at all: a backend that reads must see an end.
function spawnBackend(program: string, args: string[], { cwd, env, input }: RunOptions): ChildProcessByStdio<Writable | null, Readable, Readable> {
  if (input === undefined) return spawn(program, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  const child = spawn(program, args, { cwd, env, stdio: ['pipe', 'pipe', 'pipe'], detached: true });
  child.stdin.on('error', () => {});
  child.stdin.write(input);
  return child;
}

/** `{"error":{"code","message"}}`: how a backend says why it does not start (replay-runtime 4.4, failure causes). */
function toldError(line: string): { code: string; message: string } | null {
  if (!line.startsWith('{"error"')) return null;
  try {
    const { error } = JSON.parse(line) as { error?: { code?: unknown; message?: unknown } };
    return typeof error?.code === 'string' && typeof error.message === 'string' ? { code: error.code, message: error.message } : null;
  } catch {
    return null;
  }
}

function toldFault(product: string, { code, message }: { code: string; message: string }): Fault {
  return new Fault({ code: isFaultCode(code) ? code : 'product_not_started', message, facts: { product, code } });
}

async function withStartLimit<Running>(starting: Promise<Running>, { product, clock, startMs }: StartOptions): Promise<Running> {
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
  child.stdin?.end();
  if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM');
  const hasEnded = await endsWithin(exited, limits.stopMs, clock);
  // Also what the backend left in its group.
  signalGroup(child.pid, 'SIGKILL');
  if (!hasEnded) await endsWithin(exited, limits.stopMs, clock);
  child.stdout.destroy();
  child.stderr.destroy();
  workroom.releaseGroup(child.pid);
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
const lastWordsMs = 1_000;
