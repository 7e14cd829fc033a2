import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Product } from '../core/product.ts';
import type { Verdict } from '../core/verdict/verdict.ts';
import { connection, removeFolders, tapeOf } from '../tape/fixtures/tapes.ts';
import { nodeClock } from '../tape/node-clock.ts';
import { RecordRun } from './record-run.ts';
import { ReplayRun } from './replay-run.ts';
import type { Run, RunFacts } from './run.ts';
import { createStandInFolder, type StandInFolder } from './stand-in-folder.ts';
import { createWorkroom, type Workroom } from './workroom.ts';

let workroom: Workroom;
beforeEach(() => void (workroom = createWorkroom()));
afterEach(() => {
  workroom.remove();
  removeFolders();
});

const facts: RunFacts = { case: null, cassette: { id: '', name: 'main', dir: 'main', manifestSha256: '' }, product: { name: 'desk', version: null }, drive: 'spec', surface: 'none', timing: 'instant', browser: null };
const product: Product = { name: 'desk', start: async () => ({ stop: () => Promise.reject(new Error('no way down')) }) };
const share = (mode: Run['mode']): StandInFolder => createStandInFolder({ path: workroom.makeFolder('shared'), mode, providers: [{ id: 'codex', homeEnv: [] }], programs: '/programs' });

function start(mode: Run['mode'], shared: StandInFolder, products = product): Promise<Run> {
  const options = { facts, product: products, workroom, clock: nodeClock, startMs: 5_000, sharedFolder: shared.path };
  if (mode === 'record') return RecordRun.start({ ...options, script: null, programs: {}, target: join(workroom.path, 'cassette') });
  return ReplayRun.start({ ...options, tape: tapeOf({ steps: [], connections: [connection(1)] }), stallMs: 5_000 });
}

function expectReleased(shared: StandInFolder, run: Run | null): void {
  expect(readdirSync(join(shared.path, 'routes'))).toEqual([]);
  const own = run?.programFor('codex').replace(/\/bin\/codex$/, '');
  if (own) expect([readdirSync(join(own, 'routes')), existsSync(join(own, 'tape.sock'))]).toEqual([[], false]);
}

test.each(['replay', 'record'] as const)('a %s whose product does not stop still has its verdict, and everything is released', async (mode) => {
  const shared = share(mode);
  const run = await start(mode, shared);
  const verdict: Verdict = await run.end();
  expect([verdict.result, verdict.fault?.code, verdict.fault?.message]).toEqual(['faulted', 'product_not_stopped', 'Cannot stop product "desk": no way down, an end was needed']);
  expectReleased(shared, run);
});

test.each([['replay', 'record'], ['record', 'replay']] as const)('a %s in a folder that was shared for %s is refused, and nothing is left', async (mode, made) => {
  const shared = share(made);
  await expect(start(mode, shared)).rejects.toMatchObject({ code: 'option_invalid', next: [expect.stringContaining(`PLAYHEAD_MODE=${mode}`)] });
  expectReleased(shared, null);
});

test.each(['replay', 'record'] as const)('a %s whose product does not start leaves nothing', async (mode) => {
  const shared = share(mode);
  const failing: Product = { name: 'desk', start: () => Promise.reject(new Error('no licence')) };
  await expect(start(mode, shared, failing)).rejects.toMatchObject({ code: 'product_not_started' });
  expectReleased(shared, null);
});
