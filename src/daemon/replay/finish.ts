/** The end of a replay: nothing recorded may be left, the providers are closed, and the state is compared (design ruling 7). */

import type { FinishReply } from '../../core/control/daemon.ts';
import type { Json } from '../../core/json/exact.ts';
import { createDivergence, type Divergence, type DivergenceFacts } from '../../core/verdict/divergence.ts';
import type { ReplayDocuments } from './documents.ts';
import type { EventGates } from './events.ts';
import type { ReplayTape } from './ports.ts';
import { compareFinalState, countNodes } from './state.ts';

/** What the end asks of a replay. */
export type Finishing = {
  tape: Pick<ReplayTape, 'cassette' | 'gates'>;
  events: Pick<EventGates, 'firstUnplayed'>;
  readonly missing: Divergence | null;
  readonly hasActiveTurn: boolean;
  report: (facts: DivergenceFacts) => Divergence;
  capture: () => Json | null;
};

export type FinishOptions = { replay: Finishing; documents: Pick<ReplayDocuments, 'expected' | 'stateFormat' | 'plan'>; closeRuntimes: () => Promise<void> };

/** Judges in this order: what diverged, what is missing, what is open, what the providers said to the end, the state. */
export async function finishReplay({ replay, documents, closeRuntimes }: FinishOptions): Promise<FinishReply> {
  const { cassette, gates } = replay.tape;
  gates.clear();
  // What that let go runs now: between tape and store everything is in memory.
  await new Promise<void>((resolve) => setImmediate(resolve));
  const left = findLeft(replay);
  if (left) return { divergence: replay.report(left), stateNodes: 0 };
  cassette.leave();
  await closeRuntimes();
  const late = cassette.register.first;
  if (late) return { divergence: late, stateNodes: 0 };
  const found = compareFinalState({ ...documents, actual: replay.capture() });
  return { divergence: found && replay.report(found), stateNodes: countNodes(documents.expected) };
}

function findLeft(replay: Finishing): Divergence | null {
  const { cassette } = replay.tape;
  // What is left of the tape is to blame before an event that could not come because of it.
  const left = replay.missing ?? replay.events.firstUnplayed ?? (cassette.isDrained ? null : cassette.findMissing());
  if (left || !replay.hasActiveTurn) return left;
  return createDivergence({ layer: 'state', code: 'session_unsettled', message: 'Cannot finish replay: everything was played and a turn is open, a settled session was needed', path: '$.agent.sessions' });
}
