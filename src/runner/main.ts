/** Opens a run of a case: everything is read and judged before any process or folder is made (design, a replayed test). */

import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import type { Case } from '../core/case/case.ts';
import { cassetteName } from '../core/case/case.ts';
import { unknownCheckpoints } from '../core/case/checkpoints.ts';
import { Fault, isFault, toFault } from '../core/fault.ts';
import type { Issue } from '../core/issue.ts';
import type { Clock } from '../core/ports.ts';
import type { Product } from '../core/product.ts';
import type { RecordedWith } from '../core/tape/manifest.ts';
import { DivergenceError } from '../core/verdict/divergence-error.ts';
import type { Drive, Surface, Timing, Verdict } from '../core/verdict/verdict.ts';
import { nodeClock } from '../tape/node-clock.ts';
import { refusedVerdict } from './build-verdict.ts';
import { cassetteFolder, findCassette, openCassette, readCase, type OpenedCassette } from './case-files.ts';
import { loadConfig, loadProduct, type LoadedConfig } from './config.ts';
import type { Overrides, SurfaceOption } from './options.ts';
import { RecordRun } from './record-run.ts';
import { ActivityRecord } from './activity/record.ts';
import { ActivityReplay } from './activity/replay.ts';
import { readScript, unknownNames } from './activity/script.ts';
import { ReplayRun } from './replay-run.ts';
import type { Run, RunFacts } from './run.ts';
import { sharedFolderVariable } from './shim-env.ts';
import { windowOpener, type OpenWindow } from './window/open.ts';
import type { Workroom } from './workroom.ts';

export type OpenOptions = {
  caseFolder: string;
  /** The first cassette where `null`. */
  cassetteName: string | null;
  /** Overrides the one in `case.json`. */
  productName: string | null;
  surface: SurfaceOption;
  timing: Timing;
  browser: string | null;
  workroom: Workroom;
  overrides: Overrides;
  startParked?: boolean;
  isUnlimited?: boolean;
  clock?: Clock;
};

export type OpenedRun =
  | { state: 'open'; run: Run; facts: RunFacts; durationMs: number }
  | { state: 'refused'; verdict: Verdict; error: Fault | null; issues: Issue[]; facts: RunFacts };

export async function openReplay(options: OpenOptions): Promise<OpenedRun> {
  const opening = openCase(options);
  if ('state' in opening) return opening;
  const { of, opened, facts } = opening;
  if (!opened.tape) return { state: 'refused', verdict: refusedVerdict({ facts, issues: opened.issues, fault: null, frameCount: 0 }), error: null, issues: opened.issues, facts };
  try {
    const { product, surface, loaded } = await chooseProduct(options, of);
    const known = { ...facts, product: { name: product.name, version: product.version ?? null }, surface };
    const base = { facts: known, tape: opened.tape, product, workroom: options.workroom, clock: options.clock ?? nodeClock, stallMs: options.overrides.stallMs, startMs: options.overrides.startMs, ...(options.isUnlimited ? { isUnlimited: true } : {}) };
    const openWindow = windowOf({ product, surface, loaded, options });
    const run = of.drive === 'activity' ? await startActivity(base, { of, opened, folder: opening.folder, openWindow }) : await startTape(base, { of, opened, startParked: options.startParked ?? false });
    return { state: 'open', run, facts: known, durationMs: opened.tape.durationMs };
  } catch (error) {
    const fault = toFault(error, 'start the replay');
    return { state: 'refused', verdict: refusedVerdict({ facts, issues: [], fault, frameCount: opened.tape.manifest.frameCount }), error: fault, issues: [], facts };
  }
}

type StartBase = Omit<Parameters<typeof ReplayRun.start>[0], 'sharedFolder' | 'startParked'>;

