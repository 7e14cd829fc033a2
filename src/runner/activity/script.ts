/** What a v7 cassette tells a runner to do: its events and checkpoints, read after the cassette was judged (cassette-contract 3, 4). */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RunCheckpoint } from '../../core/case/checkpoints.ts';
import type { CheckpointName } from '../../core/case/case.ts';
import { Fault } from '../../core/fault.ts';
import type { ActivityKind } from '../../core/activity/event.ts';
import type { LanePlaceView } from '../../core/control/lanes.ts';

export type RecordedEvent = {
  sequence: number;
  kind: ActivityKind;
  type: string;
  eventId: string;
  causedByEventId: string | null;
  occurredAtUnixMs: number;
  /** Of intents, and of effects where the daemon began the command; null in a cassette without lanes. */
  seen: LanePlaceView[] | null;
  started: LanePlaceView[] | null;
};

export type PlannedCheckpoint = RunCheckpoint & {
  tags: string[];
  activitySequence: number;
  lanes: LanePlaceView[];
  /** Of a provider observation: where it was. */
  position: { connectionId: string; chunkSeq: number; unitIndex: number } | null;
};

export type ActivityScript = { events: RecordedEvent[]; checkpoints: PlannedCheckpoint[]; hasLanes: boolean };

type EventLine = Pick<RecordedEvent, 'sequence' | 'kind' | 'type' | 'eventId' | 'occurredAtUnixMs'> & { causedByEventId?: string | null; lanes?: { seen?: LanePlaceView[]; started?: LanePlaceView[] } };
type PlanLine = { id: string; index: number; kind: string; tags: string[]; cursor: { activityEventSequence: number; providerConnections: LanePlaceView[] }; trigger: { source: string; position?: PlannedCheckpoint['position'] } };

/** `names` are those of `case.json`; a checkpoint without one is called by its kind. */
export function readScript(folder: string, names: { [name: string]: CheckpointName }): ActivityScript {
  const lines = readFileSync(join(folder, 'activity-events.jsonl'), 'utf8').split('\n').filter((line) => line.trim() !== '');
  const events = lines.map((line): RecordedEvent => {
    const { sequence, kind, type, eventId, occurredAtUnixMs, causedByEventId = null, lanes } = JSON.parse(line) as EventLine;
    return { sequence, kind, type, eventId, occurredAtUnixMs, causedByEventId, seen: lanes?.seen ?? null, started: lanes?.started ?? null };
  });
  const plan = JSON.parse(readFileSync(join(folder, 'checkpoint-plan.json'), 'utf8')) as { checkpoints: PlanLine[] };
  const stimulus = events.find(({ kind }) => kind === 'direct-stimulus');
  if (stimulus) throw new Fault({ code: 'stimulus_unsupported', message: `Cannot replay event ${stimulus.sequence}: it is a direct stimulus "${stimulus.type}", an intent of a window was needed` });
  return {
    events,
    checkpoints: nameCheckpoints(plan.checkpoints, names),
    hasLanes: events.every(({ seen, started }) => seen !== null || started !== null),
  };
}

function nameCheckpoints(plan: readonly PlanLine[], names: { [name: string]: CheckpointName }): PlannedCheckpoint[] {
  const seen = new Map<string, number>();
  return plan.map(({ id, index, kind, tags, cursor, trigger }) => {
    const nth = (seen.get(kind) ?? 0) + 1;
    seen.set(kind, nth);
    const named = Object.entries(names).find(([, target]) => target.kind === kind && target.nth === nth)?.[0];
    return { id, index, kind, tags, name: named ?? (nth === 1 ? kind : `${kind} ${nth}`), activitySequence: cursor.activityEventSequence, lanes: cursor.providerConnections, position: trigger.position ?? null };
  });
}

/** Names in `case.json` that the plan does not have. */
export function unknownNames(script: ActivityScript, names: { [name: string]: CheckpointName }): string[] {
  return Object.keys(names).filter((name) => !script.checkpoints.some((checkpoint) => checkpoint.name === name));
}
