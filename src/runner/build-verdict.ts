/** Puts one verdict together from what the players know (interface.md, Verdict). */

import type { TapeCheckpoint } from '../core/case/checkpoints.ts';
import type { Fault } from '../core/fault.ts';
import type { Issue } from '../core/issue.ts';
import { createDivergence, type Divergence } from '../core/verdict/divergence.ts';
import { judgeLayers, type LayerCounts, type Verdict } from '../core/verdict/verdict.ts';
import type { CassettePlayer } from '../tape/cassette-player.ts';
import type { LoadedTape } from '../tape/load.ts';
import { shortPath } from './case-files.ts';
import type { RunFacts } from './run.ts';
import { playheadVersion } from './versions.ts';

type Shots = ReadonlyMap<string, { attachment: string | null; playbackMs: number; wallMs: number }>;

export function buildVerdict(options: {
  facts: RunFacts;
  tape: LoadedTape;
  cassette: CassettePlayer;
  fault: Fault | null;
  isReached: boolean;
  checkpoints: readonly TapeCheckpoint[];
  shots: Shots;
  durationMs: number;
  startedMs: number;
}): Verdict {
  const { facts, tape, cassette, fault, checkpoints, shots } = options;
  const divergence = cassette.register.first && withNext(withCheckpoint(cassette.register.first, checkpoints, cassette), facts);
  const counts: LayerCounts = {
    cassette: { checked: tape.manifest.frameCount, allowed: countAllowances(facts) },
    effect: null,
    protocol: { checked: sum(cassette.players, (player) => player.counts.matched), allowed: sum(cassette.players, (player) => player.counts.absorbed) },
    transport: { checked: sum(cassette.players, countRead), allowed: 0 },
    state: null,
  };
  return {
    ...verdictHead(facts),
    result: fault ? 'faulted' : divergence || !options.isReached ? 'failed' : 'passed',
    recordedWith: tape.manifest.recordedWith ?? null,
    layers: judgeLayers(counts, fault ? null : (divergence?.layer ?? null), !fault && options.isReached),
    divergence: fault ? null : divergence,
    fault: fault && { code: fault.code, message: fault.message, next: fault.next },
    checkpoints: checkpoints.map(({ id, name, index, kind }) => ({ id, name, index, kind, ...(shots.get(id) ?? { playbackMs: 0, wallMs: 0, attachment: null }) })),
    launches: cassette.launches,
    durationMs: options.durationMs,
    detectedAtMs: cassette.register.firstAtMs === null ? null : cassette.register.firstAtMs - options.startedMs,
  };
}

/** The verdict of a replay that was refused before anything started. */
export function refusedVerdict(options: { facts: RunFacts; issues: readonly Issue[]; fault: Fault | null; frameCount: number }): Verdict {
  const { facts, issues, fault, frameCount } = options;
  const first = issues.find((issue) => issue.severity === 'error');
  const divergence = first ? withNext(cassetteDivergence(first, issues.length, facts.cassette.name), facts) : null;
  const none = { checked: 0, allowed: 0 };
  const counts: LayerCounts = { cassette: { checked: frameCount, allowed: 0 }, effect: null, protocol: none, transport: none, state: null };
  return {
    ...verdictHead(facts),
    result: fault ? 'faulted' : 'failed',
    recordedWith: null,
    layers: judgeLayers(counts, divergence ? 'cassette' : null, false),
    divergence,
    fault: fault && { code: fault.code, message: fault.message, next: fault.next },
    checkpoints: [],
    launches: { expected: 0, arrived: 0, refused: 0 },
    durationMs: 0,
    detectedAtMs: divergence ? 0 : null,
  };
}

export function verdictHead(facts: RunFacts) {
  const { cassette, product, drive, surface, timing, browser } = facts;
  return {
    schemaVersion: 1 as const,
    playhead: playheadVersion(),
    case: facts.case && { name: facts.case.name, path: shortPath(facts.case.folder) },
    cassette,
    product,
    runsWith: { provider: null, platform: `${process.platform}-${process.arch}`, node: process.version, browser },
    drive,
    surface,
    timing,
  };
}

function cassetteDivergence(issue: Issue, issueCount: number, name: string): Divergence {
  const more = issueCount > 1 ? ` (and ${issueCount - 1} more)` : '';
  return createDivergence({
    layer: 'cassette',
    code: issue.code,
    message: `Cannot load cassette "${name}": ${issue.is}, ${issue.needed}${more}`,
    position: issue.file === null ? null : { file: issue.file, line: issue.line ?? 1 },
    path: issue.path,
    recorded: null,
    live: null,
    causes: [{ code: 'cassette_changed', text: 'The cassette was edited, cut, or not committed as it was recorded.' }],
    next: ['playhead validate <cassette>', 'git checkout -- <cassette>'],
  });
}

// The last checkpoint behind which it happened.
function withCheckpoint(divergence: Divergence, checkpoints: readonly TapeCheckpoint[], cassette: CassettePlayer): Divergence {
  if (divergence.checkpoint) return divergence;
  const reached = checkpoints.findLast((checkpoint) => cassette.barrier.hasHandled(checkpoint.position));
  return reached ? { ...divergence, checkpoint: { id: reached.id, name: reached.name } } : divergence;
}

// Places of the tape that were let through, and a quarantine: both are loans, and an empty green must not hide them.
export function countAllowances(facts: RunFacts): number {
  const { allow = [], quarantine = null } = facts.case ?? {};
  return allow.filter((rule) => rule.layer === 'cassette').length + (quarantine ? 1 : 0);
}

// Commands that can be pasted; a case is better known than its cassette.
export function withNext(divergence: Divergence, facts: RunFacts): Divergence {
  const ofCase = facts.case ? shortPath(facts.case.folder) : facts.cassette.dir;
  const next = divergence.next.length > 0 ? divergence.next : nextCommands;
  return { ...divergence, next: next.map((command) => command.replace('<case>', ofCase).replace('<cassette>', facts.cassette.dir)) };
}

// Chunks the product made come are not counted: how it left may differ from run to run.
function countRead(player: CassettePlayer['players'][number]): number {
  const { lane, cursor } = player;
  return lane.chunks.slice(0, Math.min(cursor, lane.requiredCount)).filter((chunk) => chunk.kind !== 'outbound').length;
}

function sum<T>(items: readonly T[], count: (item: T) => number): number {
  return items.reduce((total, item) => total + count(item), 0);
}

// Whoever saw the divergence may know no better step: look at it, or take it as the new truth.
const nextCommands = ['playhead replay --timing recorded <case>', 'playhead record <case>'];
