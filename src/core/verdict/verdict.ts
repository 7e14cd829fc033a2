/** Verdict, version 1: the result of one replay (interface.md). */

import { createHash } from 'node:crypto';
import { layerNames, type Divergence, type Layer } from './divergence.ts';

export type LayerStatus = 'passed' | 'failed' | 'not_reached' | 'not_recorded';
export type LayerResult = { status: LayerStatus; checked: number; allowed: number };
export type Drive = 'activity' | 'scenario' | 'spec';
export type Surface = 'electron' | 'chromium' | 'none';
export type Timing = 'instant' | 'recorded' | number;

export type VerdictCheckpoint = {
  id: string;
  name: string;
  index: number;
  kind: string;
  playbackMs: number;
  wallMs: number;
  attachment: string | null;
};

export type Verdict = {
  schemaVersion: 1;
  playhead: string;
  result: 'passed' | 'failed' | 'faulted';
  case: { name: string; path: string } | null;
  cassette: { id: string; name: string; dir: string; manifestSha256: string };
  product: { name: string; version: string | null };
  recordedWith: unknown;
  runsWith: { provider: string | null; platform: string; node: string; browser: string | null };
  drive: Drive;
  surface: Surface;
  timing: Timing;
  layers: { [layer in Layer]: LayerResult };
  divergence: Divergence | null;
  fault: { code: string; message: string; next: string[] } | null;
  checkpoints: VerdictCheckpoint[];
  launches: { expected: number; arrived: number; refused: number };
  durationMs: number;
  detectedAtMs: number | null;
};

export type LayerCounts = { [layer in Layer]: { checked: number; allowed: number } | null };

/** Layer results from counts and the first divergence: beside a failed layer nothing but the cassette was judged to its end. */
export function judgeLayers(counts: LayerCounts, failed: Layer | null, isReached: boolean): { [layer in Layer]: LayerResult } {
  const results = {} as { [layer in Layer]: LayerResult };
  for (const layer of layerNames) {
    const count = counts[layer];
    if (count === null) results[layer] = { status: 'not_recorded', checked: 0, allowed: 0 };
    else if (layer === failed) results[layer] = { status: 'failed', ...count };
    else if (failed === 'cassette') results[layer] = { status: 'not_reached', checked: 0, allowed: 0 };
    else if (layer === 'cassette') results[layer] = { status: 'passed', ...count };
    else results[layer] = { status: failed === null && isReached ? 'passed' : 'not_reached', ...count };
  }
  return results;
}

/** The digest by which two runs of one case count as equal: canonical JSON without times, host facts and attachment names. */
export function verdictDigest(verdict: Verdict): string {
  const { durationMs: _d, detectedAtMs: _a, runsWith: _r, ...rest } = verdict;
  const checkpoints = rest.checkpoints.map(({ playbackMs: _p, wallMs: _w, attachment: _n, ...checkpoint }) => checkpoint);
  return createHash('sha256').update(canonicalJson({ ...rest, checkpoints })).digest('hex');
}

/** JSON with members sorted by name at every depth. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item ?? null)).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const members = Object.entries(value).filter(([, item]) => item !== undefined);
  members.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  return `{${members.map(([key, item]) => `${JSON.stringify(key)}:${canonicalJson(item)}`).join(',')}}`;
}
