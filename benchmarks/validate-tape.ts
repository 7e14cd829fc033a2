/** Validation of a tape at the limit of its frames, beside what nobody can leave out: hash, parse, decode, parse. */

import { dirname, join } from 'node:path';
import type { IssueLevel } from '../src/core/issue.ts';
import { findProvider } from '../src/providers/registry.ts';
import { readCassette } from '../src/runner/read-cassette.ts';
import { LineReader, readOnce } from '../src/tape/read-once.ts';
import { interleave, judge, type Benchmark } from './promise.ts';
import { tapeToCheck } from './tape-to-check.ts';

export const validateTape: Benchmark = {
  names: ['validate-tape'],
  async measure([name = ''], say) {
    say(`${name}: ${roundCount} rounds of 256 MiB`);
    const folder = tapeToCheck(256 * mebibyte);
    const { ours, floor } = await interleave({ rounds: roundCount, ours: async () => millisecondsOf(() => validate(folder, loadLevels)), floor: async () => millisecondsOf(() => readOnly(folder)) });
    const small = [1, 4, 16, 64].map((size) => ({ size, folder: tapeToCheck(size * mebibyte) }));
    const perMebibyte = small.map(({ size, folder: one }) => `${size} MiB ${(Math.min(...[1, 2, 3].map(() => millisecondsOf(() => validate(one, loadLevels)))) / size).toFixed(1)}`);
    const note = `every rule of a tape and the audit of each message, beside SHA-256 and two parses of it; milliseconds for one MiB: ${perMebibyte.join(', ')}, 256 MiB ${(ours / 256).toFixed(1)}`;
    return [judge({ name, unit: 'ms', ours, floor, wanted: { atMost: 1.3 }, of: 'ratio', note })];
  },
};

/** A cassette that is a tape alone, at these levels; throws where something stands against it. */
export function validate(folder: string, levels: readonly IssueLevel[]): void {
  const [issue] = readCassette({ folder: dirname(folder), findProvider, levels }).issues;
  if (issue) throw new Error(issue.message);
}

/** The levels that look at a tape; the secret scan of the others is a promise of its own. */
const loadLevels = ['resolve', 'tape_load'] as const;

function readOnly(folder: string): void {
  const lines = new LineReader({
    lineBytesMax: 16_777_216,
    take(line) {
      const { data } = JSON.parse(line.toString()) as { data: string };
      JSON.parse(Buffer.from(data, 'base64').toString());
    },
    blank() {},
    tooLong() {},
  });
  // It hashes what it reads.
  readOnce(join(folder, 'frames.jsonl'), { maxBytes: 2 ** 30, take: (block) => lines.push(block) });
}

function millisecondsOf(work: () => void): number {
  const before = performance.now();
  work();
  return performance.now() - before;
}

const roundCount = 5;
const mebibyte = 1_048_576;
