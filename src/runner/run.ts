/** One run of a case, replayed or recorded: what specs, scenarios and the command line hold in their hands. */

import type { Case } from '../core/case/case.ts';
import type { WindowBoot } from '../core/agent/wire.ts';
import type { RunCheckpoint, Target } from '../core/case/checkpoints.ts';
import type { SurfaceDriver } from '../core/control/surface.ts';
import type { Json } from '../core/json/exact.ts';
import type { Divergence } from '../core/verdict/divergence.ts';
import type { OpenWindow } from './window/open.ts';
import type { Drive, Surface, Timing, Verdict } from '../core/verdict/verdict.ts';

export type Reached = { kind: string; passed: boolean };
export type ToolCall = { name: string; status: string | null; facts: Json };
/** Takes the picture of a checkpoint; gives the attachment's name. */
export type Shoot = (checkpoint: RunCheckpoint) => Promise<string | null>;

/** What a run needs of its window: the product's own page needs nothing, one with a bridge its boot and a driver. */
export type WindowSide = {
  /** For `globalThis.desktopBoot`, before the page opens. */
  boot: WindowBoot;
  /** Opens the window on Electron; absent on Chromium, where it is the test runner's own page. */
  open?: OpenWindow;
  attach: (surface: SurfaceDriver) => Promise<void>;
  /** It could not be opened or did not become ready: the run is faulted by that. */
  fail: (error: unknown) => void;
};

export type RunFacts = {
  case: Case | null;
  cassette: { id: string; name: string; dir: string; manifestSha256: string };
  product: { name: string; version: string | null };
  drive: Drive;
  surface: Surface;
  timing: Timing;
  browser: string | null;
};

export interface Run {
  readonly mode: 'replay' | 'record';
  readonly cwd: string;
  /** Address of the product's page; `null` where the product runs elsewhere or has none. */
  readonly url: string | null;
  readonly env: { [name: string]: string };
  readonly checkpoints: readonly RunCheckpoint[];
  readonly divergence: Divergence | null;
  programFor(provider: string): string;
  /** Stops at the target where it was armed before the stimulus, or where the tape was held already. */
  playTo(target: Target, isArmed: Promise<boolean>): Promise<Reached>;
  nextCheckpoint(isArmed: Promise<boolean>): Promise<Reached>;
  pause(): void;
  resume(): void;
  setSpeed(speed: number): void;
  /** Everything the product has sent, in order. */
  sent(): Json[];
  toolCalls(): ToolCall[];
  approvals(): Json[];
  /** Resolves at the next thing that happens, or when the signal aborts. */
  changed(signal: AbortSignal): Promise<void>;
  onDivergence(listener: (divergence: Divergence) => void): void;
  setShoot(shoot: Shoot): void;
  /** The product's state as it stands; absent where the product gives none. */
  captureState?(): Promise<Json>;
  /** Of a run that records with a scripted model. */
  readonly model?: { holding: (hold: string) => Promise<void>; release: (hold: string) => void };
  /** Absent where the product has no bridge, or only the provider is replaced. */
  readonly window?: WindowSide;
  /** Plays to the end, or judges only; the product goes on. */
  settle(how: 'play' | 'judge'): Promise<void>;
  /** Takes note of what a product that judges by itself has found until now; absent where nothing is found elsewhere. */
  catchUp?(): Promise<void>;
  /** What a run that was cut short waited for; null or absent where nobody knows. */
  readonly awaited?: string | null;
  /** The window is there: what took so long until now was no stall. */
  ready(): void;
  /** From here on nothing counts as missing. */
  leave(): void;
  /** The verdict as things stand. */
  verdict(): Verdict;
  /** Stops the product, hears what came late, removes everything. */
  end(): Promise<Verdict>;
}
