/** Long values in a verdict: a window around the first difference, the length and a digest of the whole (interface.md, Verdict). */

import { createHash } from 'node:crypto';
import { limits } from '../limits.ts';

export function cutText(text: string, aroundIndex = 0): string {
  if (text.length <= limits.shownCharactersMax) return text;
  const from = Math.max(0, Math.min(aroundIndex - contextLength, text.length - limits.shownCharactersMax));
  const window = text.slice(from, from + limits.shownCharactersMax);
  const digest = createHash('sha256').update(text).digest('hex').slice(0, digestLength);
  return `${from > 0 ? '…' : ''}${window}… (${text.length} characters, sha256:${digest})`;
}

/** Both values cut at the same place, so that the change is inside the window. */
export function cutPair(recorded: string | null, live: string | null): { recorded: string | null; live: string | null } {
  if (recorded === null || live === null) return { recorded: recorded === null ? null : cutText(recorded), live: live === null ? null : cutText(live) };
  let start = 0;
  while (start < recorded.length && start < live.length && recorded[start] === live[start]) start++;
  return { recorded: cutText(recorded, start), live: cutText(live, start) };
}

const contextLength = 160;
const digestLength = 12;
