/** The final state of a replay against the recorded one (cassette-contract 7.6). */

import type { CheckpointPlan } from '../../core/checkpoint/plan.ts';
import { isObject, writeJson, type Json } from '../../core/json/exact.ts';
import { objectAt, textAt } from '../../core/json/read.ts';
import { projectState, type CaptureFacts } from '../../core/state/capture.ts';
import { compareExactly } from '../../core/state/compare.ts';
import { compareByFormat, createStateFormats, findStateFormat } from '../../core/state/format.ts';
import { rowsAt } from '../../core/state/walk.ts';
import { cutPair } from '../../core/verdict/cut.ts';
import { createDivergence, type Divergence } from '../../core/verdict/divergence.ts';

export type Comparison = { expected: Json; actual: Json | null; stateFormat: string; plan: CheckpointPlan };

/** The first difference, or `null`. `actual` is portable already. */
export function compareFinalState({ expected, actual, stateFormat, plan }: Comparison): Divergence | null {
  const format = findStateFormat(createStateFormats(), stateFormat);
  const { first } = format ? compareByFormat(format, { expected, actual }) : compareExactly(expected, actual);
  if (!first) return null;
  const isSurplus = first.path.endsWith('.turns') && lengthOf(first.actual) > lengthOf(first.expected);
  const last = plan.checkpoints.at(-1);
  const { recorded, live } = cutPair(textOf(first.expected), textOf(first.actual));
  return createDivergence({
    layer: 'state',
    code: isSurplus ? 'turn_surplus' : 'state_diff',
    message: isSurplus ? `Cannot accept final state: ${first.path} has ${lengthOf(first.actual)} turns, ${lengthOf(first.expected)} were recorded` : `Cannot accept final state: ${first.path} is ${live ?? 'absent'}, ${recorded ?? 'nothing'} was recorded`,
    checkpoint: last ? { id: last.id, name: last.kind } : null,
    path: first.path,
    recorded,
    live,
  });
}

/** A captured state as a cassette would hold it. */
export function portableState(captured: Json, facts: CaptureFacts): Json {
  return projectState(captured, facts);
}

/** JSON values in a document: what a comparison has looked at. */
export function countNodes(value: Json): number {
  if (Array.isArray(value)) return value.reduce<number>((count, item) => count + countNodes(item), 1);
  return isObject(value) ? Object.values(value).reduce<number>((count, item) => count + countNodes(item), 1) : 1;
}

/** Recorded turns of each session by position: those it had before, and those that the recording added. */
export function recordedTurns(expected: Json, initial: Json | null): { [sessionId: string]: { initial: string[]; recorded: string[] } } {
  const before = turnIds(initial);
  return Object.fromEntries(
    [...turnIds(expected)].map(([sessionId, ids]) => {
      const known = before.get(sessionId) ?? [];
      return [sessionId, { initial: known, recorded: ids.filter((id) => !known.includes(id)) }];
    }),
  );
}

function turnIds(state: Json | null): Map<string, string[]> {
  const sessions = rowsAt(objectAt(state ?? undefined, 'agent'), 'sessions');
  return new Map(sessions.map(({ row }) => [textAt(row, 'id') ?? '', rowsAt(row, 'turns').map((turn) => textAt(turn.row, 'id') ?? '')]));
}

const lengthOf = (value: Json | undefined): number => (Array.isArray(value) ? value.length : 0);
const textOf = (value: Json | undefined): string | null => (value === undefined ? null : writeJson(value));
