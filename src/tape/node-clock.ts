/** The clock port over the real time. */

import { performance } from 'node:perf_hooks';
import type { Clock } from '../core/ports.ts';

export const nodeClock: Clock = {
  now: () => performance.now(),
  after(ms, call) {
    const timer = setTimeout(call, ms);
    return () => clearTimeout(timer);
  },
};