async function startTape(base: StartBase, { of, opened, startParked }: { of: Case; opened: OpenedCassette; startParked: boolean }): Promise<Run> {
  checkNames(of, opened);
  return ReplayRun.start({ ...base, sharedFolder: process.env[sharedFolderVariable] ?? null, ...(startParked ? { startParked: true } : {}) });
}

function windowOf({ product, surface, loaded, options }: { product: Product; surface: Surface; loaded: LoadedConfig; options: OpenOptions }): OpenWindow | null {
  return surface === 'electron' ? windowOpener({ product, configFolder: dirname(loaded.path), workroom: options.workroom, clock: options.clock ?? nodeClock }) : null;
}

async function startActivity(base: StartBase, { of, opened, folder, openWindow }: { of: Case; opened: OpenedCassette; folder: string; openWindow: OpenWindow | null }): Promise<Run> {
  if (!opened.manifest) throw new Fault({ code: 'case_invalid', message: `Cannot replay case "${of.name}": its drive is "activity" and its cassette is a tape alone, a v7 cassette was needed`, at: `${of.name}/case.json` });
  const script = readScript(folder, of.checkpoints);
  const unknown = unknownNames(script, of.checkpoints);
  if (unknown.length > 0) throw unknownCheckpoint(of, unknown);
  const { recordedWith = null } = JSON.parse(readFileSync(join(folder, 'cassette.json'), 'utf8')) as { recordedWith?: RecordedWith };
  return ActivityReplay.start({ ...base, openWindow, folder, cassetteId: opened.manifest.id, script, fileCount: opened.manifest.files.length, recordedWith });
}

export type RecordOpenOptions = OpenOptions & {
  /** Where the cassette goes; `null` is its place in the case. */
  outFolder: string | null;
};

export async function openRecording(options: RecordOpenOptions): Promise<{ run: RecordRun | ActivityRecord; facts: RunFacts; target: string }> {
  const of = readCase(options.caseFolder);
  const name = options.cassetteName ?? (of.cassettes[0] ? cassetteName(of.cassettes[0]) : 'main');
  const target = options.outFolder ? join(options.outFolder, of.name, 'cassettes', name) : join(of.folder, 'cassettes', name);
  if (!options.outFolder && process.env.CI) throw new Fault({ code: 'recording_in_ci', message: `Cannot record case "${of.name}": CI never writes into a cases folder, a folder outside it was needed` });
  if (existsSync(target)) throw new Fault({ code: 'cassette_exists', message: `Cannot record case "${of.name}": cassette "${name}" exists, a free name was needed`, next: [`playhead record ${of.name}`] });
  const { product, surface, loaded } = await chooseProduct(options, of);
  const facts = { ...factsOf(options, of), product: { name: product.name, version: product.version ?? null }, surface };
  const script = of.model === null || of.model === 'live' ? null : join(of.folder, of.model);
  const programs = Object.fromEntries(Object.entries(loaded.config.providers ?? {}).map(([provider, path]) => [provider, resolve(dirname(loaded.path), path)]));
  const base = { facts, product, workroom: options.workroom, clock: options.clock ?? nodeClock, script, programs, target, startMs: options.overrides.startMs };
  const run = of.drive === 'activity' ? await ActivityRecord.start({ ...base, openWindow: windowOf({ product, surface, loaded, options }) }) : await RecordRun.start({ ...base, sharedFolder: process.env[sharedFolderVariable] ?? null });
  return { run, facts, target };
}

type Opening = { of: Case; opened: OpenedCassette; folder: string; facts: RunFacts };

