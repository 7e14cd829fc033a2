/**
 * Checkpoints and journal of a recording, from the Host's commits and from the activity lane (cassette-contract 6, design
 * rulings 3 and 4). The order in a unit: its commits, their checkpoints, the lane, boundaries that waited for it.
 */

import { Buffer } from 'node:buffer';
import type { ActivityEvent } from '../../core/activity/event.ts';
import type { CommittedDelta } from '../../core/agent/delta.ts';
import { addConnections, appendCheckpoint, createPlan } from '../../core/checkpoint/build.ts';
import type { CheckpointCandidate, CheckpointPlan } from '../../core/checkpoint/plan.ts';
import { unitKey } from '../../core/checkpoint/position.ts';
import { firstUnready, type ReadinessView } from '../../core/checkpoint/readiness.ts';
import { writeJournalEntry, type JournalEntry } from '../../core/journal/entry.ts';
import type { ObservationBatch } from '../../core/observation/batch.ts';
import { BoundaryRecorder } from '../../core/observation/boundary.ts';
import { createCommittedFacts } from '../../core/observation/committed.ts';
import { ObservationRecorder } from '../../core/observation/record.ts';
import { EntityRegistry } from '../../core/observation/registry.ts';
import type { AppendFile, InputUnit } from '../../core/ports.ts';
import { committedFacts, observeDelta } from '../observe-delta.ts';
import { stamped, type LaneBook } from './lane-book.ts';
import { endPlan } from './plan-end.ts';

export type CheckpointRecorderOptions = {
  lanes: LaneBook;
  journal: AppendFile;
  registry: EntityRegistry;
  /** The state as it is now; null while there is no Host. */
  view: () => ReadinessView | null;
};

export class CheckpointRecorder {
  readonly #options: CheckpointRecorderOptions;
  readonly #observations: ObservationRecorder;
  readonly #boundary: BoundaryRecorder;
  /** Commits of units that are not handled yet. */
  readonly #commits = new Map<string, CommittedDelta[]>();
  #plan = createPlan();
  #isClosed = false;

  constructor(options: CheckpointRecorderOptions) {
    this.#options = options;
    const places = { registry: options.registry, lanes: options.lanes.cursors };
    this.#observations = new ObservationRecorder(places);
    this.#boundary = new BoundaryRecorder(places);
  }

  /** A commit of a unit; it counts when the unit is handled. */
  commit(delta: CommittedDelta): void {
    if (!delta.unit || !this.#options.lanes.isOwn(delta.unit)) return;
    const key = unitKey(stamped(delta.unit));
    this.#commits.set(key, [...(this.#commits.get(key) ?? []), delta]);
  }

  handle(unit: InputUnit): void {
    if (!this.#options.lanes.isOwn(unit)) return;
    this.#record(unit);
    this.#options.lanes.handle(unit);
    this.#cut(this.#boundary.flush());
  }

  /** An accepted event of the activity lane. */
  accept(event: ActivityEvent): void {
    this.#cut(this.#boundary.accept([event]));
  }

  beginEffect(causedByEventId: string): void {
    this.#boundary.beginEffect(causedByEventId);
  }

  /** The plan as it would be published, with every connection of the tape. */
  end(connectionIds: readonly string[]): CheckpointPlan {
    return endPlan(addConnections(this.#plan, connectionIds));
  }

  /** Puts the journal on the disk. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#options.journal.sync();
    this.#options.journal.close();
  }

  // A unit may come with several commits, and then each may confirm what the batch as a whole shows (6.1, 6.5).
  #record(unit: InputUnit): void {
    const key = unitKey(stamped(unit));
    const deltas = this.#commits.get(key) ?? [];
    this.#commits.delete(key);
    const batch = this.#batchOf(unit, deltas);
    let entry: JournalEntry | undefined;
    for (const facts of deltas.length > 0 ? deltas.map(committedFacts) : [createCommittedFacts({ transactionId: '' })]) {
      const recorded = this.#observations.recordCommit({ recordingId: batch.recordingId, batches: [batch] }, facts, this.#boundary.accepted);
      if ('refusal' in recorded) throw new Error(recorded.reason);
      for (const candidate of recorded.candidates) this.#plan = appendCheckpoint(this.#plan, candidate);
      entry = recorded.entries[0] ?? entry;
    }
    if (entry) this.#options.journal.append(Buffer.from(writeJournalEntry(entry)));
  }

  #batchOf(unit: InputUnit, deltas: readonly CommittedDelta[]): ObservationBatch {
    const events = deltas.flatMap((delta) => observeDelta(delta, this.#options.registry.rootId)).map((event, i) => ({ ...event, eventIndex: BigInt(i + 1) }));
    return { ...stamped(unit), unitKind: unit.kind, events };
  }

  // What is not so at this moment would not be so in a replay either: a turn may have ended before the effect that began it came.
  #cut(candidates: readonly CheckpointCandidate[]): void {
    const view = this.#options.view();
    for (const candidate of candidates) if (view && firstUnready(candidate.predicates, candidate.subjects, view) === null) this.#plan = appendCheckpoint(this.#plan, candidate);
  }
}
