/** The extra member `lanes` of an event (design ruling 2): where the provider lanes stood, so that order can be replayed without the waits. */

import { zeroNatural } from '../json/zero.ts';
import type { Report } from '../issue.ts';
import { isObject, type Json, type JsonObject } from '../json/exact.ts';
import { childPath } from '../json/compare.ts';
import { compareBytes } from '../json/go-text.ts';
import { isBlank, present, shown, textAt } from '../json/read.ts';
import type { ActivityKind, ActivityTimeline } from './event.ts';
import { refuseAt, type Refuse } from './refuse.ts';

/** One place in a provider lane, as in a cursor (4.4). */
export type LanePlace = { connectionId: string; chunkSeq: bigint; unitIndex: bigint };

/** The lanes of one event by name; null after a finding. */
export type Lanes = ReadonlyMap<string, readonly LanePlace[]>;

/** Checks `lanes` against the kind of its event and gives the vectors that are right; null where there are none. */
export function checkLanes(event: JsonObject, kind: ActivityKind | null, refuse: Refuse): Lanes | null {
  const lanes = present(event, 'lanes');
  if (lanes === undefined || kind === null) return null;
  if (!isObject(lanes)) return refuseLanes(refuse, '$.lanes', `it is ${shown(lanes)}`, 'an object was needed');
  const wanted = kind === 'effect' ? effectLanes : causeLanes;
  const foreign = [...effectLanes, ...causeLanes].find((name) => !wanted.includes(name) && Object.hasOwn(lanes, name));
  if (foreign !== undefined) return refuseLanes(refuse, `$.lanes.${foreign}`, `it is of kind "${kind}" and has "${foreign}"`, `${wanted.join(' and ')} alone was needed`);
  const vectors = new Map<string, readonly LanePlace[]>();
  for (const name of wanted) {
    const places = readPlaces(present(lanes, name), `$.lanes.${name}`, refuse);
    if (places === null) return null;
    vectors.set(name, places);
  }
  const [seen, accepted] = [vectors.get('seen'), vectors.get('accepted')];
  if (seen && accepted && !reachesLanes(accepted, seen)) return refuseLanes(refuse, '$.lanes.seen', 'it lies beyond "accepted"', 'the window sees nothing that the daemon had not received');
  return vectors;
}

/** Reports a connection that `lanes` name and the tape does not have; without connections any name passes, as in a cursor (4.4 C3). */
export function reportUnknownLanes(timeline: ActivityTimeline, connectionIds: ReadonlySet<string>, report: Report): void {
  if (connectionIds.size === 0) return;
  for (const [connectionId, { line, path }] of timeline.laneConnections)
    if (!connectionIds.has(connectionId)) refuseAt(line, report)('lanes_invalid', path, `the tape has no connection ${shown(connectionId)}`, 'a connection of the tape was needed');
}

/** Whether `lane` stands at or behind every place of `target`; a connection that is missing stands at (0, 0) (desktop-order b4). */
export function reachesLanes(lane: readonly LanePlace[], target: readonly LanePlace[]): boolean {
  const places = new Map(lane.map((place) => [place.connectionId, place]));
  return target.every(({ connectionId, chunkSeq, unitIndex }) => {
    const at = places.get(connectionId);
    const chunk = at?.chunkSeq ?? 0n;
    return chunk > chunkSeq || (chunk === chunkSeq && (at?.unitIndex ?? 0n) >= unitIndex);
  });
}

function readPlaces(value: Json | undefined, path: string, refuse: Refuse): LanePlace[] | null {
  if (!Array.isArray(value)) return refuseLanes(refuse, path, `it is ${shown(value)}`, 'a list of connections was needed');
  const places: LanePlace[] = [];
  for (const [i, item] of value.entries()) {
    const place = readPlace(item, `${path}[${i}]`, refuse);
    if (place === null) return null;
    const before = places.at(-1);
    if (before && compareBytes(before.connectionId, place.connectionId) >= 0) return refuseLanes(refuse, `${path}[${i}].connectionId`, `it is ${shown(place.connectionId)} behind ${shown(before.connectionId)}`, 'connections in ascending order, each once, were needed');
    places.push(place);
  }
  return places;
}

function readPlace(item: Json, path: string, refuse: Refuse): LanePlace | null {
  if (!isObject(item)) return refuseLanes(refuse, path, `it is ${shown(item)}`, 'an object was needed');
  const connectionId = textAt(item, 'connectionId');
  if (connectionId === undefined || isBlank(connectionId)) return refuseLanes(refuse, `${path}.connectionId`, `it is ${shown(present(item, 'connectionId'))}`, 'the id of a connection was needed');
  const [chunkSeq, unitIndex] = [zeroNatural(item, 'chunkSeq'), zeroNatural(item, 'unitIndex')];
  if (chunkSeq !== null && unitIndex !== null) return { connectionId, chunkSeq, unitIndex };
  const key = chunkSeq === null ? 'chunkSeq' : 'unitIndex';
  return refuseLanes(refuse, childPath(path, key), `it is ${shown(present(item, key))}`, 'an integer from 0 was needed');
}

function refuseLanes(refuse: Refuse, path: string, is: string, needed: string): null {
  refuse('lanes_invalid', path, is, needed);
  return null;
}

const causeLanes = ['seen', 'accepted'];
const effectLanes = ['started'];
