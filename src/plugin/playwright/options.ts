/** Types of the fixtures and their options (interface.md, Playwright). */

import type { Page } from '@playwright/test';
import type { RunCheckpoint, Target } from '../../core/case/checkpoints.ts';
import type { Json } from '../../core/json/exact.ts';
import type { Timing, Verdict } from '../../core/verdict/verdict.ts';
import type { SurfaceOption } from '../../runner/options.ts';
import type { Reached, ToolCall } from '../../runner/run.ts';
import type { Session } from './session.ts';

export type ReplayOptions = {
  /** The case folder, or `<folder>#<cassette>`; set by `defineCase` and `defineCases`. */
  replayCase: string | undefined;
  /** Default `instant`: the recorded order without the waits. */
  replayTiming: Timing;
  /** Before `case.json`; default `checkpoints`: one picture at each place the spec stops at, at least the last one. */
  replayScreenshots: 'checkpoints' | 'failure' | 'off' | undefined;
  /** Default `free`; `parked` delivers nothing before the first `playTo`. */
  replayStart: 'free' | 'parked';
};

export type ReplayWorkerOptions = {
  /** Product of the configuration to use in place of the case's own. */
  replayProduct: string | undefined;
  /** Default `auto`: `none` for a product without a window, else `chromium`. */
  replaySurface: SurfaceOption;
  /** Default `replay`; `record` runs the real provider and seals a new cassette. */
  replayMode: 'replay' | 'record';
};

export type Shim = {
  /** Environment for a backend that the spec starts itself. */
  env: { [name: string]: string };
  /** The stand-in's path, for SDKs that bundle their binary. */
  path: (provider: string) => string;
};

export type Replay = {
  readonly case: string;
  readonly cassette: string;
  readonly page: Page;
  /** The project folder of this test. */
  readonly cwd: string;
  readonly checkpoints: readonly RunCheckpoint[];
  playTo: (target: Target) => Promise<Reached>;
  nextCheckpoint: () => Promise<Reached>;
  pause: () => void;
  resume: () => void;
  setSpeed: (speed: number) => void;
  /** Every message the product has sent to a provider, in order. */
  sent: () => Json[];
  toolCalls: () => ToolCall[];
  /** The product's state as it stands, where the product gives one. */
  captureState: () => Promise<Json>;
  /** Plays to the end; never throws on a divergence. */
  finish: () => Promise<Verdict>;
  /** The only way to leave a tape unfinished; the reason shows in the report. */
  abandon: (reason: string) => void;
};

export type ReplayFixtures = { replay: Replay; shim: Shim; playheadSession: Session };
