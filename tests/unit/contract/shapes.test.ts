import { expect, test } from 'vitest';
import { writeDraft } from '../../../fixtures/cassettes/draft.ts';
import { asCandidate, shapes } from '../../../fixtures/cassettes/shapes.ts';
import { issueCatalogue, type IssueCode } from '../../../src/core/issue-catalogue.ts';
import type { IssueLevel } from '../../../src/core/issue.ts';
import { judge, shownIssue } from './judge.ts';

const published: readonly IssueLevel[] = ['resolve', 'tape_load', 'runner'];
const errors = (issues: ReturnType<typeof judge>) => issues.filter(({ severity }) => severity === 'error');

test.each(shapes.map((shape) => [shape.name, shape] as const))('accepted at every level: %s', (_name, shape) => {
  const files = writeDraft(shape.make());
  const refusedWith = shape.refusedWith ?? [];
  for (const level of published) {
    const expected = refusedWith.filter((code) => (issueCatalogue[code as IssueCode].levels as readonly IssueLevel[]).includes(level));
    const issues = judge(files, [level]);
    expect([level, [...new Set(errors(issues).map(({ code }) => code))].sort()], issues.map(shownIssue).join('\n')).toEqual([level, [...expected].sort()]);
    for (const { code } of issues.filter(({ severity }) => severity === 'warning')) expect(shape.warnedWith ?? []).toContain(code);
  }
});

test.each(shapes.map((shape) => [shape.name, shape] as const))('accepted for publication: %s', (_name, shape) => {
  const files = writeDraft(asCandidate(shape.make()));
  const refusedWith = (shape.refusedWith ?? []).filter((code) => (issueCatalogue[code as IssueCode].levels as readonly IssueLevel[]).includes('publish'));
  expect(errors(judge(files, ['publish'])).map(shownIssue)).toEqual(refusedWith);
});
