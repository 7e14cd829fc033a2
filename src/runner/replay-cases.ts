/** `playhead replay`: cases and cassettes outside a test runner; those with a window go through their repository's Playwright. */

import { existsSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { cassetteName, type Case } from '../core/case/case.ts';
import { Fault } from '../core/fault.ts';
import { limits } from '../core/limits.ts';
import type { Timing, Verdict } from '../core/verdict/verdict.ts';
import { nodeClock } from '../tape/node-clock.ts';
import { findCases, readCase, shortPath } from './case-files.ts';
import { openReplay } from './main.ts';
import type { Overrides, SurfaceOption } from './options.ts';
import type { Run } from './run.ts';
import { runPlaywright } from './playwright-run.ts';
import { playScenario } from './scenario.ts';
import type { Workroom } from './workroom.ts';

export type ReplayCasesOptions = { paths: string[]; timing: Timing; surface: SurfaceOption; isHeaded: boolean; workroom: Workroom; overrides: Overrides };
export type Selection = { folder: string; cassette: string | null };

export async function replayCases(options: ReplayCasesOptions): Promise<Verdict[]> {
  const selections = options.paths.flatMap(selectCases);
  const verdicts: Verdict[] = [];
  const withWindow: Selection[] = [];
  for (const selection of selections) {
    const of = readOrNull(selection.folder);
    if (of && of.drive === 'scenario' && options.surface === 'none') verdicts.push(...(await replayHeadless(of, selection, options)));
    else withWindow.push(selection);
  }
  if (withWindow.length === 0) return verdicts;
  const env = { PLAYHEAD_TIMING: String(options.timing), PLAYHEAD_SURFACE: options.surface };
  const run = await runPlaywright({ caseFolders: [...new Set(withWindow.map((selection) => selection.folder))], workroom: options.workroom, env, args: options.isHeaded ? ['--headed', '--workers=1'] : [], isContained: false });
  const wanted = run.verdicts.filter((verdict) => withWindow.some((selection) => basename(selection.folder) === verdict.case?.name && (selection.cassette === null || selection.cassette === verdict.cassette.name)) || verdict.case === null);
  if (wanted.length === 0) throw new Fault({ code: 'spec_failed', message: `Cannot replay ${options.paths.join(', ')}: no test of that name ran, one was needed` });
  // A spec may fail by itself next to a clean tape.
  if (run.exitCode !== 0 && wanted.every((verdict) => verdict.result === 'passed')) throw new Fault({ code: 'spec_failed', message: `Cannot call ${options.paths.join(', ')} clean: the tape was, the spec failed by itself` });
  return [...verdicts, ...wanted];
}

/** A case folder, a folder of cases, or one cassette inside a case. */
export function selectCases(path: string): Selection[] {
  const folder = resolve(path);
  if (!existsSync(folder)) throw notFound(path);
  const cases = findCases(folder);
  if (cases.length > 0) return cases.map((found) => ({ folder: found, cassette: null }));
  const above = dirname(dirname(folder));
  if (existsSync(join(above, 'case.json'))) return [{ folder: above, cassette: basename(folder) }];
  throw notFound(path);
}

async function replayHeadless(of: Case, selection: Selection, options: ReplayCasesOptions): Promise<Verdict[]> {
  const names = selection.cassette ? [selection.cassette] : of.cassettes.map(cassetteName);
  const verdicts: Verdict[] = [];
  for (const name of names) verdicts.push(await replayOne(of, name, options));
  return verdicts;
}

async function replayOne(of: Case, name: string, options: ReplayCasesOptions): Promise<Verdict> {
  const opened = await openReplay({ caseFolder: of.folder, cassetteName: name, productName: null, surface: 'none', timing: options.timing, browser: null, workroom: options.workroom, overrides: options.overrides, clock: nodeClock });
  if (opened.state === 'refused') return opened.verdict;
  const { run } = opened;
  let failure: unknown = null;
  try {
    await withinLimit(playScenario({ of, run, page: null, expect: null }), { run, limitMs: of.timeoutMs ?? opened.durationMs + limits.replaySlackMs });
  } catch (error) {
    failure = error;
  }
  await run.settle(failure ? 'judge' : 'play');
  const verdict = await run.end();
  if (failure && !verdict.divergence && !verdict.fault) {
    const message = failure instanceof Error ? failure.message : String(failure);
    return { ...verdict, result: 'failed', fault: { code: 'scenario_failed', message: `Cannot finish scenario of "${of.name}": ${message}`, next: [`playhead replay ${shortPath(of.folder)}`] } };
  }
  return verdict;
}

// No test runner stands around a scenario here: a divergence ends it, and a time that nothing of it needs.
async function withinLimit(scenario: Promise<void>, { run, limitMs }: { run: Run; limitMs: number }): Promise<void> {
  let cancel = () => {};
  const ended = new Promise<never>((_, reject) => {
    run.onDivergence((divergence) => reject(new Error(divergence.message)));
    cancel = nodeClock.after(limitMs, () => reject(new Error(`it did not end within ${limitMs} ms`)));
  });
  try {
    await Promise.race([scenario, ended]);
  } finally {
    cancel();
  }
}

function readOrNull(folder: string): Case | null {
  try {
    return readCase(folder);
  } catch {
    return null; // The run itself reports what is wrong, in its verdict.
  }
}

function notFound(path: string): Fault {
  return new Fault({ code: 'case_not_found', message: `Cannot replay "${path}": it is no case, no folder of cases and no cassette of a case, one was needed` });
}
