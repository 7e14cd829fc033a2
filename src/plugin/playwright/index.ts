/** `playhead/playwright`: `test` and `expect` of Playwright with the replay fixtures and matchers. */

export { test } from './fixtures.ts';
export { expect } from './matchers.ts';
export { defineCase, defineCases } from './cases.ts';
export type { Replay, ReplayOptions, ReplayWorkerOptions, Shim } from './options.ts';
export type { Scenario, ScenarioContext } from '../../runner/scenario.ts';
export type { Verdict } from '../../core/verdict/verdict.ts';
