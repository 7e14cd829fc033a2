/** A whole replayed case of the desktop, beside its daemon and its window started by hand with as many pictures. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { judge, median, type Benchmark, type Promised } from './promise.ts';
import { endWithUs, makeNearby, repository } from './scratch.ts';

export const desktopCase: Benchmark = {
  names: ['desktop-chromium', 'desktop-electron'],
  async measure(names, say) {
    const promises: Promised[] = [];
    for (const name of names) promises.push(await measureSurface(name, say));
    return promises;
  },
};

type Result = { title: string; ms: number; phases: { [name: string]: number } };

async function measureSurface(name: string, say: (text: string) => void): Promise<Promised> {
  say(`${name}: ${roundCount} tests each, load ${loadText()}`);
  const results = await runTests(name.replace('desktop-', ''));
  // The first of each finds a cold browser and cold files.
  const [ours, floor] = ['ours', 'floor'].map((who) => results.filter(({ title }) => title.startsWith(who)).slice(1)) as [Result[], Result[]];
  const [oursMs, floorMs] = [ours, floor].map((taken) => median(taken.map(({ ms }) => ms))) as [number, number];
  const phases = phaseNames.map((phase) => `${phase} ${phaseMs(ours, phase)}/${phaseMs(floor, phase)}`).join(' · ');
  say(`${name}: ms of ours/floor: ${phases} · load now ${loadText()}`);
  return judge({ name, unit: 'ms', ours: oursMs, floor: floorMs, wanted: { atMost: 1.5 }, of: 'ratio', note: `whole tests of desktop-approve-command from their first fixture to their last in one worker, in turns, median of ${roundCount - 1}; the floor is the same daemon and window with as many pictures of the empty desktop; ms of ours/floor: ${phases}` });
}

function phaseMs(results: readonly Result[], phase: string): number {
  return Math.round(median(results.map(({ phases }) => phases[phase] ?? 0)));
}

function loadText(): string {
  return `${loadavg()[0]?.toFixed(1)} on ${cpus().length} cores`;
}

async function runTests(surface: string): Promise<Result[]> {
  const display = surface === 'electron' && !process.env.DISPLAY && process.platform === 'linux' ? await startDisplay() : null;
  const env = { ...process.env, BENCH_OUTPUT: makeNearby('output'), BENCH_ROUNDS: String(roundCount), PLAYHEAD_SURFACE: surface, ...(display ? { DISPLAY: display.name } : {}) };
  const cli = join(repository, 'node_modules/@playwright/test/cli.js');
  const child = endWithUs(spawn(process.execPath, [cli, 'test', '--config', join(import.meta.dirname, 'desktop/playwright.config.ts')], { cwd: repository, env, stdio: ['ignore', 'pipe', 'inherit'] }));
  const [output] = await Promise.all([text(child.stdout), once(child, 'close')]);
  display?.stop();
  const results = resultsOf(JSON.parse(output) as Suite);
  if (results.length !== 2 * roundCount) throw new Error(`${results.length} of ${2 * roundCount} tests ran`);
  return results;
}

// One display for both, outside of what is measured.
async function startDisplay(): Promise<{ name: string; stop: () => void }> {
  const child = endWithUs(spawn('Xvfb', ['-displayfd', '3', '-screen', '0', '1600x1200x24', '-nolisten', 'tcp'], { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] }));
  const [number] = (await once(createInterface({ input: child.stdio[3] as Readable }), 'line')) as [string];
  return { name: `:${number}`, stop: () => void child.kill('SIGTERM') };
}

type Suite = { suites?: Suite[]; specs?: { title: string; ok: boolean; tests: { annotations: { type: string; description?: string }[]; results: { error?: { message?: string } }[] }[] }[] };

function resultsOf(suite: Suite): Result[] {
  const own = (suite.specs ?? []).map(({ title, ok, tests }) => {
    const [test] = tests;
    if (!ok || !test) throw new Error(`test "${title}" failed: ${test?.results[0]?.error?.message ?? 'it did not run'}`);
    const phases = test.annotations.filter(({ type }) => type.startsWith('phase ')).map(({ type, description }) => [type.slice('phase '.length), Number(description)] as const);
    // Not the duration of the report: it leaves out fixtures with a limit of their own, and ours start product and window in those.
    return { title, ms: phases.reduce((sum, [, ms]) => sum + ms, 0), phases: Object.fromEntries(phases) };
  });
  return [...own, ...(suite.suites ?? []).flatMap(resultsOf)];
}

const phaseNames = ['product start', 'window', 'play', 'pictures', 'finish', 'teardown'];
const roundCount = Number(process.env.BENCH_ROUNDS ?? 7);
