/** Where a secret could begin: one rare trigram of every anchor, looked up by its hash. */

import type { CanaryForm } from './canary.ts';
import type { SecretRule } from './rules.ts';
import { hashOf, knownTrigram, trigramCount, type Trigrams } from './sieve.ts';

/** `offset` is the place of the trigram in `bytes`. */
export type Anchor = { bytes: Buffer; offset: number; sought: { rule: SecretRule } | { canary: CanaryForm } };

export type Anchors = { trigrams: Trigrams; byHash: ReadonlyMap<number, readonly Anchor[]> };

export function createAnchors(rules: readonly SecretRule[], canaries: readonly CanaryForm[]): Anchors {
  const trigrams = new Uint8Array(trigramCount);
  const byHash = new Map<number, Anchor[]>();
  const add = (bytes: Buffer, sought: Anchor['sought']) => {
    const offset = rarestTrigram(bytes);
    const hash = hashOf(bytes[offset] as number, bytes[offset + 1] as number, bytes[offset + 2] as number);
    trigrams[hash] = knownTrigram;
    byHash.set(hash, [...(byHash.get(hash) ?? []), { bytes, offset, sought }]);
  };
  for (const rule of rules) for (const anchor of rule.anchors) add(Buffer.from(anchor), { rule });
  for (const canary of canaries) add(canary.bytes, { canary });
  return { trigrams, byHash };
}

/** Common trigrams would stop the sieve in every line. */
function rarestTrigram(bytes: Buffer): number {
  // Note: after a backslash these letters read as an escape, so the sieve looks for their trigram at the very start.
  if (/^[nrtbf]/.test(bytes.toString('latin1'))) return 0;
  let rarest = 0;
  let least = Number.POSITIVE_INFINITY;
  for (let i = 0; i + 2 < Math.min(bytes.length, searchedBytesMax); i++) {
    const common = (commonness(bytes[i]) + 1) * (commonness(bytes[i + 1]) + 1) * (commonness(bytes[i + 2]) + 1);
    if (common < least) [rarest, least] = [i, common];
  }
  return rarest;
}

function commonness(byte: number | undefined): number {
  return lettersByRarity.indexOf(String.fromCharCode(byte ?? 0)) + 1;
}

const searchedBytesMax = 64;
const lettersByRarity = 'zqxjkvbypgwfm":/.,_-ucdlhr sinoate';
