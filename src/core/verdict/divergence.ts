/** The first place where live and recorded differ, and the one register that latches it (design ruling 7). */

import { createHash } from 'node:crypto';

export type Layer = 'cassette' | 'effect' | 'protocol' | 'transport' | 'state';
export const layerNames: readonly Layer[] = ['cassette', 'effect', 'protocol', 'transport', 'state'];

export type ChunkPosition = { connectionId: string; chunkSeq: number; unitIndex: number };
export type DivergencePosition = ChunkPosition | { file: string; line: number };
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

/** Codes of the layers that a tape can judge; cassette codes are the codes of the issues. */
export const divergenceCatalogue = {
  outbound_mismatch: { layer: 'protocol', means: 'The product sent something else than was recorded here.' },
  outbound_extra: { layer: 'protocol', means: 'The product sent a message that the recording does not have.' },
  outbound_missing: { layer: 'protocol', means: 'The product did not send what was recorded here.' },
  outbound_unfinished: { layer: 'protocol', means: 'The product closed its pipe in the middle of a line.' },
  launch_unmatched: { layer: 'transport', means: 'A provider was started that the recording does not have.' },
  launch_ambiguous: { layer: 'transport', means: 'A launch fits several recorded connections which go on differently.' },
  connection_not_selected: { layer: 'transport', means: 'A recorded connection was never started.' },
  not_drained: { layer: 'transport', means: 'Recorded output of the provider was never read.' },
  shim_lost: { layer: 'transport', means: 'A stand-in went away without an end: killed, or its socket was cut.' },
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
