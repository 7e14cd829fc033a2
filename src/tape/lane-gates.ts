/**
 * Holds provider lanes by everything that must come first: a checkpoint, events that are not yet accepted, commands that have
 * not yet begun (design ruling 2, desktop-order b2 and b4). No lane handles a unit beyond the lowest of them.
 */

import type { UnitPosition } from '../core/ports.ts';
import { Change } from '../core/signal.ts';
import { isAfter, overshoot, readTargets, type LaneBarrier } from './input-barrier.ts';

/** Lanes that may be reached and not passed before `id` is lifted. A connection that is not named handles nothing. */
export type LaneGate = { id: string; lanes: readonly UnitPosition[] };

type Vector = ReadonlyMap<string, UnitPosition>;

export class LaneGates implements LaneBarrier {
  readonly #gates: Map<string, Vector>;
  readonly #handled = new Map<string, UnitPosition>();
  readonly #change = new Change();
  #targets: Vector | null = null;
  /** Found anew when a gate is lifted or a target set: asked with each unit, and a lane has thousands. */
  readonly #limits = new Map<string, UnitPosition | null>();

  constructor(gates: readonly LaneGate[]) {
    this.#gates = new Map(gates.map(({ id, lanes }) => [id, readTargets(lanes)]));
  }

  handledAt(connectionId: string): UnitPosition | null {
    return this.#handled.get(connectionId) ?? null;
  }

  /** Where a checkpoint holds the connection: before its first unit, where the checkpoint does not name it. */
  targetOf(connectionId: string): UnitPosition | null {
    return this.#targets ? placeIn(this.#targets, connectionId) : null;
  }

  /** The lowest place that holds the connection; `null` where nothing does. */
  limitOf(connectionId: string): UnitPosition | null {
    let limit = this.#limits.get(connectionId);
    if (limit === undefined) {
      const vectors = [...this.#gates.values(), ...(this.#targets ? [this.#targets] : [])];
      limit = vectors.map((vector) => placeIn(vector, connectionId)).reduce<UnitPosition | null>((lowest, place) => (lowest && !isAfter(lowest, place) ? lowest : place), null);
      this.#limits.set(connectionId, limit);
    }
    return limit;
  }

  /** Whether the connection stands at its limit. */
  isHeld(connectionId: string): boolean {
    const limit = this.limitOf(connectionId);
    return limit !== null && !isAfter(limit, this.handledAt(connectionId) ?? startOf(connectionId));
  }

  /** Every connection with a handled unit. */
  get handled(): UnitPosition[] {
    return [...this.#handled.values()];
  }

  /** A target below what was handled is a fault: its place cannot be had any more. */
  setTargets(targets: readonly UnitPosition[]): void {
    const next = readTargets(targets);
    for (const [connectionId, handled] of this.#handled) {
      const target = next.get(connectionId);
      if (isAfter(handled, target ?? startOf(connectionId))) throw overshoot(handled, target ?? null);
    }
    this.#targets = next;
    this.#alter();
  }

  clear(): void {
    this.#targets = null;
    this.#alter();
  }

  /** What the gate waited for has happened; again changes nothing. */
  lift(id: string): void {
    if (this.#gates.delete(id)) this.#alter();
  }

  /** Waits while the connection stands at its limit, also before its first unit. */
  async admit(connectionId: string, signal?: AbortSignal): Promise<void> {
    while (this.isHeld(connectionId) && !signal?.aborted) await this.#change.next(signal);
  }

  /** Records a handled unit; waits while it is the limit. */
  async complete(position: UnitPosition, signal?: AbortSignal): Promise<void> {
    const last = this.#handled.get(position.connectionId);
    if (last && isAfter(last, position)) throw overshoot(position, last);
    this.#handled.set(position.connectionId, position);
    this.#change.announce();
    const limit = this.limitOf(position.connectionId);
    if (limit && isAfter(position, limit)) throw overshoot(position, limit);
    await this.admit(position.connectionId, signal);
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
    return !isAfter(position, this.handledAt(position.connectionId) ?? startOf(position.connectionId));
  }

  #alter(): void {
    this.#limits.clear();
    this.#change.announce();
  }
}

function placeIn(vector: Vector, connectionId: string): UnitPosition {
  return vector.get(connectionId) ?? startOf(connectionId);
}

function startOf(connectionId: string): UnitPosition {
  return { connectionId, chunkSeq: 0, unitIndex: 0 };
}
