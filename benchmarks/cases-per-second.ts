/** Cases without a window, two at once, beside the same product driven against a canned provider. */

import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { readOverrides } from '../src/runner/options.ts';
import { openReplay } from '../src/runner/main.ts';
import { playScenario } from '../src/runner/scenario.ts';
import { createWorkroom, type Workroom } from '../src/runner/workroom.ts';
import { startBareProduct } from './bare-product.ts';
import { createCannedCodex } from './canned-codex.ts';
import { greet } from './headless/greet.ts';
import { interleave, judge, type Benchmark } from './promise.ts';
import { makeNearby, makeTemp, repository } from './scratch.ts';

export const casesPerSecond: Benchmark = {
  names: ['cases-per-second'],
  async measure([name = ''], say) {
    say(`${name}: ${roundCount} rounds of ${caseCount} cases each`);
    const nearby = makeNearby('headless');
    cpSync(join(import.meta.dirname, 'headless'), nearby, { recursive: true });
    const cassette = join(repository, 'cases/chat-hello/cassettes/main');
    const caseFolder = join(nearby, 'chat-hello');
    cpSync(cassette, join(caseFolder, 'cassettes/main'), { recursive: true });
    const workroom = createWorkroom();
    const temp = makeTemp('floor');
    const env = createCannedCodex({ folder: temp, cassette });
    await replayCase(caseFolder, workroom); // Loads modules once for both.
    const { ours, floor } = await interleave({
      rounds: roundCount,
      ours: () => rateOf(() => replayCase(caseFolder, workroom)),
      floor: () => rateOf((i) => driveBare({ cwd: join(temp, `project-${i}`), env })),
    });
    workroom.remove();
    return [judge({ name, unit: '1/s', ours, floor, wanted: { atLeast: 6 }, of: 'ours', note: `${atOnce} at once, median of ${roundCount} rounds of ${caseCount}; each boots the product. The floor drives the same product against a canned codex` })];
  },
};

async function replayCase(caseFolder: string, workroom: Workroom): Promise<void> {
  const opened = await openReplay({ caseFolder, cassetteName: null, productName: null, surface: 'none', timing: 'instant', browser: null, workroom, overrides: readOverrides({}) });
  if (opened.state === 'refused' || !opened.facts.case) throw opened.state === 'refused' ? (opened.error ?? new Error('the case was refused')) : new Error('the case is missing');
  const { run } = opened;
  await playScenario({ of: opened.facts.case, run, page: null, expect: null });
  await run.settle('play');
  const verdict = await run.end();
  if (verdict.result !== 'passed') throw new Error(`a case ${verdict.result}: ${verdict.divergence?.message ?? verdict.fault?.message}`);
}

async function driveBare(options: { cwd: string; env: { [name: string]: string } }): Promise<void> {
  const product = await startBareProduct(options);
  await greet({ url: product.url, cwd: options.cwd });
  await product.stop();
}

async function rateOf(runOne: (index: number) => Promise<void>): Promise<number> {
  const startedMs = performance.now();
  let next = 0;
  const lane = async () => {
    while (next < caseCount) await runOne(next++);
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
  return caseCount / ((performance.now() - startedMs) / 1_000);
}

const roundCount = 5;
const caseCount = 12;
const atOnce = 2;
