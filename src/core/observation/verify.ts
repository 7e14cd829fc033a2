/** Whether a replay has reached the checkpoints of its plan (cassette-contract 6.8). */

import type { Checkpoint, CheckpointPlan, Trigger } from '../checkpoint/plan.ts';
import { isSameUnit, type UnitPlace } from '../checkpoint/position.ts';
import { firstUnready, type ReadinessView } from '../checkpoint/readiness.ts';
import type { DivergenceFacts } from '../verdict/divergence.ts';
import { placeOf, type ObservationBatch, type ObservationEvent } from './batch.ts';
import { eventFingerprint } from './describe.ts';
import { introduceEntities } from './introduce.ts';
import { raiseLane, standsAt, type Lane } from './lanes.ts';
import type { EntityRegistry } from './registry.ts';

/** `awaited` says what the state lacks, for the message of a stall. */
export type CheckpointStatus =
  | { status: 'not-yet' }
  | { status: 'not-ready'; awaited: { predicate: string; needed: string; actual: string | null } }
  | { status: 'reached' }
  | { status: 'failed'; divergence: DivergenceFacts };

type TriggerState = 'not-yet' | 'matched' | DivergenceFacts;
type ProviderTrigger = Extract<Trigger, { source: 'provider-observation' }>;

/** Every batch and every handled unit of a replay passes here; the first thing that goes wrong with a trigger stays. */
export class CheckpointVerifier {
  readonly #plan: CheckpointPlan;
  readonly #registry: EntityRegistry;
  readonly #triggers: TriggerState[];
  #handled: Lane = new Map();

  constructor({ plan, registry }: { plan: CheckpointPlan; registry: EntityRegistry }) {
    this.#plan = plan;
    this.#registry = registry;
    // A lane gates the other two kinds, so that they have come when it is there.
    this.#triggers = plan.checkpoints.map(({ trigger }) => (trigger.source === 'provider-observation' ? 'not-yet' : 'matched'));
  }

  /** A committed batch: binds what it shows, and compares it with what is triggered in its unit. Gives what went wrong by it. */
  observe(batch: ObservationBatch): DivergenceFacts[] {
    const live = batch.events.map((event) => {
      const [address] = introduceEntities(event, { place: placeOf(batch, event), registry: this.#registry, plan: this.#plan });
      return { event, fingerprint: address ? eventFingerprint(event, address) : null };
    });
    return this.#decide(({ checkpoint, trigger, state }) => {
      if (!isSameUnit(trigger.position, batch)) return state;
      // An event of the right type that has no address was skipped, and is no observation.
      const seen = live.find(({ event, fingerprint }) => event.eventIndex === trigger.position.eventIndex && (fingerprint !== null || event.type !== trigger.type));
      if (seen) return compareTrigger({ checkpoint, trigger }, { ...seen, unitKind: batch.unitKind });
      return state === 'matched' ? state : missing(checkpoint, trigger);
    });
  }