function openCase(options: OpenOptions): Opening | Extract<OpenedRun, { state: 'refused' }> {
  const head = factsOf(options, null);
  try {
    const of = readCase(options.caseFolder);
    checkDates(of);
    const candidate = overriddenFolder(of, options.cassetteName ?? (of.cassettes[0] ? cassetteName(of.cassettes[0]) : 'main'));
    // The first cassette of a case is qualified before case.json names it.
    const cassette = candidate && of.cassettes.length === 0 ? { dir: 'cassettes/main', manifestSha256: '' } : findCassette(of, options.cassetteName);
    const folder = resolve(candidate ?? cassetteFolder(of, cassette));
    const opened = openCassette({ folder, pinned: candidate ? null : cassette.manifestSha256, allow: of.allow, isForPlayback: true });
    return { of, opened, folder, facts: { ...factsOf(options, of), cassette: opened.facts } };
  } catch (error) {
    if (!isFault(error)) throw error;
    return { state: 'refused', verdict: refusedVerdict({ facts: head, issues: [], fault: error, frameCount: 0 }), error, issues: [], facts: head };
  }
}

// A recording that is being qualified stands outside its case.
function overriddenFolder(of: Case, name: string): string | null {
  const folder = process.env.PLAYHEAD_CANDIDATES;
  const path = folder ? join(folder, of.name, 'cassettes', name) : null;
  return path !== null && existsSync(path) ? path : null;
}

async function chooseProduct(options: OpenOptions, of: Case): Promise<{ product: Product; surface: Surface; loaded: LoadedConfig }> {
  const loaded = await loadConfig(of.folder);
  const product = await loadProduct(loaded, options.productName || of.product);
  const windows = product.windows ?? { browser: true };
  if (options.surface === 'electron' && !(windows.electron && product.bridge)) throw new Fault({ code: 'option_invalid', message: `Cannot use surface "electron": product "${product.name}" runs in a browser, "chromium" or "none" was needed` });
  const surface = options.surface === 'auto' ? (windows.browser ? 'chromium' : 'none') : options.surface;
  if (of.drive === 'activity' && surface === 'none') throw new Fault({ code: 'option_invalid', message: `Cannot replay case "${of.name}" without a window: its activity lane is a person's, "chromium" or "electron" was needed` });
  return { product, surface, loaded };
}

function factsOf(options: OpenOptions, of: Case | null): RunFacts {
  const name = basename(options.caseFolder);
  return {
    case: of,
    cassette: { id: '', name: options.cassetteName ?? '', dir: name, manifestSha256: '' },
    product: { name: options.productName || (of?.product ?? ''), version: null },
    drive: (of?.drive ?? 'spec') as Drive,
    surface: options.surface === 'auto' ? 'none' : options.surface,
    timing: options.timing,
    browser: options.browser,
  };
}

function checkNames(of: Case, opened: OpenedCassette): void {
  const unknown = unknownCheckpoints(opened.tape?.observations ?? [], of.checkpoints);
  if (unknown.length > 0) throw unknownCheckpoint(of, unknown);
}

function unknownCheckpoint(of: Case, unknown: readonly string[]): Fault {
  return new Fault({ code: 'target_unknown', message: `Cannot replay case "${of.name}": its cassette has no checkpoint for ${unknown.map((name) => `"${name}"`).join(', ')}, each name in case.json needs one`, at: `${of.name}/case.json` });
}

// An allowance is a loan: it ends on its day (interface.md, case.json).
function checkDates(of: Case): void {
  const today = new Date().toISOString().slice(0, 10);
  const expired = [...of.allow, ...(of.quarantine ? [{ ...of.quarantine, rule: 'quarantine' }] : [])].find((loan) => loan.until < today);
  if (expired) throw new Fault({ code: 'allowance_expired', message: `Cannot replay case "${of.name}": "${expired.rule}" was allowed until ${expired.until} (${expired.reason}), a later date or its removal was needed`, at: `${of.name}/case.json` });
}

/** The error of a cassette that was refused before anything started. */
export function refusedCassetteError(refused: Extract<OpenedRun, { state: 'refused' }>): Error {
  const { divergence } = refused.verdict;
  return divergence ? new DivergenceError(divergence, { caseName: refused.facts.case?.name ?? null }) : new Error('Cannot replay: the cassette was refused');
}
