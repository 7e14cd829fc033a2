/** Turns the observations of a commit into journal entries and checkpoints (cassette-contract 6.2-6.5). */

import { createCheckpoint } from '../checkpoint/build.ts';
import type { EntityAddress } from '../checkpoint/entity.ts';
import type { CheckpointCandidate, Predicate } from '../checkpoint/plan.ts';
import { observationKey } from '../checkpoint/position.ts';
import { isBlank } from '../json/read.ts';
import { createCorrelation } from '../journal/correlation.ts';
import type { CommitCorrelation, JournalEntry, JournalObservation } from '../journal/entry.ts';
import { placeOf, refuseContext, type CommitContext, type ContextRefusal, type ObservationBatch, type ObservationEvent } from './batch.ts';
import type { CommittedFacts } from './committed.ts';
import { confirmCorrelation } from './confirm.ts';
import { describeObservation, eventFingerprint } from './describe.ts';
import { introduceEntities } from './introduce.ts';
import type { RecordingLanes } from './lanes.ts';
import type { EntityRegistry } from './registry.ts';

export type RecordedCommit = { entries: JournalEntry[]; candidates: CheckpointCandidate[] };

type Observed = { event: ObservationEvent; addresses: EntityAddress[]; observation: JournalObservation };
type Places = { registry: EntityRegistry; lanes: RecordingLanes };

/** One per recording; a batch may come with several transactions, and makes its checkpoints once. */
export class ObservationRecorder {
  readonly #places: Places;
  readonly #correlations = new Map<string, CommitCorrelation>();
  readonly #checkpointed = new Set<string>();

  constructor(places: Places) {
    this.#places = places;
  }

  /**
   * `accepted` is the sequence of the last accepted activity event. Every own unit gets an entry, also without observations; what
   * belongs to another recording gives nothing, what belongs to none is refused while one runs (6.1, 6.3, 9.7).
   */
  recordCommit(context: CommitContext, facts: CommittedFacts, accepted: bigint): RecordedCommit | ContextRefusal {
    const refusal = refuseContext(context);
    if (refusal) return refusal;
    if (isBlank(context.recordingId) && context.batches.length > 0) return { refusal: 'generation_missing', reason: 'A commit does not say which recording its observations belong to' };
    const recorded: RecordedCommit = { entries: [], candidates: [] };
    if (!this.#places.lanes.isOwn(context)) return recorded;
    for (const batch of context.batches) {
      const observed = batch.events.flatMap((event) => this.#observe(batch, event));
      recorded.entries.push(this.#entryOf(batch, observed, facts));
      for (const candidate of this.#candidatesOf(batch, observed, accepted)) recorded.candidates.push(candidate);
    }
    return recorded;
  }

  #observe(batch: ObservationBatch, event: ObservationEvent): Observed[] {
    const position = placeOf(batch, event);
    const addresses = introduceEntities(event, { place: position, registry: this.#places.registry, plan: null });
    const [address] = addresses;
    if (!address) return [];
    return [{ event, addresses, observation: { position, type: event.type, fingerprint: eventFingerprint(event, address), address } }];
  }

  #entryOf({ connectionId, chunkSeq, unitIndex, unitKind }: ObservationBatch, observed: readonly Observed[], facts: CommittedFacts): JournalEntry {
    const commitCorrelations = observed.map(({ event, observation }) => {
      const fresh = createCorrelation(observation, event);
      const correlation = confirmCorrelation(this.#correlations.get(fresh.id) ?? fresh, { event, facts, rootId: this.#places.registry.rootId });
      this.#correlations.set(correlation.id, correlation);
      return correlation;
    });
    return { position: { connectionId, chunkSeq, unitIndex }, unitKind, observations: observed.map(({ observation }) => observation), commitCorrelations };
  }

  #candidatesOf(batch: ObservationBatch, observed: readonly Observed[], accepted: bigint): CheckpointCandidate[] {
    const { lanes } = this.#places;
    const fresh = observed.filter(({ observation }) => !this.#checkpointed.has(observationKey(observation.position)));
    if (fresh.length === 0) return [];
    lanes.observe(batch);
    const cursor = { activityEventSequence: accepted > 0n ? accepted : 1n, providerConnections: lanes.observationPlaces() };
    return fresh.flatMap(({ event, addresses, observation }) => {
      this.#checkpointed.add(observationKey(observation.position));
      const description = describeObservation(event);
      if (!description) return [];
      const predicates = addresses.map((_, subject): Predicate => ({ type: description.predicate, subject, equals: description.equals }));
      const trigger = { source: 'provider-observation', position: observation.position, unitKind: batch.unitKind, type: event.type, fingerprint: observation.fingerprint } as const;
      return [createCheckpoint({ kind: description.kind, cursor, trigger, subjects: addresses, predicates })];
    });
  }
}
