/** The rules and the known values of a machine together, prepared once for any number of texts. */

import { createAnchors } from './anchors.ts';
import { formsOf, type Canary } from './canary.ts';
import { createHunt, type Hunt } from './hunt.ts';
import type { Found } from './match.ts';
import { secretRules } from './rules.ts';
import { createSieve, trigramCount } from './sieve.ts';
import { createStream } from './stream.ts';

export function createSecretHunt(canaries: readonly Canary[]): Hunt {
  const sieve = createSieve();
  const nothing = new Uint8Array(trigramCount);
  return createHunt(createAnchors(secretRules, formsOf(canaries, (bytes) => sieve(bytes, nothing))));
}

/** One whole text, in blocks where it is long: what a hunt holds grows with what it is given. */
export function huntThrough(hunt: Hunt, text: string | Uint8Array, report: (found: Found) => void): void {
  const bytes = typeof text === 'string' ? Buffer.from(text) : text;
  if (bytes.length <= longTextBytes) return hunt(bytes, bytes.length).forEach(report);
  const stream = createStream({ hunt, report, budget: { bytes: 0 } });
  stream.push(bytes, { file: '' });
  stream.end();
}

const longTextBytes = 262_144;
