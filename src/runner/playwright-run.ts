/** Runs cases through the Playwright that their repository has, and collects the verdicts. */

import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { Fault } from '../core/fault.ts';
import type { Verdict } from '../core/verdict/verdict.ts';
import { runChild } from './child.ts';
import { contain } from './contain.ts';
import { shortPath } from './case-files.ts';
import type { Workroom } from './workroom.ts';

export type PlaywrightRun = { exitCode: number; verdicts: Verdict[]; note: string };

export async function runPlaywright(options: {
  caseFolders: string[];
  workroom: Workroom;
  env: { [name: string]: string };
  args: string[];
  /** A loopback-only network, for recording. */
  isContained: boolean;
}): Promise<PlaywrightRun> {
  const config = findPlaywrightConfig(options.caseFolders[0] ?? process.cwd());
  const cli = playwrightCli(config);
  const verdicts = join(options.workroom.makeFolder('verdicts'));
  const results = options.workroom.makeFolder('results');
  mkdirSync(verdicts, { recursive: true });
  const command = [process.execPath, cli, 'test', '--config', config, '--reporter=line', '--output', results, '--grep', titlesOf(options.caseFolders), ...options.args];
  const wrapped = options.isContained ? contain(command) : { command, note: '' };
  const exitCode = await runChild({ command: wrapped.command, env: { ...process.env, ...options.env, PLAYHEAD_VERDICTS: verdicts }, cwd: dirname(config), workroom: options.workroom, output: 'stderr' });
  const read = readdirSync(verdicts).sort().map((name) => JSON.parse(readFileSync(join(verdicts, name), 'utf8')) as Verdict);
  return { exitCode, verdicts: read, note: wrapped.note };
}

// Titles are `<case>` or `<case> › <cassette>`; Playwright matches against the whole line with tags behind.
function titlesOf(caseFolders: string[]): string {
  const names = caseFolders.map((folder) => (resolve(folder).split('/').at(-1) ?? '').replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return `(^| )(${names.join('|')})( ›.*)?( @.*)?$`;
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
