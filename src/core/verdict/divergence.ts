/** The first place where live and recorded differ, and the one register that latches it (design ruling 7). */

import { createHash } from 'node:crypto';

export type Layer = 'cassette' | 'effect' | 'protocol' | 'transport' | 'state';
export const layerNames: readonly Layer[] = ['cassette', 'effect', 'protocol', 'transport', 'state'];

export type ChunkPosition = { connectionId: string; chunkSeq: number; unitIndex: number };
export type ActivityPosition = { activitySequence: number; eventId: string };
export type DivergencePosition = ChunkPosition | ActivityPosition | { file: string; line: number };
export type Cause = { code: string; text: string };
export type Nearest = { position: ChunkPosition; changed: string[] };

export type Divergence = {
  layer: Layer;
  code: DivergenceCode;
  /** `layer/code path-without-ids`, hashed: reports group by it. */
  fingerprint: string;
  message: string;
  lane: string | null;
  checkpoint: { id: string; name: string } | null;
  position: DivergencePosition | null;
  path: string | null;
  recorded: string | null;
  live: string | null;
  nearest: Nearest | null;
  causes: Cause[];
  next: string[];
};

/** Codes of the layers that a replay judges; cassette codes are the codes of the issues. */
export const divergenceCatalogue = {
  command_missing: { layer: 'effect', means: 'The window did not make a command that was recorded for an intent.' },
  command_extra: { layer: 'effect', means: 'The window made a command that nobody recorded.' },
  command_changed: { layer: 'effect', means: 'The window made the recorded command with another content.' },
  command_result: { layer: 'effect', means: 'A recorded command ended otherwise, or not at all.' },
  outbound_mismatch: { layer: 'protocol', means: 'The product sent something else than was recorded here.' },
  outbound_extra: { layer: 'protocol', means: 'The product sent a message that the recording does not have.' },
  outbound_missing: { layer: 'protocol', means: 'The product did not send what was recorded here.' },
  outbound_unfinished: { layer: 'protocol', means: 'The product closed its pipe in the middle of a line.' },
  launch_unmatched: { layer: 'transport', means: 'A provider was started that the recording does not have.' },
  launch_ambiguous: { layer: 'transport', means: 'A launch fits several recorded connections which go on differently.' },
  connection_not_selected: { layer: 'transport', means: 'A recorded connection was never started.' },
  not_drained: { layer: 'transport', means: 'Recorded output of the provider was never read.' },
  checkpoint_provider_overshot: { layer: 'transport', means: 'A connection handled more than the checkpoint allows.' },
  product_ended: { layer: 'transport', means: 'The product ended in mid-replay; the layer is that of what was awaited.' },
  shim_lost: { layer: 'transport', means: 'A stand-in went away without an end: killed, or its socket was cut.' },
  intent_not_ready: { layer: 'state', means: 'The window never came to where a recorded intent could be done.' },
  not_shown: { layer: 'state', means: 'The window does not show what the state holds.' },
  checkpoint_not_reached: { layer: 'state', means: 'What triggers a checkpoint was not seen.' },
  checkpoint_not_ready: { layer: 'state', means: 'A checkpoint was triggered and the state does not hold what it needs.' },
  checkpoint_trigger_missing: { layer: 'state', means: 'A provider message was stored without what triggers a checkpoint.' },
  checkpoint_trigger_mismatch: { layer: 'state', means: 'Something else was stored where a checkpoint is triggered.' },
  checkpoint_trigger_out_of_order: { layer: 'state', means: 'A provider lane went on before what triggers a checkpoint was seen.' },
  checkpoint_plan_invalid: { layer: 'state', means: 'A checkpoint asks something that cannot be asked.' },
  checkpoint_identity_unresolved: { layer: 'state', means: 'Nothing live stands for what a checkpoint is about.' },
  turn_surplus: { layer: 'state', means: 'A session has more turns than were recorded.' },
  session_unsettled: { layer: 'state', means: 'Everything was played and a turn has not settled.' },
  state_diff: { layer: 'state', means: 'The state that came out is another one than was recorded.' },
} as const satisfies { [code: string]: { layer: Layer; means: string } };

export type TapeDivergenceCode = keyof typeof divergenceCatalogue;
export type DivergenceCode = TapeDivergenceCode | (string & {});

export type DivergenceFacts = Pick<Divergence, 'layer' | 'code' | 'message'> & Partial<Omit<Divergence, 'layer' | 'code' | 'message' | 'fingerprint'>>;

export function createDivergence(facts: DivergenceFacts): Divergence {
  const path = facts.path ?? null;
  return {
    lane: null,
    checkpoint: null,
    position: null,
    recorded: null,
    live: null,
    nearest: null,
    causes: [],
    next: [],
    ...facts,
    path,
    fingerprint: fingerprintOf(facts.layer, facts.code, path),
  };
}

/** Layer, code and path without ids or indexes, so that one cause in many cases counts as one. */
export function fingerprintOf(layer: Layer, code: string, path: string | null): string {
  const shape = (path ?? '').replace(/\[\d+\]/g, '[]').replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'id');
  return `sha256:${createHash('sha256').update(`${layer}/${code}/${shape}`).digest('hex')}`;
}

/** One register per cassette: the first divergence wins and stays; everybody else reads it. */
export class DivergenceRegister {
  #first: Divergence | null = null;
  #atMs = 0;
  readonly #listeners: ((divergence: Divergence) => void)[] = [];
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  get first(): Divergence | null {
    return this.#first;
  }

  /** When the first divergence was seen, on the register's clock. */
  get firstAtMs(): number | null {
    return this.#first ? this.#atMs : null;
  }

  report(divergence: Divergence): Divergence {
    if (this.#first) return this.#first;
    this.#first = divergence;
    this.#atMs = this.#now();
    for (const listener of this.#listeners) listener(divergence);
    return divergence;
  }

  /** Calls at once where there is a divergence already. */
  onFirst(listener: (divergence: Divergence) => void): void {
    if (this.#first) listener(this.#first);
    else this.#listeners.push(listener);
  }
}
