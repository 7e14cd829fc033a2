import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Clock } from '../core/ports.ts';
import type { Product, ProductStart } from '../core/product.ts';
import { nodeClock } from '../tape/node-clock.ts';
import { startProduct } from './product.ts';
import { createWorkroom, type Workroom } from './workroom.ts';

let workroom: Workroom;
beforeEach(() => void (workroom = createWorkroom()));
afterEach(() => workroom.remove());

// Waits of this module are seconds; here each is a moment.
const hasty: Clock = { now: nodeClock.now, after: (ms, call) => nodeClock.after(ms / 10, call) };
const shell = (script: string): string[] => ['/bin/sh', '-c', script];
const begin = (start: NonNullable<Product['start']>, startMs = 100_000) =>
  startProduct({ product: { name: 'desk', start }, cwd: workroom.path, stateDir: workroom.path, env: { PATH: process.env.PATH ?? '' }, workroom, clock: hasty, startMs });
const server = 'echo "pid $$ http://127.0.0.1:1/"; while :; do sleep 1; done';
const pidOf = async (options: ProductStart, script = server) => {
  let pid = 0;
  const { url = '' } = await options.run(shell(script), {
    readUrl(line) {
      pid = Number(/pid (\d+)/.exec(line)?.[1]);
      return /http\S+/.exec(line)?.[0] ?? null;
    },
  });
  return { url, pid };
};
const isAlive = (pid: number) => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

test.each<[string, () => Promise<void> | void, string]>([
  ['throws', () => { throw new Error('no way down'); }, 'no way down'],
  ['rejects', () => Promise.reject(new Error('no way down')), 'no way down'],
  ['hangs', () => new Promise<void>(() => {}), 'its stop did not settle within 5000 ms'],
])('a product whose stop %s is a fault, and its backends are ended', async (_title, stop, why) => {
  let pid = 0;
  const started = await begin(async (options) => {
    const backend = await pidOf(options);
    pid = backend.pid;
    return { url: backend.url, stop };
  });
  expect(isAlive(pid)).toBe(true);
  await expect(started.stop()).rejects.toMatchObject({ code: 'product_not_stopped', exitCode: 3, message: `Cannot stop product "desk": ${why}, an end was needed` });
  expect(isAlive(pid)).toBe(false);
});

test('a grandchild in a session of its own that holds stdout does not hold the stop', async () => {
  let pid = 0;
  const started = await begin(async (options) => {
    const backend = await pidOf(options, 'setsid sleep 60 & echo "pid $! http://127.0.0.1:1/"; wait');
    pid = backend.pid;
    return backend;
  });
  const beganMs = nodeClock.now();
  await started.stop();
  expect(nodeClock.now() - beganMs).toBeLessThan(5_000);
  if (isAlive(pid)) process.kill(pid, 'SIGKILL');
});

test('a product that comes up after its limit is stopped, and starts no more backends', async () => {
  const stop = vi.fn();
  let goOn = () => {};
  const late = new Promise<void>((resolve) => (goOn = resolve));
  let refusal: unknown = null;
  const begun = begin(async ({ run }) => {
    await late;
    await run(shell(server)).catch((error: unknown) => (refusal = error));
    return { url: 'http://127.0.0.1:1/', stop };
  }, 200);
  await expect(begun).rejects.toMatchObject({ code: 'product_start_timeout' });
  goOn();
  await vi.waitFor(() => expect(stop).toHaveBeenCalledOnce());
  expect(refusal).toMatchObject({ code: 'product_not_started', message: expect.stringContaining('its run has ended') });
});

test.each<[string, string[], string, object]>([
  ['that ends', shell('echo token=s3cret >&2; sleep 0.1; exit 4'), 'its process ended with code 4', { program: '/bin/sh', output: ['token=s3cret'] }],
  ['that does not exist', ['/nowhere/desk'], 'its program could not be run (ENOENT)', { program: '/nowhere/desk', output: [] }],
])('a backend %s is named without its output or path, which are facts', async (_title, command, why, facts) => {
  await expect(begin(({ run }) => run(command))).rejects.toMatchObject({ code: 'product_not_started', message: `Cannot start product "desk": ${why}, an address was needed`, facts });
});
