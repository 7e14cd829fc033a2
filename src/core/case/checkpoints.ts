/** The checkpoints of a tape-only cassette, and what a target names (interface.md, case folder and Playwright; stand-in b10, b22). */

import { Fault } from '../fault.ts';
import type { UnitPosition } from '../ports.ts';
import type { ObservationKind } from '../provider/adapter.ts';
import { observationKinds } from '../provider/kinds.ts';
import type { TapeObservation } from '../tape/lane.ts';
import type { CheckpointName } from './case.ts';

/** A checkpoint as specs and verdicts see it, whatever it was planned from. */
export type RunCheckpoint = {
  /** `checkpoint-0000` … in the order of the plan. */
  id: string;
  name: string;
  index: number;
  kind: string;
};

export type TapeCheckpoint = RunCheckpoint & {
  kind: ObservationKind;
  position: UnitPosition;
  globalSeq: number;
  elapsedMs: number;
};

export type Target = string | { kind: string; nth?: number; connection?: string };

/** The observations that `case.json` names, else all of two kinds; ordered as on the tape. */
export function planCheckpoints(observations: readonly TapeObservation[], names: { [name: string]: CheckpointName }): TapeCheckpoint[] {
  const named = Object.entries(names);
  const chosen = named.length > 0 ? named.flatMap(([name, target]) => chooseNamed(observations, name, target)) : observations.filter((o) => defaultKinds.includes(o.kind)).map((o) => ({ name: '', observation: o }));
  chosen.sort((a, b) => a.observation.globalSeq - b.observation.globalSeq || a.observation.position.unitIndex - b.observation.position.unitIndex);
  const seen = new Map<string, number>();
  return chosen.map(({ name, observation }, index) => {
    const { kind, position, globalSeq, elapsedMs } = observation;
    const nth = (seen.get(kind) ?? 0) + 1;
    seen.set(kind, nth);
    return { id: `checkpoint-${String(index).padStart(4, '0')}`, name: name || (nth === 1 ? kind : `${kind} ${nth}`), index, kind, position, globalSeq, elapsedMs };
  });
}

function chooseNamed(observations: readonly TapeObservation[], name: string, target: CheckpointName): { name: string; observation: TapeObservation }[] {
  const observation = observations.filter((o) => o.kind === target.kind)[target.nth - 1];
  return observation ? [{ name, observation }] : [];
}

/** Names in `case.json` that the tape does not have. */
export function unknownCheckpoints(observations: readonly TapeObservation[], names: { [name: string]: CheckpointName }): string[] {
  return Object.entries(names).filter(([name, target]) => chooseNamed(observations, name, target).length === 0).map(([name]) => name);
}

/** Finds where a target stands; kinds count from behind the last target on. */
export function findTarget(options: { target: Target; checkpoints: readonly TapeCheckpoint[]; observations: readonly TapeObservation[]; after: TapeObservation | null }): TapeObservation {
  const { target, checkpoints, observations, after } = options;
  const wanted = typeof target === 'string' ? checkpoints.find((checkpoint) => checkpoint.name === target || checkpoint.id === target) : undefined;
  if (wanted && !isKind(wanted.name === target ? target : '')) {
    const found = observations.find((o) => isSamePosition(o.position, wanted.position) && o.kind === wanted.kind);
    if (found) return found;
  }
  const { kind, nth, connection } = typeof target === 'string' ? { kind: target, nth: 1, connection: undefined } : { nth: 1, ...target };
  if (!isKind(kind)) throw unknownTarget(target, checkpoints);
  const ahead = observations.filter((o) => o.kind === kind && (connection === undefined || o.position.connectionId === connection) && (!after || isBehind(o, after)));
  const found = ahead[(nth ?? 1) - 1];
  if (!found) throw unknownTarget(target, checkpoints);
  return found;
}

function isBehind(o: TapeObservation, after: TapeObservation): boolean {
  return o.globalSeq !== after.globalSeq ? o.globalSeq > after.globalSeq : o.position.unitIndex > after.position.unitIndex;
}

function isKind(name: string): boolean {
  return (observationKinds as readonly string[]).includes(name);
}

function isSamePosition(a: UnitPosition, b: UnitPosition): boolean {
  return a.connectionId === b.connectionId && a.chunkSeq === b.chunkSeq && a.unitIndex === b.unitIndex;
}

function unknownTarget(target: Target, checkpoints: readonly TapeCheckpoint[]): Fault {
  const known = checkpoints.map((checkpoint) => checkpoint.name).join(', ');
  return new Fault({
    code: 'target_unknown',
    message: `Cannot play to ${JSON.stringify(target)}: the rest of the cassette has no such checkpoint, one of ${known || 'none'} or a kind that still comes was needed`,
    facts: { known },
  });
}

/** What is a checkpoint where `case.json` names none. */
export const defaultKinds: readonly ObservationKind[] = ['interaction.pending', 'turn.terminal'];
