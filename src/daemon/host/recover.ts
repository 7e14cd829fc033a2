/** What a crash left open: operations first, then stale turns (agent-host 1.11, subtlest rule 9). */

import type { HostContext } from './context.ts';
import type { Engine } from './engine.ts';
import { hostLimits } from './limits.ts';

/** An operation that fails stands in the way of nothing; a step that fails stops the start. */
export async function recover(host: HostContext, engine: Engine): Promise<string[]> {
  const steps: string[] = [];
  host.store.requeue();
  steps.push('runtime_requeue');
  const tried = new Set<string>();
  for (let next = untried(host, tried); next; next = untried(host, tried)) {
    tried.add(next);
    await engine.run(next, { isStartup: true }).catch((error: unknown) => host.log('cannot carry on an operation after a restart', error));
  }
  steps.push('runtime_complete');
  host.store.settleStale();
  steps.push('stale_settle');
  return steps;
}

function untried({ store }: HostContext, tried: Set<string>): string | undefined {
  return store.openOperations(tried.size + hostLimits.drainBatch).find(({ operationId }) => !tried.has(operationId))?.operationId;
}
