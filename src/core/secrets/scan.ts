/**
 * The secret scan over decoded text (design, "Real parts"): findings name rule and place, never the value.
 * No comment in the text silences it; what is no secret is decided by the rules alone.
 */

import type { Finding, Report } from '../issue.ts';
import { createAnchors } from './anchors.ts';
import { formsOf, type Canary } from './canary.ts';
import { createHunt, type Hunt } from './hunt.ts';
import type { Found } from './match.ts';
import { sharedPart, withoutSecret, type Place } from './place.ts';
import { secretRules } from './rules.ts';
import { createSieve, trigramCount } from './sieve.ts';
import { createStream, type Budget, type SecretStream } from './stream.ts';

export type { Canary } from './canary.ts';
export type { Place } from './place.ts';
export type { SecretStream } from './stream.ts';

export type SecretScan = {
  /** A whole text: one line of a document, an argument, a file name. Line ends in it count as wrapped. */
  text: (place: Place, text: string | Uint8Array) => void;
  /** Bytes that belong together though they come in pieces: one connection and kind, one item's deltas. The same key gives the same stream. */
  stream: (key: string) => SecretStream;
  /** Ends every stream that is still open. */
  end: () => void;
};

/** Scans one cassette; a rule is reported once for each place. Holds at most about `pendingBytesMax` of open streams. */
export function createSecretScan(options: { canaries: readonly Canary[]; report: Report }): SecretScan {
  const hunt = createSecretHunt(options.canaries);
  const report = onceEach(options.report);
  const streams = new Map<string, SecretStream>();
  const budget: Budget = { bytes: 0, bytesMax: pendingBytesMax };
  return {
    text(place, text) {
      const bytes = typeof text === 'string' ? Buffer.from(text) : text;
      if (bytes.length > longTextBytes) {
        const stream = createStream({ hunt, report, budget, relieve: () => {} });
        stream.push(bytes, place);
        stream.end();
      } else for (const found of hunt(bytes, bytes.length)) report(found, place);
    },
    stream(key) {
      const known = streams.get(key);
      if (known) return known;
      const opened = createStream({ hunt, report, budget, relieve: () => relieve(streams, budget) });
      const stream: SecretStream = {
        ...opened,
        end() {
          opened.end();
          streams.delete(key);
        },
      };
      streams.set(key, stream);
      return stream;
    },
    end: () => [...streams.values()].forEach((stream) => stream.end()),
  };
}

/** The rules that find something in one text, each once. */
export function scanText(text: string, canaries: readonly Canary[] = []): { rule: string; means: string }[] {
  const bytes = Buffer.from(text);
  const found = createSecretHunt(canaries)(bytes, bytes.length);
  return [...new Map(found.map(({ rule, means }) => [`${rule} ${means}`, { rule, means }])).values()];
}

function createSecretHunt(canaries: readonly Canary[]): Hunt {
  const sieve = createSieve();
  const nothing = new Uint8Array(trigramCount);
  return createHunt(createAnchors(secretRules, formsOf(canaries, (bytes) => sieve(bytes, nothing))));
}

function relieve(streams: ReadonlyMap<string, SecretStream>, budget: Budget): void {
  for (const stream of streams.values()) stream.flush();
  // Very many streams hold more even so; to flush them all at every piece would help nobody.
  budget.bytesMax = Math.max(pendingBytesMax, 2 * budget.bytes);
}

function onceEach(report: Report): (found: Found, place: Place) => void {
  const known = new Set<string>();
  return (found, place) => {
    const key = `${found.rule} ${found.means} ${place.line} ${place.path} ${place.file}`;
    if (known.has(key)) return;
    if (known.size < knownPlacesMax) known.add(key);
    report(findingOf(found, withoutSecret(place, found.secret)));
  };
}

function findingOf({ rule, means, secret }: Found, { file, line = null, path = null }: Place): Finding {
  const what = rule === 'known-value' && sharedPart(means, secret) >= 0 ? 'a secret of the recording machine' : means;
  const is = rule === 'known-value' ? `it holds the value of ${what} of the recording machine (rule known-value)` : `it holds ${what} (rule ${rule})`;
  return { code: 'secret_found', file, line, path, is, needed: 'a text without secrets was needed' };
}

const pendingBytesMax = 33_554_432;
const longTextBytes = 262_144;
const knownPlacesMax = 10_000;
