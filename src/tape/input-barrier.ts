/**
 * Parks a provider lane at an exact message (replay-runtime 2.8). Strict: handling a unit beyond its target is a fault.
 * Free (way *wrap*, stand-in b10): lanes that passed a target stay where they are, and only what lies ahead is held.
 */

import { Fault } from '../core/fault.ts';
import type { UnitPosition } from '../core/ports.ts';
import { Change } from '../core/signal.ts';

/** What players ask of a barrier, strict, free or gated. */
export type LaneBarrier = Pick<InputBarrier, 'handledAt' | 'targetOf' | 'setTargets' | 'clear' | 'complete' | 'reached' | 'hasHandled'> & {
  /** Waits until the connection may be handed anything beyond what it has handled (desktop-order b4). */
  admit?: (connectionId: string, signal?: AbortSignal) => Promise<void>;
};

export class InputBarrier {
  readonly #mode: 'strict' | 'free';
  readonly #change = new Change();
  readonly #handled = new Map<string, UnitPosition>();
  #targets: Map<string, UnitPosition> | null = null;
  #generation = 0;

  constructor(mode: 'strict' | 'free') {
    this.#mode = mode;
  }

  handledAt(connectionId: string): UnitPosition | null {
    return this.#handled.get(connectionId) ?? null;
  }

  targetOf(connectionId: string): UnitPosition | null {
    return this.#targets?.get(connectionId) ?? null;
  }

  setTargets(targets: readonly UnitPosition[]): void {
    const next = readTargets(targets);
    if (this.#mode === 'strict')
      for (const [connectionId, handled] of this.#handled) {
        const target = next.get(connectionId);
        if (!target || isAfter(handled, target)) throw overshoot(handled, target ?? null);
      }
    this.#targets = next;
    this.#generation++;
    this.#change.announce();
  }

  clear(): void {
    this.#targets = null;
    this.#generation++;
    this.#change.announce();
  }

  /** Records a handled unit; waits while it is the target. */
  async complete(position: UnitPosition, signal?: AbortSignal): Promise<void> {
    const last = this.#handled.get(position.connectionId);
    if (last && isAfter(last, position)) {
      // After a swap of two launches a late acknowledgement of the old lane may come.
      if (this.#mode === 'free') return;
      throw overshoot(position, last);
    }
    this.#handled.set(position.connectionId, position);
    this.#change.announce();
    if (!this.#targets) return;
    const target = this.#targets.get(position.connectionId);
    if (!target || isAfter(position, target)) {
      if (this.#mode === 'strict') throw overshoot(position, target ?? null);
      return;
    }
    if (isAfter(target, position)) return;
    const generation = this.#generation;
    while (generation === this.#generation && !signal?.aborted) await this.#change.next(signal);
  }

  /** Resolves when the position has been handled, or the signal aborts. */
  async reached(position: UnitPosition, signal?: AbortSignal): Promise<boolean> {
    while (!this.hasHandled(position)) {
      if (signal?.aborted) return false;
      await this.#change.next(signal);
    }
    return true;
  }

  hasHandled(position: UnitPosition): boolean {
    const handled = this.#handled.get(position.connectionId);
    return handled !== undefined && !isAfter(position, handled);
  }
}

/** Whether `a` lies behind `b` on the same connection. */
export function isAfter(a: UnitPosition, b: UnitPosition): boolean {
  return a.chunkSeq !== b.chunkSeq ? a.chunkSeq > b.chunkSeq : a.unitIndex > b.unitIndex;
}

/** Targets by connection; each connection once. */
export function readTargets(targets: readonly UnitPosition[]): Map<string, UnitPosition> {
  const read = new Map<string, UnitPosition>();
  for (const target of targets) {
    if (target.connectionId.trim() === '') throw targetFault('a target names no connection');
    if (read.has(target.connectionId)) throw targetFault(`connection "${target.connectionId}" has two targets`);
    read.set(target.connectionId, target);
  }
  return read;
}

function targetFault(is: string): Fault {
  return new Fault({ code: 'target_unknown', message: `Cannot set barrier: ${is}, one target for each connection was needed` });
}

/** A connection that handled what it was not to. */
export function overshoot(handled: UnitPosition, target: UnitPosition | null): Fault {
  const wanted = target ? `chunk ${target.chunkSeq}, unit ${target.unitIndex}` : 'no unit of this connection';
  return new Fault({
    code: 'checkpoint_provider_overshot',
    message: `Cannot hold connection "${handled.connectionId}": it handled chunk ${handled.chunkSeq}, unit ${handled.unitIndex}, ${wanted} was the target`,
    facts: { connectionId: handled.connectionId, chunkSeq: handled.chunkSeq, unitIndex: handled.unitIndex },
  });
}
