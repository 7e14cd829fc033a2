/** Places of the other files against the ends of the tape: what lies behind its last chunk, no replay comes to. */

import type { ActivityTimeline } from '../activity/event.ts';
import { activityFile } from '../activity/event.ts';
import type { PlanFacts } from '../checkpoint/check-plan.ts';
import { planFile } from '../checkpoint/plan.ts';
import type { Report } from '../issue.ts';

export type Ends = {
  plan: PlanFacts;
  timeline: ActivityTimeline | null;
  /** Chunks of each connection. */
  lengths: ReadonlyMap<string, bigint>;
};

/** Reports the first cursor and the furthest place of `lanes` that lie behind the end of a connection. */
export function reportBeyondTape({ plan, timeline, lengths }: Ends, report: Report): void {
  // A cursor never goes back, so that all later ones lie behind it too.
  const reported = new Set<string>();
  for (const { path, cursor } of plan.checkpoints)
    cursor?.providerConnections.forEach(({ connectionId, chunkSeq }, i) => {
      const count = lengths.get(connectionId);
      if (count === undefined || chunkSeq <= count || reported.has(connectionId)) return;
      reported.add(connectionId);
      report({ code: 'cursor_beyond_tape', file: planFile, path: `${path}.cursor.providerConnections[${i}].chunkSeq`, ...beyond(chunkSeq, count) });
    });
  for (const [connectionId, { line, path, chunkSeq }] of timeline?.laneEnds ?? []) {
    const count = lengths.get(connectionId);
    if (count !== undefined && chunkSeq > count) report({ code: 'lanes_invalid', file: activityFile, line, path: `${path}.chunkSeq`, ...beyond(chunkSeq, count) });
  }
}

function beyond(chunkSeq: bigint, count: bigint): { is: string; needed: string } {
  return { is: `it is at chunk ${chunkSeq} and its connection has ${count}`, needed: 'a chunk of the tape was needed' };
}
