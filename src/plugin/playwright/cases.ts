/** `defineCases` and `defineCase`: one test per case and cassette (interface.md, Playwright). */

import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cassetteName, type Case } from '../../core/case/case.ts';
import { Fault, isFault } from '../../core/fault.ts';
import { findCases, readCase } from '../../runner/case-files.ts';
import { playScenario } from '../../runner/scenario.ts';
import { callAt, callSite, type CallSite } from './call-site.ts';
import { expect } from './matchers.ts';
import { test, sessionKey } from './fixtures.ts';
import type { Replay } from './options.ts';
import type { Session } from './session.ts';

export type CaseBody = Parameters<typeof test>[2];

/**
 * Registers a test for each case below `source`, which is relative to the calling spec file. Cases with `drive: "spec"` are
 * left to the `*.spec.ts` in their folders. Sets parallel mode and no retries for the file.
 */
export function defineCases(source: string | { git: string; ref: string }): void {
  if (typeof source !== 'string')
    throw new Fault({ code: 'usage', message: 'Cannot read cases from git: fetching is not built yet, a folder relative to the spec file was needed' });
  const site = callSite();
  test.describe.configure({ mode: 'parallel', retries: 0 });
  const root = process.env.PLAYHEAD_CASES ? resolve(process.env.PLAYHEAD_CASES) : resolve(dirname(site.file), source);
  // Without a window no browser is started; options of a project cannot be seen while tests are collected.
  const hasWindow = process.env.PLAYHEAD_SURFACE !== 'none';
  for (const folder of findCases(root)) {
    const of = readOrFail(folder, site);
    if (of && of.drive !== 'spec') registerCassettes(of, site, hasWindow ? async ({ page, replay }) => driveScenario(of, { page, replay }) : async ({ replay }) => driveScenario(of, { page: null, replay }));
  }
}

/**
 * Gives a hand-written spec its own case: `const test = defineCase(import.meta.url)` uses the first cassette for the tests of
 * the file; with a body, one test per cassette is registered.
 */
export function defineCase(url: string, body?: CaseBody): typeof test {
  const folder = dirname(url.startsWith('file:') ? fileURLToPath(url) : url);
  test.describe.configure({ mode: 'parallel', retries: 0 });
  if (!body) {
    test.use({ replayCase: folder });
    return test;
  }
  const site = callSite();
  const of = readOrFail(folder, site);
  if (of) registerCassettes(of, site, body);
  return test;
}

function registerCassettes(of: Case, site: CallSite, body: CaseBody): void {
  const names = of.cassettes.length > 0 ? of.cassettes.map(cassetteName) : ['main'];
  for (const name of names) {
    callAt(site, describe, () => {
      test.use({ replayCase: `${of.folder}#${name}` });
      const title = names.length === 1 ? of.name : `${of.name} › ${name}`;
      const tag = of.tags.map((text) => (text.startsWith('@') ? text : `@${text}`));
      const quarantine = of.quarantine ? [{ type: 'quarantine', description: `${of.quarantine.reason}, until ${of.quarantine.until}` }] : [];
      callAt(site, register, title, { tag, annotation: [{ type: 'case', description: of.title }, ...quarantine] }, body);
    });
  }
}

async function driveScenario(of: Case, fixtures: { page: Parameters<typeof playScenario>[0]['page']; replay: Replay }): Promise<void> {
  const { run } = (fixtures.replay as unknown as { [sessionKey]: Session })[sessionKey];
  // The person's lane is on the cassette: a replay of it executes nothing of the repository (design ruling 19).
  if (run && (of.drive !== 'activity' || run.mode === 'record')) await playScenario({ of, run, page: fixtures.page, expect });
  await expect(fixtures.replay).toReplayCleanly();
}

// A broken case is one red test and not an error of the whole collection.
function readOrFail(folder: string, site: CallSite): Case | null {
  try {
    return readCase(folder);
  } catch (error) {
    if (!isFault(error)) throw error;
    test.describe(() => {
      test.use({ replayCase: folder });
      callAt(site, register, folder.split('/').at(-1) ?? folder, {}, () => {});
    });
    return null;
  }
}

const describe = test.describe as (body: () => void) => void;
const register = test as (title: string, details: object, body: CaseBody) => void;
