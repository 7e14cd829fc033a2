/**
 * Several launches of one provider (stand-in b2): a launch stands provisionally on one recorded connection and moves when
 * what it sends fits another one, as long as what it has received so far is the same there under other ids.
 */

import { parseJson, writeJson, type Json } from '../core/json/exact.ts';
import { LineSplitter } from '../core/lines.ts';
import type { Root } from '../core/projection/rules.ts';
import type { MatchState } from '../core/provider/adapter.ts';
import type { Lane, RecordedOutbound } from '../core/tape/lane.ts';
import { isProbe } from './lane-indexer.ts';
import { LaneReader } from './lane-reader.ts';
import { translate } from './inbound-resolver.ts';

export type Place = { cursor: number; outboundCount: number; state: MatchState; toLane: Map<string, string> };

/**
 * Where a launch would stand on `to`, if everything it sent and received fits there and `next` too; `null` if not.
 * `next` absent asks only whether the past fits.
 */
export function placeOn(options: {
  from: Lane;
  to: Lane;
  folder: string;
  cursor: number;
  sent: readonly Json[];
  next: Json | null;
  roots: Root[];
  /** Ids that the live launch knows in the ids of `from`. */
  liveToFrom: ReadonlyMap<string, string>;
}): Place | null {
  const { from, to, sent, next } = options;
  // Probes may be left out or added on either side; the n-th message that counts stands for the n-th recorded one.
  const past = sent.filter((message) => !isProbe([message], to.adapter));
  const required = requiredOutbound(to);
  const at = past.length;
  const target = required[at];
  if (next !== null && !target) return null;
  const received = inboundBefore(from, options.cursor, options.folder);
  const wanted = inboundBefore(to, target?.chunkIndex ?? to.requiredCount, options.folder);
  const aligned = alignInbound(received, wanted, from);
  if (!aligned) return null;
  const fromToLive = new Map([...options.liveToFrom].map(([live, recorded]) => [recorded, live]));
  const ids = new Map([...aligned].map(([recorded, other]) => [fromToLive.get(recorded) ?? recorded, other]));
  let state: MatchState = { requestIds: new Map(), identities: new Map() };
  for (const [i, live] of [...past, ...(next === null ? [] : [next])].entries()) {
    const recorded = required[i]?.values?.[0];
    if (recorded === undefined) return null;
    const result = to.adapter.match({ recorded, live: translate(live, ids), roots: options.roots, state });
    if (!result.matches) return null;
    // What `next` teaches is learned when it is sent.
    if (next === null || i < at) state = result.state;
  }
  const outboundCount = target ? to.outbound.indexOf(target) : to.outbound.length;
  return { cursor: target?.chunkIndex ?? to.requiredCount, outboundCount, state, toLane: ids };
}

/** The recorded messages that have to be sent. */
export function requiredOutbound(lane: Lane): RecordedOutbound[] {
  return lane.outbound.filter((outbound) => !isProbe(outbound.values, lane.adapter));
}

/** Whether two lanes go on alike behind that many messages, under other ids. */
export function goOnAlike(a: Lane, b: Lane, sentCount: number): boolean {
  const rest = (lane: Lane) => requiredOutbound(lane).slice(sentCount).map((outbound) => writeJson((outbound.values ?? []).map((value) => lane.adapter.mask(value))));
  return rest(a).join('\n') === rest(b).join('\n');
}

function inboundBefore(lane: Lane, chunkCount: number, folder: string): Json[] {
  const reader = new LaneReader({ lane, folder });
  const splitter = new LineSplitter();
  const messages: Json[] = [];
  for (let i = 0; i < chunkCount; i++) {
    if (lane.chunks[i]?.kind !== 'stdout') continue;
    for (const line of splitter.push(Buffer.from(reader.read(i)))) {
      const message = parseJson(line.toString());
      if (message !== undefined) messages.push(message);
    }
  }
  reader.close();
  return messages;
}

// Equal as a multiset once volatile values and minted ids are masked; ids then align pairwise.
function alignInbound(received: readonly Json[], wanted: readonly Json[], lane: Lane): Map<string, string> | null {
  if (received.length !== wanted.length) return null;
  const { adapter } = lane;
  const sorted = (messages: readonly Json[]) => messages.map((message) => ({ key: neutral(writeJson(adapter.mask(message))), message })).sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
  const left = sorted(received);
  const right = sorted(wanted);
  const ids = new Map<string, string>();
  for (const [i, { key, message }] of left.entries()) {
    const other = right[i];
    if (!other || other.key !== key) return null;
    const to = adapter.generatedIds(other.message);
    for (const [n, id] of adapter.generatedIds(message).entries()) {
      const known = ids.get(id);
      if (known !== undefined && known !== to[n]) return null;
      ids.set(id, to[n] as string);
    }
  }
  return ids;
}

// The tokens of two launches name one folder.
function neutral(text: string): string {
  return text.replaceAll(/\$\{SESSION_CWD:[^}]*\}/g, '${SESSION_CWD}');
}
