/** What `toolCalls()` and the approval matcher show of the observations so far. */

import { member, type Json } from '../core/json/exact.ts';
import type { Observation } from '../core/provider/adapter.ts';
import type { ToolCall } from './run.ts';

/** Completed tools, in order; the name is the one a reader of the wire knows: the item's type, or its tool. */
export function toToolCalls(observations: readonly Observation[]): ToolCall[] {
  return observations.filter((o) => o.kind === 'tool.completed').map(({ facts }) => ({ name: toolName(facts), status: textOf(facts, 'status'), facts }));
}

export function toApprovals(observations: readonly Observation[]): Json[] {
  return observations.filter((o) => o.kind === 'interaction.pending').map((o) => o.facts);
}

function toolName(item: Json): string {
  const tool = textOf(item, 'tool');
  const server = textOf(item, 'server');
  return tool === null ? (textOf(item, 'type') ?? 'tool') : server === null ? tool : `${server}.${tool}`;
}

function textOf(value: Json, name: string): string | null {
  const text = member(value, name);
  return typeof text === 'string' ? text : null;
}
