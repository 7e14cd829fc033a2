/** Targets of a session that is being recorded: they mean what they will mean on its tape, but may still have to come. */

import type { CheckpointName } from '../core/case/case.ts';
import { defaultKinds, planCheckpoints, type Target } from '../core/case/checkpoints.ts';
import { Fault } from '../core/fault.ts';
import type { Observation } from '../core/provider/adapter.ts';
import { observationKinds } from '../core/provider/kinds.ts';
import type { TapeObservation } from '../core/tape/lane.ts';

export class LiveTargets {
  readonly #names: { [name: string]: CheckpointName };
  readonly #seen: TapeObservation[] = [];
  #last: TapeObservation | null = null;

  /** `names` are those of `case.json`; empty: all observations of the default kinds. */
  constructor(names: { [name: string]: CheckpointName }) {
    this.#names = names;
  }

  get observations(): readonly TapeObservation[] {
    return this.#seen;
  }

  // Arrival stands for the place on the tape: it is the order in which the tape is written.
  see({ kind, facts }: Observation, connectionId: string): void {
    const globalSeq = this.#seen.length + 1;
    this.#seen.push({ kind, facts, position: { connectionId, chunkSeq: globalSeq, unitIndex: 1 }, globalSeq, elapsedMs: 0 });
  }

  /** Throws `target_unknown` for what no tape of this case can hold, before it is waited for. */
  check(target: Target): void {
    const isKnown = typeof target === 'string' ? isKind(target) || this.#isName(target) : isKind(target.kind) && isCount(target.nth ?? 1);
    if (isKnown) return;
    const known = Object.keys(this.#names).join(', ');
    throw new Fault({
      code: 'target_unknown',
      message: `Cannot record to ${JSON.stringify(target)}: the case has no such checkpoint, one of ${known || 'none'} or an observation kind was needed`,
      facts: { known },
    });
  }

  /** Where the target stands, once it has come; kinds count from behind the last target on. */
  find(target: Target): TapeObservation | null {
    if (typeof target === 'string' && !isKind(target)) {
      const named = this.#plan().find((checkpoint) => checkpoint.name === target || checkpoint.id === target);
      return named ? this.#at(named.globalSeq) : null;
    }
    const { kind, nth = 1, connection }: Exclude<Target, string> = typeof target === 'string' ? { kind: target } : target;
    const ahead = this.#seen.slice(this.#lastSeq).filter((o) => o.kind === kind && (connection === undefined || o.position.connectionId === connection));
    return ahead[nth - 1] ?? null;
  }

  /** The next checkpoint, once it has come; throws where every name of the case lies behind. */
  findNext(): TapeObservation | null {
    const plan = this.#plan();
    const next = plan.find((checkpoint) => checkpoint.globalSeq > this.#lastSeq);
    if (next) return this.#at(next.globalSeq);
    const nameCount = Object.keys(this.#names).length;
    if (nameCount > 0 && plan.length === nameCount) throw new Fault({ code: 'target_unknown', message: 'Cannot record to the next checkpoint: the last one was reached, none follows' });
    return null;
  }

  reach(observation: TapeObservation): void {
    this.#last = observation;
  }

  get #lastSeq(): number {
    return this.#last?.globalSeq ?? 0;
  }

  #plan() {
    return planCheckpoints(this.#seen, this.#names);
  }

  #at(globalSeq: number): TapeObservation | null {
    return this.#seen[globalSeq - 1] ?? null;
  }

  #isName(text: string): boolean {
    const nameCount = Object.keys(this.#names).length;
    const id = /^checkpoint-(\d{4,})$/.exec(text)?.[1];
    if (id !== undefined) return nameCount === 0 || Number(id) < nameCount;
    // Without names in case.json a checkpoint is called by its kind, from the second on with its number.
    const [, kind = '', nth] = /^(\S+) (\d+)$/.exec(text) ?? [];
    return nameCount > 0 ? Object.hasOwn(this.#names, text) : (defaultKinds as readonly string[]).includes(kind) && Number(nth) > 1;
  }
}

function isKind(name: string): boolean {
  return (observationKinds as readonly string[]).includes(name);
}

function isCount(nth: number): boolean {
  return Number.isInteger(nth) && nth > 0;
}
