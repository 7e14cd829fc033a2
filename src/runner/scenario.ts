/** A scenario: the module that drives a product, in record and in replay alike (replay-runtime 4.8, without the window's part). */

import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Case } from '../core/case/case.ts';
import type { Target } from '../core/case/checkpoints.ts';
import type { Json } from '../core/json/exact.ts';
import { Fault } from '../core/fault.ts';
import { armable } from './armable.ts';
import type { Reached, Run, ToolCall } from './run.ts';

/** `Window` and `Expect` are Playwright's, and absent (`null`) on surface `none`. */
export type ScenarioContext<Window = unknown, Expect = unknown> = {
  /** Address of the product. */
  url: string | null;
  cwd: string;
  page: Window;
  expect: Expect;
  playTo: (target: Target) => Promise<Reached>;
  sent: () => Json[];
  toolCalls: () => ToolCall[];
  /** Holds of the scripted model, in record mode: `holding` resolves when a reply waits there, `release` lets it go on. */
  model: ModelHolds;
};

export type ModelHolds = { holding: (hold: string) => Promise<void>; release: (hold: string) => void };

export type Scenario<Window = unknown, Expect = unknown> = {
  id: string;
  prepare?: (context: ScenarioContext<Window, Expect>) => Promise<void> | void;
  drive: (context: ScenarioContext<Window, Expect>) => Promise<void> | void;
  assert?: (context: ScenarioContext<Window, Expect>) => Promise<void> | void;
};

export async function playScenario(options: { of: Case; run: Run; page: unknown; expect: unknown }): Promise<void> {
  const { of, run, page, expect } = options;
  const scenario = await loadScenario(of);
  const context: ScenarioContext = { url: run.url, cwd: run.cwd, page, expect, playTo: (target) => armable((isArmed) => run.playTo(target, isArmed)), sent: () => run.sent(), toolCalls: () => run.toolCalls(), model: run.model ?? noHolds };
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

const noHolds: ModelHolds = { holding: async () => {}, release: () => {} };
