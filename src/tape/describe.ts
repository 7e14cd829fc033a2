/** Words for what a tape can find: each divergence with its place, both values, the nearest recorded message and a cause. */

import { differingPaths, type Difference } from '../core/json/compare.ts';
import { isRawNumber, member, type Json } from '../core/json/exact.ts';
import type { Lane, RecordedOutbound } from '../core/tape/lane.ts';
import { cutPair, cutText } from '../core/verdict/cut.ts';
import { createDivergence, type Cause, type ChunkPosition, type Divergence, type Nearest } from '../core/verdict/divergence.ts';

export const describe = { mismatch, extra, missing, unfinished, notDrained, unheard, notSelected, unmatchedLaunch, ambiguousLaunch, lost };

function mismatch(facts: { lane: Lane; expected: RecordedOutbound; live: Json[] | undefined; bytes: Buffer; difference: Difference }): Divergence {
  const { lane, expected, live, bytes, difference } = facts;
  const position = positionOf(lane, expected.chunkIndex);
  const recordedName = nameOf(expected.values?.[0]);
  const liveName = live ? nameOf(live[0]) : 'no JSON';
  const what = recordedName === liveName ? `${liveName} with another ${difference.path}` : liveName;
  return createDivergence({
    layer: 'protocol',
    code: 'outbound_mismatch',
    message: `Cannot continue replay: ${provider(lane)} was sent ${what}, the recording has ${recordedName} here (${place(position)})`,
    lane: position.connectionId,
    position,
    path: difference.path,
    ...cutPair(write(difference.recorded), write(live ? difference.live : bytes.toString())),
    nearest: live?.[0] === undefined ? null : nearestTo(lane, live[0], expected),
    causes: causesOf(difference, recordedName, liveName),
    next: nextCommands,
  });
}

function extra(lane: Lane, cursor: number, live: Json[] | undefined, bytes: Buffer): Divergence {
  const position = positionOf(lane, Math.min(cursor, lane.chunks.length) - 1);
  const has = lane.outbound.some(({ chunkIndex }) => chunkIndex >= cursor) ? 'no message here' : 'no further message';
  return createDivergence({
    layer: 'protocol',
    code: 'outbound_extra',
    message: `Cannot continue replay: ${provider(lane)} was sent ${live ? nameOf(live[0]) : 'no JSON'}, the recording has ${has} (${place(position)})`,
    lane: position.connectionId,
    position,
    path: '$',
    recorded: null,
    live: show(live?.[0] ?? bytes.toString()),
    nearest: live?.[0] === undefined ? null : nearestTo(lane, live[0], null),
    causes: [{ code: 'message_repeated', text: 'A message was sent twice, or a request was added.' }],
    next: nextCommands,
  });
}

function missing(lane: Lane, expected: RecordedOutbound): Divergence {
  const position = positionOf(lane, expected.chunkIndex);
  const value = expected.values?.[0];
  return createDivergence({
    layer: 'protocol',
    code: 'outbound_missing',
    message: `Cannot finish replay: ${provider(lane)} awaits ${nameOf(value)}, the product did not send it (${place(position)})`,
    lane: position.connectionId,
    position,
    path: '$',
    recorded: show(value ?? expected.bytes.toString()),
    live: null,
    causes: [{ code: 'not_sent', text: 'The spec did not act, or the product dropped what the person did.' }],
    next: nextCommands,
  });
}

function unfinished(lane: Lane, cursor: number, bytes: Buffer): Divergence {
  const position = positionOf(lane, Math.min(cursor, lane.chunks.length - 1));
  return createDivergence({
    layer: 'protocol',
    code: 'outbound_unfinished',
    message: `Cannot continue replay: ${provider(lane)} was sent ${bytes.length} bytes without an end of line, a complete message was needed (${place(position)})`,
    lane: position.connectionId,
    position,
    path: '$',
    live: show(bytes.toString()),
    causes: [{ code: 'pipe_closed', text: 'The product ended while it was writing.' }],
    next: nextCommands,
  });
}

function notDrained(lane: Lane, cursor: number): Divergence {
  const position = positionOf(lane, cursor);
  const chunk = lane.chunks[cursor];
  return createDivergence({
    layer: 'transport',
    code: 'not_drained',
    message: `Cannot finish replay: ${position.connectionId} was read to chunk ${cursor} of ${lane.requiredCount}, everything before the end was needed (${place(position)})`,
    lane: position.connectionId,
    position,
    recorded: chunk ? `${chunk.kind}, ${chunk.unitCount} messages` : null,
    live: null,
    causes: [{ code: 'ended_early', text: 'The product ended or left the provider before the recording did.' }],
    next: nextCommands,
  });
}

function unheard(lane: Lane, chunkIndex: number): Divergence {
  const position = positionOf(lane, chunkIndex);
  const chunk = lane.chunks[chunkIndex];
  return createDivergence({
    layer: 'transport',
    code: 'not_drained',
    message: `Cannot finish replay: the product did not read chunk ${position.chunkSeq} of ${position.connectionId}, everything before the end was needed (${place(position)})`,
    lane: position.connectionId,
    position,
    recorded: chunk ? `${chunk.kind}, ${chunk.unitCount} messages` : null,
    live: null,
    causes: [{ code: 'not_read', text: 'The product left its pipe full: it waits for something else, or stopped reading.' }],
    next: nextCommands,
  });
}

