/** Where questions stand in their turn. */

import type { InteractionEntry, TranscriptEntry } from '../engine/shown.ts';

export type TurnPart = { kind: 'entry'; entry: TranscriptEntry; isAsked: boolean } | { kind: 'interaction'; interaction: InteractionEntry };

/** Entries in their order; an answered question below its call, one that waits last of all, where the eye is. */
export function orderParts({ entries, interactions }: { entries: readonly TranscriptEntry[]; interactions: readonly InteractionEntry[] }): TurnPart[] {
  const waits = interactions.filter(({ status }) => status === 'pending');
  const done = interactions.filter(({ status }) => status !== 'pending');
  const placed = new Set<InteractionEntry>();
  const parts = entries.flatMap((entry): TurnPart[] => {
    const below = done.filter((interaction) => asksAbout(interaction, entry) && !placed.has(interaction));
    for (const interaction of below) placed.add(interaction);
    return [{ kind: 'entry', entry, isAsked: waits.some((interaction) => asksAbout(interaction, entry)) }, ...below.map(asPart)];
  });
  return [...parts, ...[...done.filter((interaction) => !placed.has(interaction)), ...waits].map(asPart)];
}

const asPart = (interaction: InteractionEntry): TurnPart => ({ kind: 'interaction', interaction });

/** A request's id names its call in the middle: `<turn>:<item>:<request>` (desktop-order c3). */
function asksAbout({ requestId }: InteractionEntry, entry: TranscriptEntry): boolean {
  return entry.kind === 'tool' && entry.tool.callId !== '' && requestId.includes(`:${entry.tool.callId}:`);
}
