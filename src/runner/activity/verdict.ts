/** The verdict of a replay of the activity lane: counts of all five layers (interface.md, Verdict). */

import type { ReplayStatus } from '../../core/control/daemon.ts';
import type { Fault } from '../../core/fault.ts';
import type { RecordedWith } from '../../core/tape/manifest.ts';
import type { Divergence } from '../../core/verdict/divergence.ts';
import { judgeLayers, type LayerCounts, type Verdict } from '../../core/verdict/verdict.ts';
import { countAllowances, verdictHead, withNext } from '../build-verdict.ts';
import type { RunFacts } from '../run.ts';
import type { PlannedCheckpoint } from './script.ts';

export type Shots = ReadonlyMap<string, { attachment: string | null; playbackMs: number; wallMs: number }>;

export type ActivityVerdictOptions = {
  facts: RunFacts;
  /** Files in the inventory of the cassette. */
  fileCount: number;
  status: ReplayStatus | null;
  divergence: Divergence | null;
  fault: Fault | null;
  isReached: boolean;
  playedCount: number;
  /** Checkpoints that were reached, and JSON nodes of the expected state that were compared. */
  reachedCount: number;
  stateNodes: number;
  checkpoints: readonly PlannedCheckpoint[];
  shots: Shots;
  recordedWith: RecordedWith | null;
  durationMs: number;
  detectedAtMs: number | null;
};

export function buildActivityVerdict(options: ActivityVerdictOptions): Verdict {
  const { facts, status, fault, isReached, checkpoints, shots } = options;
  const divergence = options.divergence && withNext(withCheckpoint(options.divergence, options), facts);
  const played = status?.counts ?? { matched: 0, absorbed: 0, delivered: 0, connections: 0 };
  const counts: LayerCounts = {
    cassette: { checked: options.fileCount, allowed: countAllowances(facts) },
    effect: { checked: options.playedCount, allowed: 0 },
    protocol: { checked: played.matched, allowed: played.absorbed },
    transport: { checked: played.delivered + played.connections, allowed: 0 },
    state: { checked: options.reachedCount + options.stateNodes, allowed: 0 },
  };
  return {
    ...verdictHead(facts),
    result: fault ? 'faulted' : divergence || !isReached ? 'failed' : 'passed',
    recordedWith: options.recordedWith,
    layers: judgeLayers(counts, fault ? null : (divergence?.layer ?? null), !fault && isReached),
    divergence: fault ? null : divergence,
    fault: fault && { code: fault.code, message: fault.message, next: fault.next },
    checkpoints: checkpoints.map(({ id, name, index, kind }) => ({ id, name, index, kind, ...(shots.get(id) ?? { playbackMs: 0, wallMs: 0, attachment: null }) })),
    launches: status?.launches ?? { expected: 0, arrived: 0, refused: 0 },
    durationMs: options.durationMs,
    detectedAtMs: options.detectedAtMs,
  };
}

// The last checkpoint behind which it happened.
function withCheckpoint(divergence: Divergence, { checkpoints, reachedCount }: ActivityVerdictOptions): Divergence {
  const last = checkpoints[reachedCount - 1];
  return divergence.checkpoint || !last ? divergence : { ...divergence, checkpoint: { id: last.id, name: last.name } };
}
