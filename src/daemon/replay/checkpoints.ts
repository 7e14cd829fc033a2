/** Follows a replay along the checkpoints of its plan: what each handled unit stored, and what the state holds (cassette-contract 6.8). */

import type { CommittedDelta } from '../../core/agent/delta.ts';
import type { UnitPlace } from '../../core/checkpoint/position.ts';
import type { CheckpointPlan } from '../../core/checkpoint/plan.ts';
import type { ReadinessView } from '../../core/checkpoint/readiness.ts';
import type { ObservationEvent } from '../../core/observation/batch.ts';
import { CheckpointVerifier, type CheckpointStatus } from '../../core/observation/verify.ts';
import type { EntityRegistry } from '../../core/observation/registry.ts';
import type { InputUnit } from '../../core/ports.ts';
import { createDivergence, type DivergenceFacts, type DivergenceRegister } from '../../core/verdict/divergence.ts';

/** The observations in one commit; the same function records and replays them. */
export type ObserveDelta = (delta: CommittedDelta, rootSessionId: string) => ObservationEvent[];

export type CheckpointWatchOptions = { plan: CheckpointPlan; registry: EntityRegistry; register: DivergenceRegister; observeDelta: ObserveDelta; rootId: string };

export class CheckpointWatch {
  readonly #options: CheckpointWatchOptions;
  readonly #verifier: CheckpointVerifier;
  readonly #deltas = new Map<string, CommittedDelta[]>();

  constructor(options: CheckpointWatchOptions) {
    this.#options = options;
    this.#verifier = new CheckpointVerifier(options);
  }

  /** Keeps what a unit committed until the unit is handled. */
  commit(delta: CommittedDelta): void {
    if (!delta.unit) return;
    const key = keyOf(delta.unit);
    this.#deltas.set(key, [...(this.#deltas.get(key) ?? []), delta]);
  }

  /** Everything of the unit is committed. A unit that stored nothing is looked at too: something may be missing from it. */
  handle(unit: InputUnit): void {
    const { observeDelta, rootId } = this.#options;
    const place = placeOf(unit);
    const events = (this.#deltas.get(keyOf(unit)) ?? []).flatMap((delta) => observeDelta(delta, rootId));
    this.#deltas.delete(keyOf(unit));
    const batch = { ...place, recordingId: '', unitKind: unit.kind, events: events.map((event, i) => ({ ...event, eventIndex: BigInt(i + 1) })) };
    this.#report([...this.#verifier.observe(batch), ...this.#verifier.handle(place)]);
  }

  /** What failed is in the register afterwards. */
  statusOf(index: number, view: ReadinessView): CheckpointStatus {
    const status = this.#verifier.statusOf(index, view);
    if (status.status === 'failed') this.#report([status.divergence]);
    return status;
  }

  #report(found: readonly DivergenceFacts[]): void {
    for (const facts of found) this.#options.register.report(createDivergence(facts));
  }
}

function placeOf({ position }: InputUnit): UnitPlace {
  return { connectionId: position.connectionId, chunkSeq: BigInt(position.chunkSeq), unitIndex: BigInt(position.unitIndex) };
}

function keyOf({ position }: InputUnit): string {
  return `${position.chunkSeq}:${position.unitIndex}:${position.connectionId}`;
}