function notSelected(lane: Lane): Divergence {
  const { connectionId, provider: name, argv } = lane.connection;
  return createDivergence({
    layer: 'transport',
    code: 'connection_not_selected',
    message: `Cannot finish replay: ${connectionId} was never started, the recording starts "${[name, ...(argv ?? [])].join(' ')}" a ${nth(lane.connection.launchOrdinal)} time`,
    lane: connectionId,
    position: { connectionId, chunkSeq: 1, unitIndex: 0 },
    recorded: [name, ...(argv ?? [])].join(' '),
    live: null,
    causes: [{ code: 'not_started', text: 'The product did not open this session.' }],
    next: nextCommands,
  });
}

function unmatchedLaunch(launch: { provider: string; argv: readonly string[] }, recorded: readonly Lane[]): Divergence {
  const live = [launch.provider, ...launch.argv].join(' ');
  const known = recorded.map((lane) => [lane.connection.provider, ...(lane.connection.argv ?? [])].join(' '));
  return createDivergence({
    layer: 'transport',
    code: 'launch_unmatched',
    message: `Cannot start "${cutText(live)}": the recording has ${known.length} connection(s), each is taken or starts otherwise`,
    path: '$.argv',
    recorded: known.join(' | '),
    live: cutText(live),
    causes: [{ code: 'started_again', text: 'The product started a further provider process, or with other arguments.' }],
    next: nextCommands,
  });
}

function ambiguousLaunch(lane: Lane, candidates: readonly Lane[], live: Json): Divergence {
  const names = candidates.map((candidate) => candidate.connection.connectionId).join(', ');
  return createDivergence({
    layer: 'transport',
    code: 'launch_ambiguous',
    message: `Cannot tell which connection is meant: ${nameOf(live)} fits ${names}, one that goes on alike was needed`,
    lane: lane.connection.connectionId,
    recorded: names,
    live: show(live),
    causes: [{ code: 'equal_prompts', text: 'Several sessions began with equal messages; give them different prompts.' }],
    next: nextCommands,
  });
}

function lost(lane: Lane, cursor: number): Divergence {
  const position = positionOf(lane, Math.min(cursor, lane.chunks.length - 1));
  return createDivergence({
    layer: 'transport',
    code: 'shim_lost',
    message: `Cannot continue replay: the stand-in of ${position.connectionId} went away without an end, its exit was expected (${place(position)})`,
    lane: position.connectionId,
    position,
    causes: [{ code: 'killed', text: 'It was killed. A SIGKILL by the product cannot be told from one by somebody else.' }],
    next: nextCommands,
  });
}

/** `"turn/start"` for a request, `response 0` for an answer. */
export function nameOf(message: Json | undefined): string {
  const method = member(message, 'method');
  if (typeof method === 'string') return `"${method}"`;
  const id = member(message, 'id');
  return id === undefined ? 'a message without method' : `response ${JSON.stringify(id)}`;
}

function show(value: Json | undefined): string | null {
  const text = write(value);
  return text === null ? null : cutText(text);
}

function write(value: Json | undefined): string | null {
  if (value === undefined) return null;
  if (isRawNumber(value)) return value.rawJSON;
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function positionOf(lane: Lane, chunkIndex: number): ChunkPosition {
  return { connectionId: lane.connection.connectionId, chunkSeq: Math.max(0, chunkIndex) + 1, unitIndex: 0 };
}

function place(position: ChunkPosition): string {
  return `${position.connectionId}, chunk ${position.chunkSeq}`;
}

function provider(lane: Lane): string {
  return lane.connection.provider;
}

function nearestTo(lane: Lane, live: Json, expected: RecordedOutbound | null): Nearest | null {
  let best: { at: RecordedOutbound; changed: string[] } | null = null;
  for (const at of lane.outbound) {
    const recorded = at.values?.[0];
    if (recorded === undefined || nameOf(recorded) !== nameOf(live)) continue;
    const changed = differingPaths(recorded, live).filter((path) => path !== '$.id' && !path.endsWith('.cwd'));
    if (!best || changed.length < best.changed.length || (changed.length === best.changed.length && at === expected)) best = { at, changed };
  }
  return best && { position: positionOf(lane, best.at.chunkIndex), changed: best.changed };
}

function causesOf(difference: Difference, recordedName: string, liveName: string): Cause[] {
  if (recordedName !== liveName) return [{ code: 'order_changed', text: 'Messages were added, left out, or sent in another order.' }];
  if (/\.(text|input)\b/.test(difference.path)) return [{ code: 'prompt_changed', text: 'The prompt or its template was edited.' }];
  if (difference.path.includes('decision')) return [{ code: 'decision_changed', text: 'The answer to an approval is another one.' }];
  return [{ code: 'parameter_changed', text: 'The product sends another parameter.' }];
}

function nth(n: number): string {
  return n === 1 ? 'first' : n === 2 ? 'second' : n === 3 ? 'third' : `${n}th`;
}

const nextCommands = ['playhead replay --timing recorded <case>', 'playhead record <case>'];
