import { expect, test } from 'vitest';
import { createCommitContext, refuseContext, type CommitContext } from './batch.ts';
import { buildBatch } from './fixtures/observations.ts';

const batchesOf = (recordingIds: readonly string[]) => recordingIds.map((recordingId, i) => buildBatch(BigInt(i + 1), [], { recordingId }));
const check = (context: CommitContext, refusal: string | null) => expect(refuseContext(context)?.refusal ?? null).toBe(refusal);

test.each<[string, string, string[], string | null]>([
  ['batches of its own recording', 'a', ['a', 'a'], null],
  ['the same recording with white space around it', 'a', [' a', 'a\t'], null],
  ['no recording and no batch', '', [], null],
  ['no recording and batches of none', ' ', ['', '  '], null],
  ['a recording without a batch', 'a', [], 'batch_missing'],
  ['a batch of another recording', 'a', ['a', 'b'], 'generation_mixed'],
  ['a batch of none inside a recording', 'a', ['a', ''], 'generation_mixed'],
  ['a batch of a recording outside one', '', ['a'], 'generation_mixed'],
])('refuseContext() judges a commit with %s', (_title, recordingId, ids, refusal) => check({ recordingId, batches: batchesOf(ids) }, refusal));

const checkBuilt = (ids: readonly string[], built: string) => {
  const context = createCommitContext(batchesOf(ids));
  expect('refusal' in context ? context.refusal : context.recordingId).toBe(built);
};

test.each<[string, string[], string]>([
  ['keeps the one generation of its batches', [' a', 'a'], 'a'],
  ['leaves the generation blank outside a recording', ['', ''], ''],
  ['leaves it blank without batches', [], ''],
  ['refuses two generations', ['a', 'b'], 'generation_mixed'],
  ['refuses a generation beside none', ['', 'a'], 'generation_mixed'],
])('createCommitContext() %s', (_title, ids, built) => checkBuilt(ids, built));
