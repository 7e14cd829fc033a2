/**
 * The secret scan over decoded text (design, "Real parts"): findings name rule and place, never the value.
 * No comment in the text silences it; what is no secret is decided by the rules alone.
 */

import type { Finding, Report } from '../issue.ts';
import type { Canary } from './canary.ts';
import type { Hunt } from './hunt.ts';
import type { Found } from './match.ts';
import { sharedPart, withoutSecret, type Place } from './place.ts';
import { createSecretHunt, huntThrough } from './search.ts';
import { createStreams, type SecretStream } from './streams.ts';

export type { Canary } from './canary.ts';
export type { Place } from './place.ts';
export type { SecretStream } from './streams.ts';

export type SecretScan = {
  /** A whole text: one line of a document, an argument, a file name. Line ends in it count as wrapped. */
  text: (place: Place, text: string | Uint8Array) => void;
  /** Bytes that belong together though they come in pieces: one connection and kind, one item's deltas. The same key gives the same stream. */
  stream: (key: string) => SecretStream;
  /** Ends every stream that is still open. */
  end: () => void;
};

/** Scans one cassette; a rule is reported once for each place. Holds about 32 MiB of open streams, however many there are. */
export function createSecretScan(options: { canaries: readonly Canary[]; report: Report }): SecretScan {
  const hunt = createSecretHunt(options.canaries);
  const report = onceEach(options.report);
  const streams = createStreams({ hunt, report });
  return {
    text: (place, text) => huntThrough(hunt, text, (found) => report(found, place)),
    stream: streams.of,
    end: streams.end,
  };
}

/** The rules that find something in one text, each once. A list of canaries is prepared at its first use and may not change then. */
export function scanText(text: string, canaries: readonly Canary[] = none): { rule: string; means: string }[] {
  const hunt = hunts.get(canaries) ?? createSecretHunt(canaries);
  hunts.set(canaries, hunt);
  const found = new Map<string, { rule: string; means: string }>();
  huntThrough(hunt, text, ({ rule, means }) => found.set(`${rule} ${means}`, { rule, means }));
  return [...found.values()];
}

function onceEach(report: Report): (found: Found, place: Place) => void {
  const known = new Set<string>();
  return (found, place) => {
    // By what is shown, which is short: a name in a path may have megabytes.
    const shown = withoutSecret(place, found.secret);
    const key = `${found.rule} ${found.means} ${shown.line} ${shown.path} ${shown.file}`;
    if (known.has(key)) return;
    if (known.size < knownPlacesMax) known.add(key);
    report(findingOf(found, shown));
  };
}

function findingOf({ rule, means, secret }: Found, { file, line = null, path = null }: Place): Finding {
  const what = rule === 'known-value' && sharedPart(means, secret) >= 0 ? 'a secret of the recording machine' : means;
  const is = rule === 'known-value' ? `it holds the value of ${what} of the recording machine (rule known-value)` : `it holds ${what} (rule ${rule})`;
  return { code: 'secret_found', file, line, path, is, needed: 'a text without secrets was needed' };
}

const none: readonly Canary[] = [];
const hunts = new WeakMap<readonly Canary[], Hunt>();
const knownPlacesMax = 10_000;
