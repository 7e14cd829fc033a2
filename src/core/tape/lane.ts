/** One recorded connection, indexed while the tape is read once: what a player needs without holding the bytes. */

import type { Json } from '../json/exact.ts';
import type { UnitPosition } from '../ports.ts';
import type { ObservationKind, OpenEnd, ProviderAdapter } from '../provider/adapter.ts';
import type { ChunkKind } from './chunk.ts';
import type { TapeConnection } from './manifest.ts';

/** Set where a line that may have to be rewritten touches the chunk. */
export const holdsChangingLine = 1;
/** Set where the unfinished end of the chunk belongs to such a line. */
export const endsInChangingLine = 2;

export type LaneChunk = {
  globalSeq: number;
  elapsedMs: number;
  kind: ChunkKind;
  /** Where the stored line stands in the frames file. */
  offset: number;
  lineBytes: number;
  flags: number;
  /** Complete messages whose last byte is in this chunk. */
  unitCount: number;
};

export type RecordedOutbound = { chunkIndex: number; bytes: Buffer; values: Json[] | undefined };

export type TapeObservation = {
  kind: ObservationKind;
  facts: Json;
  position: UnitPosition;
  globalSeq: number;
  elapsedMs: number;
};

export type Lane = {
  connection: TapeConnection;
  adapter: ProviderAdapter;
  speaksProtocol: boolean;
  chunks: LaneChunk[];
  outbound: RecordedOutbound[];
  /** What lies before must be drained: all chunks, or those before the product brought the end about. */
  requiredCount: number;
  exit: { chunkIndex: number; exitCode: number; message: string | null } | null;
  observations: TapeObservation[];
  openEnds: OpenEnd[];
  /** The recorded result of the first request, as JSON text (stand-in b7). */
  initialize: string | null;
};
