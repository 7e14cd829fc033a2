/** The messages of a tape in memory, for comparing two of them. */

import { parseJson, type Json } from '../core/json/exact.ts';
import { LineSplitter } from '../core/lines.ts';
import type { Conversation } from '../core/tape/agree.ts';
import { LaneReader } from './lane-reader.ts';
import type { LoadedTape } from './load.ts';

export function readConversations(tape: LoadedTape): Conversation[] {
  return tape.lanes.filter((lane) => lane.speaksProtocol).map((lane) => {
    const reader = new LaneReader({ lane, folder: tape.folder });
    const splitter = new LineSplitter();
    const inbound: Json[] = [];
    lane.chunks.forEach((chunk, i) => {
      if (chunk.kind !== 'stdout') return;
      for (const line of splitter.push(Buffer.from(reader.read(i)))) {
        const message = parseJson(line.toString());
        if (message !== undefined) inbound.push(message);
      }
    });
    reader.close();
    return { connectionId: lane.connection.connectionId, adapter: lane.adapter, outbound: lane.outbound.flatMap((sent) => sent.values ?? []), inbound, kinds: lane.observations.map((o) => o.kind) };
  });
}
