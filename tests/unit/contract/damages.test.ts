import { expect, test } from 'vitest';
import { applyDamage } from '../../../fixtures/cassettes/damage.ts';
import { damages } from '../../../fixtures/cassettes/damages.ts';
import { findShape } from '../../../fixtures/cassettes/shapes.ts';
import { issueCatalogue, type IssueCode } from '../../../src/core/issue-catalogue.ts';
import type { IssueLevel } from '../../../src/core/issue.ts';
import { judge, shownIssue } from './judge.ts';

test.each(damages.map((damage) => [`${damage.file}: ${damage.title}`, damage] as const))('%s', (_title, damage) => {
  const levels: readonly IssueLevel[] = damage.isCandidate ? ['publish'] : ['resolve', 'tape_load', 'runner', 'publish'];
  const issues = judge(applyDamage(damage), levels);
  const wanted = shownIssue({ code: damage.code, file: damage.file, line: damage.line, path: damage.path } as Parameters<typeof shownIssue>[0]);
  const found = issues.map(shownIssue);
  expect(found).toContain(wanted);
  const allowed = [...damage.beside, ...(findShape(damage.on).refusedWith ?? []), ...(findShape(damage.on).warnedWith ?? [])];
  const extra = issues.filter((issue) => shownIssue(issue) !== wanted && !allowed.includes(issue.code));
  expect(extra.map(shownIssue)).toEqual([]);
});

test.each(damages.map((damage) => [`${damage.file}: ${damage.title}`, damage] as const))('each level by itself: %s', (_title, damage) => {
  const has: readonly IssueLevel[] = issueCatalogue[damage.code as IssueCode].levels;
  const files = applyDamage(damage);
  for (const level of damage.isCandidate ? (['publish'] as const) : (['resolve', 'tape_load', 'runner'] as const))
    // A player opens the tape alone.
    expect([level, judge(files, [level]).some(({ code }) => code === damage.code)]).toEqual([level, has.includes(level) && (level !== 'tape_load' || damage.file.startsWith('provider/'))]);
});

test('every rule of the contract that a cassette alone can break has a damage', () => {
  const damaged = new Set(damages.map(({ code }) => code));
  expect(Object.keys(issueCatalogue).filter((code) => !damaged.has(code)).sort()).toEqual([...elsewhere].sort());
});

// These need more than the files of one cassette: a case, a link, a device, a pin, another profile, or gigabytes.
const elsewhere = [
  'case_invalid', 'case_member_unknown', 'cassette_missing', 'cassette_manifest_missing', 'recording_unpublished', 'manifest_sha256_mismatch', 'file_not_regular', 'file_unreadable', 'file_changed', 'folder_too_large', 'json_member_repeated', 'line_too_long',
  'cassette_id_mismatch', 'activity_empty', 'activity_count_mismatch', 'journal_conflict', 'manifest_too_large', 'tape_connections_empty', 'stream_too_large', 'message_unfinished', 'message_framing_unsupported', 'provider_without_player',
  'turn_open', 'request_open', 'interaction_open', 'state_domain_unsupported', 'state_path_escapes', 'secret_found',
];
