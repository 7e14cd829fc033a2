/** A vector over provider lanes as plain JSON: how far each connection is (cassette-contract 4.4). */

export type LanePlaceView = { connectionId: string; chunkSeq: number; unitIndex: number };

/** Whether `lanes` stands at or behind every place of `target`; a connection that is missing stands at (0, 0) (desktop-order b4). */
export function reaches(lanes: readonly LanePlaceView[], target: readonly LanePlaceView[]): boolean {
  return target.every((wanted) => {
    const at = lanes.find(({ connectionId }) => connectionId === wanted.connectionId);
    const chunk = at?.chunkSeq ?? 0;
    return chunk > wanted.chunkSeq || (chunk === wanted.chunkSeq && (at?.unitIndex ?? 0) >= wanted.unitIndex);
  });
}

/** Each connection at the further of its two places, in the order of their names. */
export function raise(lanes: readonly LanePlaceView[], other: readonly LanePlaceView[]): LanePlaceView[] {
  const merged = new Map(lanes.map((place) => [place.connectionId, place]));
  for (const place of other) {
    const known = merged.get(place.connectionId);
    if (!known || !reaches([known], [place])) merged.set(place.connectionId, place);
  }
  return [...merged.values()].sort((a, b) => (a.connectionId < b.connectionId ? -1 : 1));
}
