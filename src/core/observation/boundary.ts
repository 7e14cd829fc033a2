/** Cuts activity-boundary checkpoints while a recording runs (cassette-contract 6.7, design rulings 3 and 4). */

import type { ActivityEvent } from '../activity/event.ts';
import { createCheckpoint } from '../checkpoint/build.ts';
import { goalStatus } from '../checkpoint/fold.ts';
import { isSameAddress, type EntityAddress } from '../checkpoint/address.ts';
import type { BoundaryKind } from '../checkpoint/kinds.ts';
import type { CheckpointCandidate, VectorCursor } from '../checkpoint/plan.ts';
import type { UnitPlace } from '../checkpoint/position.ts';
import type { GoalState } from '../checkpoint/readiness.ts';
import { trim } from '../json/read.ts';
import { describeActivity, introducesGoal, type ActivityDescription } from './describe-activity.ts';
import { raiseLane, type Lane, type RecordingLanes } from './lanes.ts';
import { OutstandingIntents } from './outstanding.ts';
import type { EntityRegistry } from './registry.ts';

/** `during` is the provider unit whose commit it was, where it was one. */
export type GoalCommit = { sessionId: string; stage: string; goal: GoalState; during?: UnitPlace };

type Waiting = { description: ActivityDescription; boundaryKind: BoundaryKind };

/**
 * Gives candidates for the plan. One that cannot be cut yet waits: for effects, and for lanes that must be handled first. What it
 * says then is of that moment; a boundary that another intent has overtaken is dropped, a goal is kept (6.7, b8).
 */
export class BoundaryRecorder {
  readonly #registry: EntityRegistry;
  readonly #lanes: RecordingLanes;
  readonly #outstanding = new OutstandingIntents();
  readonly #goals = new Map<string, { status: GoalWord; subject: EntityAddress }>();
  #waiting: Waiting[] = [];
  #floor: Lane = new Map();
  #accepted = 0n;
  #last = 0n;

  constructor({ registry, lanes }: { registry: EntityRegistry; lanes: RecordingLanes }) {
    this.#registry = registry;
    this.#lanes = lanes;
  }

  /** The sequence of the last accepted event. */
  get accepted(): bigint {
    return this.#accepted;
  }

  /** Takes events at the moment they are accepted, in their order: an intent that was not taken could be parted from its effects. */
  accept(batch: readonly ActivityEvent[]): CheckpointCandidate[] {
    const last = BigInt(batch.at(-1)?.sequence ?? 0);
    if (last > this.#accepted) this.#accepted = last;
    if (batch.some(({ kind }) => kind === 'intent')) this.#waiting = [];
    for (const event of batch) if (introducesGoal(event)) this.#registry.introduceGoal(event.agentSessionId ?? '', BigInt(event.sequence));
    const whole = this.#outstanding.take(batch);
    if (this.#outstanding.areNone && this.#accepted > this.#last) {
      const boundaryKind = whole.some(({ kind }) => kind !== 'direct-stimulus') ? 'intent-effects' : 'single-event';
      this.#waiting.push(...describeActivity(whole, this.#registry).map((description) => ({ description, boundaryKind }) as const));
      this.#floor = [...this.#lanes.answered.values()].reduce(raiseLane, this.#floor);
    }
    return this.flush();
  }

  /** A command of this intent has begun; no boundary is cut before its effect is accepted. */
  beginEffect(causedByEventId: string): void {
    this.#outstanding.begin(causedByEventId);
  }

  /** A goal has changed in the store; told or not by an activity event (6.7). */
  commitGoal({ sessionId, stage, goal, during }: GoalCommit): CheckpointCandidate[] {
    const status = goalWords.find((word) => word === goalStatus(goal));
    const subject = this.#registry.lookup({ kind: 'goal', sessionId });
    if (!goalStages.has(trim(stage)) || !status || !subject) return [];
    this.#goals.set(this.#registry.sessionKey(sessionId), { status, subject });
    if (during) this.#floor = raiseLane(this.#floor, during);
    return this.flush();
  }

  /** Cuts what waits, where it can be; to be asked whenever a lane has advanced. */
  flush(): CheckpointCandidate[] {
    const isOpen = this.#outstanding.areNone && this.#accepted > 0n && this.#lanes.covers(this.#floor);
    if (!isOpen || (this.#waiting.length === 0 && this.#goals.size === 0)) return [];
    const cursor: VectorCursor = { activityEventSequence: this.#accepted, providerConnections: this.#lanes.cutBoundary() };
    const goals = [...this.#goals.values()];
    const told = this.#waiting.filter(({ description }) => !goals.some(({ subject }) => isSameAddress(subject, description.subject)));
    const kindOf = (subject: EntityAddress): BoundaryKind => this.#waiting.find(({ description }) => isSameAddress(subject, description.subject))?.boundaryKind ?? 'single-event';
    const stored = goals.map(({ status, subject }): Waiting => ({ description: { kind: `goal.${status}`, predicate: 'goal.status', equals: status, subject }, boundaryKind: kindOf(subject) }));
    this.#waiting = [];
    this.#goals.clear();
    this.#last = this.#accepted;
    return [...told, ...stored].map((waiting) => candidateOf(waiting, cursor));
  }
}

function candidateOf({ description, boundaryKind }: Waiting, cursor: VectorCursor): CheckpointCandidate {
  const { kind, predicate, equals, subject } = description;
  const trigger = { source: 'activity-boundary', afterActivityEventSequence: cursor.activityEventSequence, boundaryKind } as const;
  return createCheckpoint({ kind, cursor, trigger, subjects: [subject], predicates: [{ type: predicate, subject: 0, equals }] });
}

type GoalWord = (typeof goalWords)[number];
const goalWords = ['running', 'paused', 'completed', 'cleared'] as const;
const goalStages = new Set(['completed', 'reconciled', 'terminal']);
