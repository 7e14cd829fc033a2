/** What a replaying daemon needs of the tape, which its composition hands in: this room imports core alone. */

import type { Json } from '../../core/json/exact.ts';
import type { InputUnit, ProcessTransport, UnitPosition } from '../../core/ports.ts';
import type { Divergence, DivergenceRegister } from '../../core/verdict/divergence.ts';
import type { Timing } from '../../core/verdict/verdict.ts';

/** The players of one cassette. */
export type ReplayCassette = {
  register: DivergenceRegister;
  playback: {
    readonly elapsedMs: number;
    /** Whether a lane waits for its recorded time. */
    readonly isWaiting: boolean;
    pause: () => void;
    resume: () => void;
    setSpeed: (speed: number) => void;
    setTiming: (timing: Timing) => void;
  };
  readonly players: readonly { counts: { matched: number; absorbed: number; delivered: number }; sent: readonly Json[] }[];
  readonly launches: { expected: number; arrived: number; refused: number };
  readonly isDrained: boolean;
  findMissing: (isHeld?: (connectionId: string) => boolean) => Divergence | null;
  leave: () => void;
  close: () => void;
};

/** What holds the provider lanes. */
export type ReplayGates = {
  readonly handled: UnitPosition[];
  hasHandled: (position: UnitPosition) => boolean;
  isHeld: (connectionId: string) => boolean;
  clear: () => void;
  lift: (id: string) => void;
};

export type LaneGateFacts = { id: string; lanes: readonly UnitPosition[] };

export type ReplayTape = {
  transport: ProcessTransport;
  cassette: ReplayCassette;
  gates: ReplayGates;
  /** Holds every connection; one that is beyond its target is a divergence, and a fault. */
  hold: (targets: readonly UnitPosition[]) => void;
};

/** Called by the tape: before a unit counts as handled, and whenever anything moved. */
export type TapeHooks = { onUnit: (unit: InputUnit) => void; onProgress: () => void };
export type CreateTape = (gates: readonly LaneGateFacts[], hooks: TapeHooks) => ReplayTape;
