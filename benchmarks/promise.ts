/** What a benchmark promises and what it measured, as printed by `npm run -s bench -- --json`. */

export type Promised = {
  name: string;
  unit: string;
  ours: number;
  /** The same work without us, measured in the same run; `null` where nothing compares. */
  floor: number | null;
  ratio: number | null;
  wanted: { atLeast: number } | { atMost: number } | null;
  holds: boolean;
  note: string;
};

export type Benchmark = {
  /** Names of the promises that one measurement answers. */
  names: readonly string[];
  measure: (names: readonly string[], say: (text: string) => void) => Promise<Promised[]>;
};

/** `of: 'ratio'` judges ours against the floor, `'ours'` the figure itself. */
export function judge(measured: { name: string; unit: string; ours: number; floor: number | null; wanted: Promised['wanted']; of: 'ratio' | 'ours'; note: string }): Promised {
  const { name, unit, floor, wanted, of, note } = measured;
  const ratio = floor === null ? null : round(measured.ours / floor);
  const value = of === 'ratio' ? ratio : measured.ours;
  const holds = wanted === null || (value !== null && ('atLeast' in wanted ? value >= wanted.atLeast : value <= wanted.atMost));
  return { name, unit, ours: round(measured.ours), floor: floor === null ? null : round(floor), ratio, wanted, holds, note };
}

/** Alternates ours and floor, so that a busy machine hits both; gives the median of each. */
export async function interleave(options: { rounds: number; ours: () => Promise<number>; floor: () => Promise<number> }): Promise<{ ours: number; floor: number }> {
  const taken = { ours: [] as number[], floor: [] as number[] };
  for (let round = 0; round < options.rounds; round++)
    // Whoever goes second finds a warmer machine: they take turns.
    for (const who of round % 2 === 0 ? (['floor', 'ours'] as const) : (['ours', 'floor'] as const)) taken[who].push(await options[who]());
  return { ours: median(taken.ours), floor: median(taken.floor) };
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? (sorted[middle] as number) : ((sorted[middle - 1] as number) + (sorted[middle] as number)) / 2;
}

function round(value: number): number {
  return Number(value.toPrecision(4));
}
