/** A scenario: the module that drives a product, in record and in replay alike (replay-runtime 4.8, without the window's part). */

import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Case } from '../core/case/case.ts';
import type { Target } from '../core/case/checkpoints.ts';
import type { Json } from '../core/json/exact.ts';
import { Fault } from '../core/fault.ts';
import type { Reached, Run, ToolCall } from './run.ts';

export type ScenarioContext = {
  /** Address of the product. */
  url: string | null;
  cwd: string;
  /** Playwright's page, where there is a window. */
  page: unknown;
  /** Playwright's `expect`, where there is a window. */
  expect: unknown;
  playTo: (target: Target) => Promise<Reached>;
  sent: () => Json[];
  toolCalls: () => ToolCall[];
};

export type Scenario = {
  id: string;
  prepare?: (context: ScenarioContext) => Promise<void> | void;
  drive: (context: ScenarioContext) => Promise<void> | void;
  assert?: (context: ScenarioContext) => Promise<void> | void;
};

export async function playScenario(options: { of: Case; run: Run; page: unknown; expect: unknown }): Promise<void> {
  const { of, run, page, expect } = options;
  const scenario = await loadScenario(of);
  const context: ScenarioContext = { url: run.url, cwd: run.cwd, page, expect, playTo: (target) => run.playTo(target), sent: () => run.sent(), toolCalls: () => run.toolCalls() };
  await scenario.prepare?.(context);
  await scenario.drive(context);
  await scenario.assert?.(context);
}

async function loadScenario(of: Case): Promise<Scenario> {
  const path = join(of.folder, of.scenario ?? 'scenario.ts');
  const module = (await import(pathToFileURL(path).href)) as { default?: Partial<Scenario> };
  const scenario = module.default;
  if (typeof scenario?.id !== 'string' || typeof scenario.drive !== 'function')
    throw new Fault({ code: 'scenario_invalid', message: `Cannot run scenario of "${of.name}": its default export lacks ${typeof scenario?.id !== 'string' ? 'id' : 'drive'}, { id, drive } was needed`, at: `${of.name}/${of.scenario}` });
  return scenario as Scenario;
}
