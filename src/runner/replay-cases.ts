/** `playhead replay`: cases and cassettes outside a test runner; those with a window go through their repository's Playwright. */

import type { Case } from '../core/case/case.ts';
import { Fault } from '../core/fault.ts';
import { limits } from '../core/limits.ts';
import type { Timing, Verdict } from '../core/verdict/verdict.ts';
import { nodeClock } from '../tape/node-clock.ts';
import { shortPath } from './case-files.ts';
import { openReplay } from './main.ts';
import type { Overrides, SurfaceOption } from './options.ts';
import type { Run } from './run.ts';
import { groupByConfig, isVerdictOf, playwrightCommand, runPlaywright, type PlaywrightGroup } from './playwright-run.ts';
import { playScenario } from './scenario.ts';
import { nameOf, selectCassettes, type Selection } from './selection.ts';
import type { Workroom } from './workroom.ts';

export type ReplayCasesOptions = { paths: string[]; timing: Timing; surface: SurfaceOption; isHeaded: boolean; workroom: Workroom; overrides: Overrides };
/** The fault stands beside the verdicts: a selection that never ran has none. */
export type ReplayedCases = { verdicts: Verdict[]; fault: Fault | null };

type ReplayedGroup = { group: PlaywrightGroup; verdicts: Verdict[]; missing: Selection[]; exitCode: number };

export async function replayCases(options: ReplayCasesOptions): Promise<ReplayedCases> {
  const headless: { of: Case; cassette: string | null }[] = [];
  const withWindow: Selection[] = [];
  for (const selection of selectCassettes(options.paths)) {
    const { of, cassette } = selection;
    if (of && of.drive === 'scenario' && options.surface === 'none') headless.push({ of, cassette });
    else withWindow.push(selection);
  }
  const groups = groupByConfig(withWindow);
  const verdicts: Verdict[] = [];
  for (const { of, cassette } of headless) verdicts.push(await replayOne(of, cassette, options));
  const replayed: ReplayedGroup[] = [];
  for (const group of groups) replayed.push(await replayGroup(group, options));
  return { verdicts: [...verdicts, ...replayed.flatMap((one) => one.verdicts)], fault: neverRan(replayed) ?? failedAlone(replayed) };
}

async function replayGroup(group: PlaywrightGroup, options: ReplayCasesOptions): Promise<ReplayedGroup> {
  const env = { PLAYHEAD_MODE: 'replay', PLAYHEAD_TIMING: String(options.timing), PLAYHEAD_SURFACE: options.surface };
  const run = await runPlaywright({ group, workroom: options.workroom, env, args: options.isHeaded ? ['--headed', '--workers=1'] : [], isContained: false });
  const verdicts = run.verdicts.filter((verdict) => group.selections.some((selection) => isVerdictOf(verdict, selection, group)));
  const missing = group.selections.filter((selection) => !verdicts.some((verdict) => isVerdictOf(verdict, selection, group)));
  return { group, verdicts, missing, exitCode: run.exitCode };
}

// What never ran must not hide behind the others' green.
function neverRan(replayed: readonly ReplayedGroup[]): Fault | null {
  const lacking = replayed.filter(({ missing }) => missing.length > 0);
  if (lacking.length === 0) return null;
  const names = lacking.flatMap(({ missing }) => missing.map(nameOf));
  return new Fault({
    code: 'spec_failed',
    message: `Cannot replay ${names.join(', ')}: no test of ${names.length === 1 ? 'that name' : 'these names'} gave a verdict, one was needed for each`,
    facts: { missing: names },
    next: lacking.map(({ group }) => playwrightCommand(group.config, '--list')),
  });
}

// A spec may fail by itself next to a clean tape.
function failedAlone(replayed: readonly ReplayedGroup[]): Fault | null {
  const alone = replayed.find(({ exitCode, verdicts }) => exitCode !== 0 && verdicts.every((verdict) => verdict.result === 'passed'));
  if (!alone) return null;
  const { group } = alone;
  const names = group.selections.map(nameOf);
  return new Fault({ code: 'spec_failed', message: `Cannot call ${names.join(', ')} clean: the tape was, the spec failed by itself`, next: [playwrightCommand(group.config, names.length === 1 ? `-g "${names[0]}"` : '').trim()] });
}

async function replayOne(of: Case, name: string | null, options: ReplayCasesOptions): Promise<Verdict> {
  const opened = await openReplay({ caseFolder: of.folder, cassetteName: name, productName: null, surface: 'none', timing: options.timing, browser: null, workroom: options.workroom, overrides: options.overrides, clock: nodeClock });
  if (opened.state === 'refused') return opened.verdict;
  const { run } = opened;
  let failure: unknown = null;
  try {
    await withinLimit(playScenario({ of, run, page: null, expect: null }), { run, limitMs: of.timeoutMs ?? opened.durationMs / speedOf(options.timing) + limits.replaySlackMs });
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

function speedOf(timing: Timing): number {
  return timing === 'instant' ? Infinity : timing === 'recorded' ? 1 : timing;
}
