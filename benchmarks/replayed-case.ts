/** A whole replayed test with its page, beside the same page before a six-line canned provider. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { judge, median, type Benchmark } from './promise.ts';
import { endWithUs, makeNearby, repository } from './scratch.ts';

export const replayedCase: Benchmark = {
  names: ['replayed-case'],
  async measure([name = ''], say) {
    say(`${name}: ${roundCount} tests each`);
    const results = await runTests();
    const timesOf = (who: string) => results.filter((result) => result.title.startsWith(who)).slice(1).map((result) => result.ms);
    const [ours, floor] = [median(timesOf('ours')), median(timesOf('floor'))];
    return [judge({ name, unit: 'ms', ours, floor, wanted: { atMost: 1.25 }, of: 'ratio', note: `whole tests of chat-approve-command in one worker, in turns, median of ${roundCount - 1}; the floor is the same product, page, clicks and pictures before a canned codex` })];
  },
};

type Result = { title: string; ms: number };
type Suite = { suites?: Suite[]; specs?: { title: string; ok: boolean; tests: { results: { duration: number; error?: { message?: string } }[] }[] }[] };

async function runTests(): Promise<Result[]> {
  const env = { ...process.env, BENCH_OUTPUT: makeNearby('output'), BENCH_ROUNDS: String(roundCount) };
  const cli = join(repository, 'node_modules/@playwright/test/cli.js');
  const child = endWithUs(spawn(process.execPath, [cli, 'test', '--config', join(import.meta.dirname, 'window/playwright.config.ts')], { cwd: repository, env, stdio: ['ignore', 'pipe', 'inherit'] }));
  const [output] = await Promise.all([text(child.stdout), once(child, 'close')]);
  const results = resultsOf(JSON.parse(output) as Suite);
  if (results.length !== 2 * roundCount) throw new Error(`${results.length} of ${2 * roundCount} tests ran`);
  return results;
}

function resultsOf(suite: Suite): Result[] {
  const own = (suite.specs ?? []).map(({ title, ok, tests }) => {
    const result = tests[0]?.results[0];
    if (!ok || !result) throw new Error(`test "${title}" failed: ${result?.error?.message ?? 'it did not run'}`);
    return { title, ms: result.duration };
  });
  return [...own, ...(suite.suites ?? []).flatMap(resultsOf)];
}

const roundCount = 9;
