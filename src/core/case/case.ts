/** `case.json`, schema 1 (interface.md, case folder). */

import type { Drive, Layer } from '../verdict/index.ts';

export type CaseCassette = { dir: string; manifestSha256: string };
export type CheckpointName = { kind: string; nth: number };
export type Allowance = { layer: Layer; rule: string; method?: string; reason: string; until: string };
export type Quarantine = { reason: string; until: string };

export type Case = {
  /** The folder's name. */
  name: string;
  /** The folder, absolute. */
  folder: string;
  title: string;
  product: string;
  drive: Drive;
  scenario: string | null;
  model: string | null;
  /** Start of the work tree, relative to the folder. */
  project: string | null;
  cassettes: CaseCassette[];
  /** Empty: all kinds `interaction.pending` and `turn.terminal`. */
  checkpoints: { [name: string]: CheckpointName };
  screenshots: 'checkpoints' | 'failure' | 'off' | null;
  tags: string[];
  timeoutMs: number | null;
  maxAgeDays: number | null;
  allow: Allowance[];
  quarantine: Quarantine | null;
};

/** `cassettes/node` → `node`. */
export function cassetteName(cassette: CaseCassette): string {
  return cassette.dir.replace(/\/+$/, '').split('/').at(-1) ?? cassette.dir;
}
