/** `inspect.ts` beside a case: opens what a picture is to show. It may click disclosure buttons; a command it causes is a divergence. */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Page } from '@playwright/test';
import type { RunCheckpoint } from '../../core/case/checkpoints.ts';
import { Fault } from '../../core/fault.ts';

export type InspectContext = { page: Page; checkpoint: RunCheckpoint };
export type Inspect = (context: InspectContext) => Promise<void> | void;

/** The hook of a case, or `null` where it has none. */
export async function loadInspect(caseFolder: string): Promise<Inspect | null> {
  const path = ['ts', 'mts', 'js', 'mjs'].map((end) => join(caseFolder, `inspect.${end}`)).find((candidate) => existsSync(candidate));
  if (!path) return null;
  const { default: inspect } = (await import(pathToFileURL(path).href)) as { default?: unknown };
  if (typeof inspect !== 'function') throw new Fault({ code: 'scenario_invalid', message: `Cannot use "${path.split('/').slice(-2).join('/')}": its default export is no function, async ({ page, checkpoint }) => {…} was needed` });
  return inspect as Inspect;
}
