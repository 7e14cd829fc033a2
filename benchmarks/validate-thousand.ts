/** A thousand small cassettes in one call of the built command, beside a process that only reads, hashes and parses their files. */

import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { writeDraft } from '../fixtures/cassettes/draft.ts';
import { writeFiles } from '../fixtures/cassettes/on-disk.ts';
import { shapes } from '../fixtures/cassettes/shapes.ts';
import { interleave, judge, type Benchmark } from './promise.ts';
import { makeTemp, repository } from './scratch.ts';

export const validateThousand: Benchmark = {
  names: ['validate-thousand'],
  async measure([name = ''], say) {
    say(`${name}: ${roundCount} rounds of ${cassetteCount} cassettes`);
    const folder = writeCassettes();
    const { ours, floor } = await interleave({ rounds: roundCount, ours: async () => validate(folder), floor: async () => secondsOf(['benchmarks/read-folders.mjs', folder]).seconds });
    const note = `every shape without a finding in turn, through the command with all levels; each process counts from its start to its end, beside one that reads, hashes and parses the same files`;
    return [judge({ name, unit: 's', ours, floor, wanted: { atMost: 5 }, of: 'ours', note })];
  },
};

function writeCassettes(): string {
  const folder = makeTemp('thousand');
  const sound = shapes.filter(({ refusedWith, warnedWith }) => !refusedWith && !warnedWith).map(({ make }) => writeDraft(make()));
  for (let i = 0; i < cassetteCount; i++) {
    const one = join(folder, `cassette-${i}`);
    mkdirSync(one);
    writeFiles(one, sound[i % sound.length] ?? new Map());
  }
  return folder;
}

// Who has found nothing may have looked at nothing.
function validate(folder: string): number {
  const { seconds, text } = secondsOf(['dist/cli.js', 'validate', folder, '--json']);
  const { valid, cassettes } = JSON.parse(text) as { valid: boolean; cassettes: { issues: unknown[] }[] };
  if (!valid || cassettes.length !== cassetteCount || cassettes.some(({ issues }) => issues.length > 0)) throw new Error(`validate found ${cassettes.length} cassettes, ${cassetteCount} sound ones were needed`);
  return seconds;
}

function secondsOf(words: string[]): { seconds: number; text: string } {
  const begunMs = performance.now();
  const text = execFileSync(process.execPath, words, { cwd: repository, encoding: 'utf8', maxBuffer: 2 ** 28 });
  return { seconds: (performance.now() - begunMs) / 1_000, text };
}

const roundCount = 3;
const cassetteCount = 1_000;
