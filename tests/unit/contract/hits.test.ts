import fc from 'fast-check';
import { test } from 'vitest';
import { writeDraft } from '../../../fixtures/cassettes/draft.ts';
import { anyHits, hitFiles } from '../../../fixtures/cassettes/mutate.ts';
import { checkShape, draftOf, names, oneInFour, timeoutMs } from './mutate-and-judge.ts';

// Half of 10,000: changes of bare bytes.
const hitCount = 5_000;

test.each(names)('hit in its bytes, it is judged, and what is accepted stays so: %s', { timeout: timeoutMs }, (name) => {
  // One in four before the hashes are made: what was hit is then refused for itself, or accepted.
  const cases = fc.record({ isCandidate: oneInFour, isHashedAgain: oneInFour, hits: anyHits });
  checkShape({ cases, count: Math.ceil(hitCount / names.length), title: `bytes, it is judged, and what is accepted stays so: ${name}` }, ({ isCandidate, isHashedAgain, hits }) => {
    const draft = draftOf(name, isCandidate);
    (isHashedAgain ? draft.bytes : draft.lateBytes).push((files) => hitFiles(files, hits));
    return writeDraft(draft);
  });
});
