/** Runs cases through the Playwright that their repository has, and collects the verdicts. */

import { existsSync, mkdirSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { Fault } from '../core/fault.ts';
import type { Verdict } from '../core/verdict/verdict.ts';
import { runChild } from './child.ts';
import { contain } from './contain.ts';
import { shortPath } from './case-files.ts';
import { titleOf, type Selection } from './selection.ts';
import type { Workroom } from './workroom.ts';

export type PlaywrightRun = { exitCode: number; verdicts: Verdict[]; note: string };
/** Selections with one nearest configuration: one run of Playwright. */
export type PlaywrightGroup = { config: string; selections: Selection[] };

export function groupByConfig(selections: readonly Selection[]): PlaywrightGroup[] {
  const groups = new Map<string, Selection[]>();
  for (const selection of selections) {
    const config = findPlaywrightConfig(selection.folder);
    groups.set(config, [...(groups.get(config) ?? []), selection]);
  }
  return [...groups].map(([config, grouped]) => ({ config, selections: grouped }));
}

export async function runPlaywright(options: {
  group: PlaywrightGroup;
  workroom: Workroom;
  env: { [name: string]: string };
  args: string[];
  /** A loopback-only network, for recording. */
  isContained: boolean;
}): Promise<PlaywrightRun> {
  const { config, selections } = options.group;
  const cli = playwrightCli(config);
  const verdicts = join(options.workroom.makeFolder('verdicts'));
  const results = options.workroom.makeFolder('results');
  mkdirSync(verdicts, { recursive: true });
  const command = [process.execPath, cli, 'test', '--config', config, '--reporter=line', '--output', results, '--grep', grepOf(selections), ...options.args];
  const wrapped = options.isContained ? contain(command) : { command, note: '' };
  const exitCode = await runChild({ command: wrapped.command, env: { ...process.env, ...casesFolder(), ...options.env, PLAYHEAD_VERDICTS: verdicts }, cwd: dirname(config), workroom: options.workroom, output: 'stderr' });
  const read = readdirSync(verdicts).sort().map((name) => JSON.parse(readFileSync(join(verdicts, name), 'utf8')) as Verdict);
  return { exitCode, verdicts: read, note: wrapped.note };
}

/** Whether a verdict of the group's run judges that selection. */
export function isVerdictOf(verdict: Verdict, selection: Selection, group: PlaywrightGroup): boolean {
  const { folder, cassette } = selection;
  // A case that could not be read leaves its folder's name alone.
  if (verdict.case === null) return verdict.cassette.dir === basename(folder);
  if (verdict.case.name !== basename(folder) || (cassette !== null && verdict.cassette.name !== cassette)) return false;
  // Paths are relative to where the run was; of a case outside of it the last part alone is known.
  return verdict.case.path === basename(folder) || realpathSync(folder) === resolve(realpathSync(dirname(group.config)), verdict.case.path);
}

/** The command by which a person runs the same Playwright. */
export function playwrightCommand(config: string, words: string): string {
  return `npx playwright test${dirname(config) === process.cwd() ? '' : ` --config ${relative(process.cwd(), config)}`} ${words}`;
}

// Titles are `<case>` or `<case> › <cassette>`; Playwright matches against the whole line with tags behind.
function grepOf(selections: readonly Selection[]): string {
  return `(^| )(${[...new Set(selections.map(titleOf))].join('|')})( @.*)?$`;
}

// The run has another working folder than the command line.
function casesFolder(): { [name: string]: string } {
  return process.env.PLAYHEAD_CASES ? { PLAYHEAD_CASES: resolve(process.env.PLAYHEAD_CASES) } : {};
}

function findPlaywrightConfig(from: string): string {
  for (let folder = resolve(from); ; folder = dirname(folder)) {
    const path = ['ts', 'mts', 'js', 'mjs'].map((end) => join(folder, `playwright.config.${end}`)).find((candidate) => existsSync(candidate));
    if (path) return path;
    if (folder === dirname(folder)) throw new Fault({ code: 'config_invalid', message: `Cannot find playwright.config.ts: there is none at or above "${shortPath(from)}", one was needed for a case with a window` });
  }
}

function playwrightCli(config: string): string {
  try {
    return createRequire(config).resolve('@playwright/test/cli');
  } catch {
    throw new Fault({ code: 'no_browser', message: 'Cannot run a case with a window: @playwright/test is not installed, 1.50 or newer was needed', next: ['npm i -D @playwright/test'] });
  }
}
