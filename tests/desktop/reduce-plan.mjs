/** Plans with fewer checkpoints: what many of them hold by stopping, few of them leave to the lanes' own gates. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readCassette, writeCassette } from '../desktop-cassettes/cassette.mjs';

/** Leaves the bootstrap, which every plan begins with, and the end. */
export function keepLastCheckpoint({ plan }) {
  const [first, last] = [plan.checkpoints[0], plan.checkpoints.at(-1)];
  plan.checkpoints = [first, { ...last, index: 1, id: 'checkpoint-0001' }];
}

/** Changes the cassette of a copied case, hashed and pinned again. */
export function reducePlan(caseFolder, edit) {
  const cassette = join(caseFolder, 'cassettes/main');
  const described = JSON.parse(readFileSync(join(caseFolder, 'case.json'), 'utf8'));
  described.cassettes[0].manifestSha256 = writeCassette(cassette, readCassette(cassette), edit);
  writeFileSync(join(caseFolder, 'case.json'), `${JSON.stringify(described, null, 2)}\n`);
}

/** Kinds of the checkpoints of a case, in order. */
export function stopsOf(caseFolder) {
  return JSON.parse(readFileSync(join(caseFolder, 'cassettes/main/checkpoint-plan.json'), 'utf8')).checkpoints.map(({ kind }) => kind);
}
