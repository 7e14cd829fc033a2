import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Damage } from '../../../fixtures/cassettes/damage.ts';
import { damages } from '../../../fixtures/cassettes/damages.ts';
import { writeDraft } from '../../../fixtures/cassettes/draft.ts';
import { anyEdits, anyHarmless, editDraft, editHarmlessly, type Harmless } from '../../../fixtures/cassettes/mutate.ts';
import type { Issue } from '../../../src/core/issue.ts';
import { shownIssue } from './judge.ts';
import { check, checkShape, draftOf, judge, names, oneInFour, timeoutMs } from './mutate-and-judge.ts';

// Half of 10,000: what is hashed again and still JSON. The other half is in hits.test.ts, so that both run at once.
const damageRounds = 2;
const editCount = 5_000 - damages.length * damageRounds;

const roomOf = ({ file }: Damage): string => (file.startsWith('blobs/sha256/') ? 'blobs/sha256' : file);
const damageRooms = [...new Set(damages.map(roomOf))];

test.each(names)('edited and hashed again, it is judged, and what is accepted stays so: %s', { timeout: timeoutMs }, (name) => {
  const cases = fc.record({ isCandidate: oneInFour, edits: anyEdits });
  checkShape({ cases, count: Math.ceil(editCount / names.length), title: `again, it is judged, and what is accepted stays so: ${name}` }, ({ isCandidate, edits }) => {
    const draft = draftOf(name, isCandidate);
    editDraft(draft, edits);
    return writeDraft(draft);
  });
});

test.each(damageRooms)('a damage is found whatever else changes: %s', { timeout: timeoutMs }, (room) => {
  for (const damage of damages.filter((one) => roomOf(one) === room))
    check({ cases: anyHarmless, count: damageRounds, title: `a damage is found whatever else changes: ${room}`, part: damage.title }, (edits) => checkDamage(damage, edits));
});

function checkDamage(damage: Damage, edits: readonly Harmless[]): void {
  const draft = draftOf(damage.on, damage.isCandidate);
  const byteChanges = () => draft.bytes.length + draft.lateBytes.length;
  const before = byteChanges();
  damage.edit(draft);
  // A damage that looks for a text in its file would not find it in another order.
  editHarmlessly(draft, edits, byteChanges() > before ? damage.file : null);
  const found = judge(writeDraft(draft)).map(shownIssue);
  expect(found, damage.title).toContain(shownIssue({ code: damage.code, file: damage.file, line: damage.line, path: damage.path } as Issue));
}
