/** Bad input, returned as a list and never thrown (interface.md, `validate --json`). */

import type { IssueCode } from './issue-catalogue.ts';

export type IssueLevel = 'publish' | 'resolve' | 'tape_load' | 'runner';

export type Issue = {
  level: IssueLevel;
  severity: 'error' | 'warning';
  code: string;
  /** Relative to the cassette or case folder. */
  file: string | null;
  line: number | null;
  path: string | null;
  is: string;
  needed: string;
  message: string;
};

export type IssueFacts = { level: IssueLevel; code: IssueCode; file: string; is: string; needed: string } & Partial<
  Pick<Issue, 'severity' | 'line' | 'path'>
>;

/** Builds an issue; its message follows from what is and what was needed. */
export function createIssue(facts: IssueFacts): Issue {
  const line = facts.line ?? null;
  const place = line === null ? facts.file : `${facts.file}:${line}`;
  return {
    severity: 'error',
    path: null,
    ...facts,
    line,
    message: `Cannot accept ${place}${facts.path ? ` at ${facts.path}` : ''}: ${facts.is}, ${facts.needed}`,
  };
}
