/** Names of recordings and cassettes (cassette-contract 9.1). */

import { trim } from '../json/read.ts';

/** The name without space around it, or `null` where that is empty or longer than 120 code points. */
export function normalizeCassetteName(name: string): string | null {
  const trimmed = trim(name);
  // Twice the limit in UTF-16 units is over it in any case, so a name of megabytes is not spread out.
  if (trimmed === '' || trimmed.length > nameCodePointsMax * 2) return null;
  return [...trimmed].length <= nameCodePointsMax ? trimmed : null;
}

/** The name a recording has until somebody gives it one: the time of its creation in UTC. */
export function defaultCassetteName(createdAtUnixMs: number): string {
  return new Date(createdAtUnixMs).toISOString();
}

export const nameCodePointsMax = 120;
