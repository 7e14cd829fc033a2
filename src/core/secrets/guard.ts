/** Whether a text of another check may be shown: it may quote a name or a value of the cassette, and with it a secret. */

import { isSearchedCanary, type Canary } from './canary.ts';
import { createSecretHunt, huntThrough } from './search.ts';

/** `true` where a text holds a secret by any rule, a known value, or one of them cut by `…`. Prepared once, cheap for short texts. */
export function createTextGuard(canaries: readonly Canary[]): (text: string) => boolean {
  const hunt = createSecretHunt(canaries);
  const values = canaries.map(({ value }) => value.trim()).filter(isSearchedCanary);
  return (text) => {
    let isFound = false;
    huntThrough(hunt, text, () => (isFound = true));
    return isFound || headsOf(text).some((head) => endsInValue(head, values) || midway.test(head) || endsInToken(head));
  };

  /** Whether a head becomes a token by what it would have gone on with, and shows so much of it that it may not be shown. */
  function endsInToken(head: string): boolean {
    const size = Buffer.byteLength(head);
    return endings.some((ending) => {
      const bytes = Buffer.from(`${head}${ending}`);
      return hunt(bytes, bytes.length).some(({ start, end, rank }) => rank < generalRank && start + shownTokenMin <= size && end > size);
    });
  }
}

/** What stands before each `…`: messages cut long values there. */
function headsOf(text: string): string[] {
  const heads: string[] = [];
  for (let at = text.indexOf('…'); at >= 0 && heads.length < headCountMax; at = text.indexOf('…', at + 1)) heads.push(text.slice(Math.max(0, at - headCharactersMax), at));
  return heads;
}

function endsInValue(head: string, values: readonly string[]): boolean {
  return values.some((value) => {
    for (let at = head.indexOf(value.slice(0, shownValueMin)); at >= 0; at = head.indexOf(value.slice(0, shownValueMin), at + 1)) if (value.startsWith(head.slice(at))) return head.length - at >= shownValueMin;
    return false;
  });
}

const headCountMax = 16;
const headCharactersMax = 1_024;
const shownTokenMin = 12;
const shownValueMin = 6;
/** Rules of this rank find too much in a text that is completed by guessing. */
const generalRank = 2;
/** Letters that bodies of every kind allow. */
const endings = ['A7'.repeat(60), '37'.repeat(60)];
/** Kinds with a mark in the middle, cut before it. */
const midway = /(?<![\w-])(?:github_pat_|SG\.)[\w-]{8,}$/;
