/** `playhead/playwright`: `test` and `expect` of Playwright with the replay fixtures and matchers. */

import type { Page } from '@playwright/test';
import type * as scenario from '../../runner/scenario.ts';
import type { expect as expectReplay } from './matchers.ts';

export { test } from './fixtures.ts';
export { expect } from './matchers.ts';
export { defineCase, defineCases } from './cases.ts';
export type { Inspect, InspectContext } from './inspect-hook.ts';
export type { Replay, ReplayOptions, ReplayWorkerOptions, Shim } from './options.ts';
export type { Verdict } from '../../core/verdict/verdict.ts';

/** Default export of a `scenario.ts`; on surface `none` there is no page. */
export type Scenario = scenario.Scenario<Page, typeof expectReplay>;
export type ScenarioContext = scenario.ScenarioContext<Page, typeof expectReplay>;
