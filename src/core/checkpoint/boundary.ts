/** Where the activity lane may be cut: not between an intent and what it caused (cassette-contract 4.5). */

/** What a plan must know of an event. One for each line in order, also for a line that broke a rule of its own. */
export type ActivityFactsLike = { sequence: bigint; kind: string; eventId: string; causedByEventId: string | null };

export type Boundaries = {
  eventCount: bigint;
  /** The last effect whose cause is at or before the boundary while it is behind; `null` where nothing is parted. */
  partedBy: (boundary: bigint) => { cause: string; effect: string } | null;
};

/** `null` where no event is known: an empty file switches these rules off, as in the reference (cassette-contract 3.3). */
export function readBoundaries(events: readonly ActivityFactsLike[] | null): Boundaries | null {
  if (events === null || events.length === 0) return null;
  const reach = readReach(events);
  return {
    eventCount: BigInt(events.length),
    partedBy: (boundary) => {
      if (boundary < 1n || boundary >= BigInt(events.length)) return null;
      const line = reach[Number(boundary)] ?? 0;
      const effect = line > boundary ? events[line - 1] : undefined;
      return effect ? { cause: effect.causedByEventId ?? '', effect: effect.eventId } : null;
    },
  };
}

// For each line, the last line with an effect of what stands up to there: one pass, whatever the number of checkpoints. By line
// and not by `sequence`, so that one wrong sequence is one finding; ids are compared raw, as the reference does here alone.
function readReach(events: readonly ActivityFactsLike[]): Uint32Array {
  const reach = new Uint32Array(events.length + 1);
  const lines = new Map<string, number>();
  events.forEach(({ kind, eventId, causedByEventId }, i) => {
    const cause = kind === 'effect' && causedByEventId !== null ? lines.get(causedByEventId) : undefined;
    if (cause !== undefined) reach[cause] = i + 1;
    if (!lines.has(eventId)) lines.set(eventId, i + 1);
  });
  for (let i = 1; i < reach.length; i++) reach[i] = Math.max(reach[i] ?? 0, reach[i - 1] ?? 0);
  return reach;
}