  /**
   * A unit is handled. Exactly at a trigger nothing can follow that would match it, and what it stood for is asked of the state;
   * beyond it the order is not the recorded one (6.8).
   */
  handle(unit: UnitPlace): DivergenceFacts[] {
    this.#handled = raiseLane(this.#handled, unit);
    return this.#decide(({ checkpoint, trigger, state }) => {
      if (state !== 'not-yet' || trigger.position.connectionId !== unit.connectionId) return state;
      if (!isPositionReached(this.#handled, trigger.position)) return state;
      return isPositionPassed(this.#handled, trigger.position) ? outOfOrder(checkpoint, { trigger, unit }) : 'matched';
    });
  }

  /** Reached is a matched trigger and a state that holds everything; without predicates no state is asked (6.8). */
  statusOf(index: number, view: ReadinessView): CheckpointStatus {
    const checkpoint = this.#plan.checkpoints[index];
    const state = this.#triggers[index];
    if (checkpoint === undefined || state === undefined || state === 'not-yet') return { status: 'not-yet' };
    if (state !== 'matched') return { status: 'failed', divergence: state };
    const unready = firstUnready(checkpoint.predicates, checkpoint.subjects, view);
    if (unready === null) return { status: 'reached' };
    const { predicate, readiness } = unready;
    if ('fault' in readiness) return { status: 'failed', divergence: divergence(checkpoint, { code: readiness.fault, message: readiness.reason }) };
    return { status: 'not-ready', awaited: { predicate: predicate.type, needed: predicate.equals, actual: readiness.actual } };
  }

  #decide(next: (question: { checkpoint: Checkpoint; trigger: ProviderTrigger; state: TriggerState }) => TriggerState): DivergenceFacts[] {
    return this.#plan.checkpoints.flatMap((checkpoint, i) => {
      const { trigger } = checkpoint;
      const state = this.#triggers[i];
      if (trigger.source !== 'provider-observation' || state === undefined || typeof state !== 'string') return [];
      const decided = next({ checkpoint, trigger, state });
      this.#triggers[i] = decided;
      return typeof decided === 'string' ? [] : [decided];
    });
  }
}

/** At or beyond the unit: what it triggers may be looked at (6.8). */
export function isPositionReached(handled: Lane, position: UnitPlace): boolean {
  return standsAt(handled, position) !== 'before';
}

/** Beyond the unit: what it triggers must have been seen (6.8). */
export function isPositionPassed(handled: Lane, position: UnitPlace): boolean {
  return standsAt(handled, position) === 'past';
}

type Live = { event: ObservationEvent; fingerprint: string | null; unitKind: string };

function compareTrigger({ checkpoint, trigger }: { checkpoint: Checkpoint; trigger: ProviderTrigger }, { event, fingerprint, unitKind }: Live): TriggerState {
  const pairs: readonly [string, string, string][] = [
    ['unitKind', trigger.unitKind, unitKind],
    ['type', trigger.type, event.type],
    ['fingerprint', trigger.fingerprint, fingerprint ?? ''],
  ];
  const different = pairs.find(([, recorded, live]) => recorded !== live);
  if (!different) return 'matched';
  const [name, recorded, live] = different;
  return divergence(checkpoint, { code: 'checkpoint_trigger_mismatch', message: `the provider showed ${name} "${live}", "${recorded}" was recorded`, trigger, path: `$.trigger.${name}`, recorded, live });
}

function missing(checkpoint: Checkpoint, trigger: ProviderTrigger): DivergenceFacts {
  return divergence(checkpoint, { code: 'checkpoint_trigger_missing', message: `its unit was committed without it, "${trigger.type}" was recorded`, trigger, recorded: trigger.type });
}

function outOfOrder(checkpoint: Checkpoint, { trigger, unit }: { trigger: ProviderTrigger; unit: UnitPlace }): DivergenceFacts {
  return divergence(checkpoint, { code: 'checkpoint_trigger_out_of_order', message: `unit ${unit.chunkSeq}.${unit.unitIndex} was handled before "${trigger.type}" was seen, the recorded order was needed`, trigger, recorded: trigger.type });
}

type Fact = { code: string; message: string; trigger?: ProviderTrigger; path?: string; recorded?: string; live?: string };

function divergence({ id, kind }: Checkpoint, { code, message, trigger, path = '$.trigger', recorded, live }: Fact): DivergenceFacts {
  const position = trigger ? { connectionId: trigger.position.connectionId, chunkSeq: Number(trigger.position.chunkSeq), unitIndex: Number(trigger.position.unitIndex) } : null;
  const text = `Cannot reach checkpoint "${id}" (${kind}): ${message}`;
  return { layer: 'state', code, message: text, checkpoint: { id, name: kind }, lane: position?.connectionId ?? null, position, path: trigger ? path : null, recorded: recorded ?? null, live: live ?? null };
}
