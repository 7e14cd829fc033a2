/** Issues show what a file holds; where that is a secret, they must not. */

import { createIssue, type Issue } from '../core/issue.ts';
import type { IssueCode } from '../core/issue-catalogue.ts';
import { createTextGuard } from '../core/secrets/guard.ts';
import type { Canary } from '../core/secrets/scan.ts';

/** The issues without the texts that hold a secret by any rule, or a value known of the recording machine. */
export function guardIssues(issues: readonly Issue[], canaries: readonly Canary[]): Issue[] {
  if (issues.length === 0) return [];
  const holdsSecret = guardOf(canaries);
  return issues.map((issue) => (holdsSecret(issue.message) ? withoutTexts(issue, holdsSecret) : issue));
}

function withoutTexts(issue: Issue, holdsSecret: (text: string) => boolean): Issue {
  const { level, severity, line } = issue;
  const path = issue.path !== null && holdsSecret(issue.path) ? '$…' : issue.path;
  const file = issue.file !== null && holdsSecret(issue.file) ? '…' : (issue.file ?? '.');
  const is = holdsSecret(issue.is) ? 'it holds a secret, which is not shown' : issue.is;
  const needed = holdsSecret(issue.needed) ? 'another value was needed' : issue.needed;
  const shown = createIssue({ code: issue.code as IssueCode, level, severity, file, line, path, is, needed });
  // What two texts hold together is shown by neither.
  return holdsSecret(shown.message) ? createIssue({ code: issue.code as IssueCode, level, severity, file: '.', is: 'it holds a secret, which is not shown', needed: 'another value was needed' }) : shown;
}

function guardOf(canaries: readonly Canary[]): (text: string) => boolean {
  const known = guards.get(canaries) ?? createTextGuard(canaries);
  guards.set(canaries, known);
  return known;
}

const guards = new WeakMap<readonly Canary[], (text: string) => boolean>();
