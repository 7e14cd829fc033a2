/** `npm run -s bench -- [--json] [name…]`: measures what we promise beside the same work without us, in the same run. */

import { casesPerSecond } from './cases-per-second.ts';
import { desktopCase } from './desktop.ts';
import { playerRss } from './player-rss.ts';
import { playerThroughput } from './player-throughput.ts';
import type { Benchmark, Promised } from './promise.ts';
import { replayedCase } from './replayed-case.ts';
import { removeScratch } from './scratch.ts';
import { secretScan } from './secret-scan.ts';
import { standInFirstByte } from './stand-in-first-byte.ts';
import { validateRss } from './validate-rss.ts';
import { validateTape } from './validate-tape.ts';
import { validateThousand } from './validate-thousand.ts';

const benchmarks: Benchmark[] = [standInFirstByte, playerThroughput, playerRss, replayedCase, desktopCase, casesPerSecond, validateTape, validateRss, validateThousand, secretScan];

const isJson = process.argv.includes('--json');
const words = process.argv.slice(2).filter((word) => word !== '--json');
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(signal === 'SIGINT' ? 130 : 143));
process.on('exit', removeScratch);
process.exitCode = await main();
// Sockets of measured products may linger in a keep-alive; everything is measured.
process.exit();

async function main(): Promise<number> {
  const names = benchmarks.flatMap((benchmark) => benchmark.names);
  const wanted = words.length === 0 ? names : names.filter((name) => words.some((word) => name.includes(word)));
  const stranger = words.find((word) => word.startsWith('-') || !names.some((name) => name.includes(word)));
  if (stranger !== undefined) return refuse('usage', `Cannot measure "${stranger}": no promise has that in its name, one of ${names.join(', ')} was needed`, 2);
  try {
    const promises = await measureAll(wanted);
    if (isJson) process.stdout.write(`${JSON.stringify({ promises }, null, 2)}\n`);
    else promises.forEach(printRow);
    return 0;
  } catch (error) {
    return refuse('internal_error', `Cannot measure ${wanted.join(', ')}: ${error instanceof Error ? error.message : String(error)}, a figure was needed`, 3);
  }
}

async function measureAll(wanted: readonly string[]): Promise<Promised[]> {
  const promises: Promised[] = [];
  for (const benchmark of benchmarks) {
    const names = benchmark.names.filter((name) => wanted.includes(name));
    if (names.length > 0) promises.push(...(await benchmark.measure(names, (text) => process.stderr.write(`${text}\n`))));
  }
  return promises;
}

function printRow({ name, unit, ours, floor, ratio, wanted, holds, note }: Promised): void {
  const limit = wanted === null ? '' : 'atLeast' in wanted ? `wanted at least ${wanted.atLeast}` : `wanted at most ${wanted.atMost}`;
  const beside = floor === null ? '' : ` beside ${floor}`;
  process.stdout.write(`${holds ? '✓' : '✗'} ${name.padEnd(24)} ${`${ours}${beside} ${unit}`.padEnd(30)} ${ratio === null ? '' : `ratio ${ratio}`.padEnd(14)} ${limit}\n  ${note}\n`);
}

function refuse(code: string, message: string, exitCode: number): number {
  const next = ['npm run -s bench'];
  if (isJson) process.stdout.write(`${JSON.stringify({ schemaVersion: 1, error: { code, message, at: null, facts: {}, next } }, null, 2)}\n`);
  else process.stderr.write(`✗ ${message}\n  next  ${next[0]}\n  see   docs/errors.md#${code}\n`);
  return exitCode;
}
