import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
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

test('a backend with input reads it, and its standard input stays open until it is stopped', async () => {
  const script = 'trap "" TERM; read -r line; echo "pid $$ http://127.0.0.1:1/$line"; read -r rest; echo done > ended';
  const started = await begin(({ run }) => run(shell(script), { input: 'boot-1\n' }));
  expect(started.url).toBe('http://127.0.0.1:1/boot-1');
  expect(existsSync(join(workroom.path, 'ended'))).toBe(false);
  await started.stop();
  expect(readFileSync(join(workroom.path, 'ended'), 'utf8')).toBe('done\n');
});

test('a backend without input meets the end of its standard input at once', async () => {
  const started = await begin(({ run }) => run(shell(`read -r line; echo "http://127.0.0.1:1/$?"; ${server}`)));
  expect(started.url).toBe('http://127.0.0.1:1/1');
  await started.stop();
});

test('a backend that ends before it reads its input is its own cause, not the broken pipe', async () => {
  await expect(begin(({ run }) => run(shell('exec 0<&-; sleep 0.1; exit 4'), { input: `${'x'.repeat(1_000_000)}\n` }))).rejects.toMatchObject({ code: 'product_not_started', message: expect.stringContaining('ended with code 4') });
});

test.each<[string, string, object]>([
  ['with a code of ours', '{"error":{"code":"cassette_exists","message":"Cannot seal cassette"}}', { code: 'cassette_exists', message: 'Cannot seal cassette', facts: { product: 'desk', code: 'cassette_exists' } }],
  ['with another code', '{"error":{"code":"no_rain","message":"Cannot water: it is dry"}}', { code: 'product_not_started', message: 'Cannot water: it is dry', facts: { product: 'desk', code: 'no_rain' } }],
  ['without a code', '{"error":{"message":"Cannot water"}}', { code: 'product_not_started', message: expect.stringContaining('its process ended with code 1') }],
  ['that is cut', '{"error":{"code":"no_ra', { code: 'product_not_started', message: expect.stringContaining('its process ended with code 1') }],
  ['behind a second one', '{"error":{"code":"no_rain","message":"Cannot water"}}\\n{"error":{"code":"no_sun","message":"Cannot dry"}}', { message: 'Cannot water', facts: { code: 'no_rain' } }],
])('a backend that tells its error in one line %s is named by it', async (_title, line, expected) => {
  await expect(begin(({ run }) => run(shell(`printf '${line}\\n'; exit 1`)))).rejects.toMatchObject(expected);
});

test.each<[string, string, string]>([
  ['ends', 'exit 3', 'its process ended with code 3'],
  ['is killed', 'kill -KILL $$', 'its process ended with SIGKILL'],
])('died tells that a backend %s by itself', async (_title, end, why) => {
  const started = await begin(({ run }) => run(shell(`echo "http://127.0.0.1:1/"; read -r word; ${end}`), { input: 'go\n' }));
  expect(await started.died).toBe(why);
  await started.stop();
});

test('died stays silent about an end that was asked for', async () => {
  const started = await begin(async (options) => pidOf(options));
  let why: string | null = null;
  void started.died.then((told) => (why = told));
  await started.stop();
  await new Promise((resolve) => setImmediate(resolve));
  expect(why).toBeNull();
});

test('a product without a start of its own has no address, and does not die', async () => {
  const started = await startProduct({ product: { name: 'desk' }, cwd: workroom.path, stateDir: workroom.path, env: {}, workroom, clock: hasty, startMs: 100 });
  expect([started.running, started.url]).toEqual([{}, null]);
  await started.stop();
});
