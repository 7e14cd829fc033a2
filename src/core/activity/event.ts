/** One line of `activity-events.jsonl` (cassette-contract 3.1). */

import type { JsonObject } from '../json/exact.ts';

export type ActivityKind = (typeof activityKinds)[number];

export const activityKinds = ['intent', 'effect', 'direct-stimulus'] as const;

export const activityFile = 'activity-events.jsonl';

/** An event as recorder and driver hold it; absent texts are null, an absent payload is empty. */
export type ActivityEvent = {
  sequence: number;
  kind: ActivityKind;
  type: string;
  eventId: string;
  correlationId: string | null;
  causedByEventId: string | null;
  agentSessionId: string | null;
  payload: JsonObject;
  occurredAtUnixMs: number;
};

/**
 * What later checks need of an event that was read. Ids are as written, because the plan's split rule compares them so; a
 * member that is absent or of a wrong type is null.
 */
export type ActivityFacts = {
  line: number;
  /** As written where it is right, else the line. */
  sequence: number;
  kind: ActivityKind | null;
  type: string | null;
  eventId: string | null;
  causedByEventId: string | null;
  correlationId: string | null;
};

/** All events of one file, in order (3.3). */
export type ActivityTimeline = {
  /** Records of the file, unreadable ones included. */
  count: number;
  events: readonly ActivityFacts[];
  /** Whether every record could be read; where one could not, it may hold what another lacks. */
  isWhole: boolean;
  /** Intents that require an effect and have none, in order (T6); empty where a record could not be read. */
  incomplete: readonly ActivityFacts[];
  /** Whether every event carries `lanes`; without them a replay keeps the recorded timing (design ruling 2). */
  hasLanes: boolean;
  /** Where each provider connection is first named in `lanes`. */
  laneConnections: ReadonlyMap<string, { line: number; path: string }>;
  /** The furthest place in each connection that `lanes` name. */
  laneEnds: ReadonlyMap<string, { line: number; path: string; chunkSeq: bigint }>;
};
