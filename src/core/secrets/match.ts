/** Whether a secret really stands where an anchor was seen. */

import type { Anchor } from './anchors.ts';
import { kinds } from './kinds.ts';
import { isLineEnd, isWide, lineEndsWithin, rawPlace } from './marks.ts';
import { looksRandom, placeholderAt, type SecretRule } from './rules.ts';
import { hard, type Sifted } from './sieve.ts';

/** What was found: a rule of the table, or a canary by its name. `secret` is for comparing only and never shown. */
export type Found = { rule: string; means: string; start: number; end: number; secret: string; rank: number };

/** A hit looked at closely: the rule or the known value whose anchor stands there. */
export function matchAt(sifted: Sifted, at: number, { sought, bytes }: Anchor): Found | null {
  if ('rule' in sought) return matchRule(sifted, at, sought.rule);
  const end = at + bytes.length;
  if (sought.canary.isWord && (touches(sifted, at, 'before', 'letters') || touches(sifted, end, 'after', 'letters'))) return null;
  return { rule: 'known-value', means: sought.canary.name, start: rawPlace(sifted.marks, at), end: rawPlace(sifted.marks, end), secret: bytes.toString(), rank: 0 };
}

function matchRule(sifted: Sifted, at: number, rule: SecretRule): Found | null {
  if (rule.before && touches(sifted, at, 'before', rule.before)) return null;
  if (rule.needs && !comesSoon(sifted, at, rule.needs.charCodeAt(0))) return null;
  const text = sifted.out.toString('latin1', at, Math.min(sifted.length, at + (rule.reach ?? reachBytes)));
  const whole = matchText(sifted, { at, text, rule });
  if (whole !== 'unreal') return whole;
  // What follows a line end may be something else: the same without it.
  for (const end of lineEndsWithin(sifted.marks, at, at + text.length).slice(0, lineEndsMax)) {
    const cut = matchText(sifted, { at, text: text.slice(0, end - at), rule });
    if (cut !== null && cut !== 'unreal') return cut;
  }
  return null;
}

function comesSoon({ out, length }: Sifted, at: number, byte: number): boolean {
  const end = Math.min(length, at + reachBytes);
  for (let i = at; i < end; i++) {
    const here = out[i] as number;
    if (here === byte) return true;
    if (here <= blank || here === quote) return false;
  }
  return false;
}

/** `unreal` where the form is right and the last look says no; `null` where nothing matches. */
function matchText(sifted: Sifted, { at, text, rule }: { at: number; text: string; rule: SecretRule }): Found | null | 'unreal' {
  rule.pattern.lastIndex = 0;
  const match = rule.pattern.exec(text);
  if (!match) return null;
  const end = at + match[0].length;
  const secret = match[1] ?? match[0];
  if (rule.after && touches(sifted, end, 'after', rule.after) && !isGlued(sifted, at, secret, rule)) return null;
  const context = sifted.out.toString('latin1', Math.max(0, at - contextMax), at);
  if (rule.isReal?.(secret, context) === false || !isJoined(sifted, { at, end, rule })) return 'unreal';
  const placeholder = placeholderAt(secret);
  if (placeholder >= 0) return matchAhead(sifted, { at, text: text.slice(0, match[0].indexOf(secret) + placeholder), rule });
  return { rule: rule.name, means: rule.means, start: rawPlace(sifted.marks, at), end: rawPlace(sifted.marks, end), secret, rank: rule.isGeneral ? 2 : 1 };
}

/** Whether a token of a known length stands at the start of something longer. */
function isGlued(sifted: Sifted, at: number, secret: string, { glued }: SecretRule): boolean {
  return glued !== undefined && !touches(sifted, at, 'before', glued) && looksRandom(secret);
}

/** A real key that goes on with rows of x, or with the word example, is no placeholder for that. */
function matchAhead(sifted: Sifted, sought: { at: number; text: string; rule: SecretRule }): Found | 'unreal' {
  const ahead = matchText(sifted, sought);
  return ahead !== null && ahead !== 'unreal' && looksRandom(ahead.secret) ? ahead : 'unreal';
}

/** Whether the lines inside a match belong together: a short line, or one that ends with a port, was not wrapped. */
function isJoined({ out, marks }: Sifted, { at, end, rule }: { at: number; end: number; rule: SecretRule }): boolean {
  const { columnsMin } = rule;
  if (columnsMin === undefined) return true;
  return lineEndsWithin(marks, at, end, hard).every((place) => isWide(marks, place, columnsMin) && !/:\d{0,5}$/.test(out.toString('latin1', at, place)));
}

/** Whether a character beside a place would make the match a part of something longer; a line end parts them. */
function touches(sifted: Sifted, place: number, side: 'before' | 'after', letters: 'alnum' | 'word' | 'base64' | 'letters'): boolean {
  const neighbour = side === 'before' ? place - 1 : place;
  if (neighbour < 0 || neighbour >= sifted.length || isLineEnd(sifted.marks, place)) return false;
  const byte = sifted.out[neighbour] as number;
  const kind = kinds[byte] as number;
  if (kind < 62) return true;
  if (letters === 'base64') return kind < 64;
  return letters === 'alnum' ? false : byte === underscore || (letters === 'word' && byte === hyphen);
}

const contextMax = 64;
const lineEndsMax = 8;
const reachBytes = 320;
const [blank, quote, hyphen, underscore] = [0x20, 0x22, 0x2d, 0x5f] as const;
