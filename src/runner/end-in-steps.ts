/** Ends a run: every step is taken, whatever became of the one before, and every failure is told. */

import { toFault, type Fault } from '../core/fault.ts';

export async function endInSteps(steps: readonly (() => unknown)[], onFault: (fault: Fault) => void): Promise<void> {
  for (const step of steps)
    try {
      await step();
    } catch (error) {
      onFault(toFault(error, 'end the run'));
    }
}
