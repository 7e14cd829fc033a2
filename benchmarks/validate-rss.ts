/** Memory of a process that validates a tape at the limit of its frames. */

import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { judge, median, type Benchmark } from './promise.ts';
import { tapeToCheck } from './tape-to-check.ts';

export const validateRss: Benchmark = {
  names: ['validate-rss'],
  async measure([name = ''], say) {
    say(`${name}: ${roundCount} processes with 256 MiB each`);
    const peaks = Array.from({ length: roundCount }, () => peakOf(tapeToCheck(256 * mebibyte)));
    const [small] = [peakOf(tapeToCheck(mebibyte))];
    return [judge({ name, unit: 'MiB', ours: median(peaks), floor: null, wanted: { atMost: 200 }, of: 'ours', note: `the peak of the whole process; with a tape of 1 MiB it is ${small.toFixed(0)} MiB` })];
  },
};

function peakOf(folder: string): number {
  return Number(execFileSync(process.execPath, [join(import.meta.dirname, 'check-tape.ts'), folder], { encoding: 'utf8' })) / mebibyte;
}

const roundCount = 3;
const mebibyte = 1_048_576;
