/** One run of a case, replayed or recorded: what specs, scenarios and the command line hold in their hands. */

import type { Case } from '../core/case/case.ts';
import type { Target, TapeCheckpoint } from '../core/case/checkpoints.ts';
import type { Json } from '../core/json/exact.ts';
import type { Divergence } from '../core/verdict/divergence.ts';
import type { Drive, Surface, Timing, Verdict } from '../core/verdict/verdict.ts';

export type Reached = { kind: string; passed: boolean };
export type ToolCall = { name: string; status: string | null; facts: Json };
/** Takes the picture of a checkpoint; gives the attachment's name. */
export type Shoot = (checkpoint: { id: string; name: string }) => Promise<string | null>;

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
  readonly checkpoints: readonly TapeCheckpoint[];
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
  /** Plays to the end, or judges only; the product goes on. */
  settle(how: 'play' | 'judge'): Promise<void>;
  /** The window is there: what took so long until now was no stall. */
  ready(): void;
  /** From here on nothing counts as missing. */
  leave(): void;
  /** The verdict as things stand. */
  verdict(): Verdict;
  /** Stops the product, hears what came late, removes everything. */
  end(): Promise<Verdict>;
}
