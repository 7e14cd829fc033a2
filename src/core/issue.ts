/** Bad input, returned as a list and never thrown (interface.md, `validate --json`). */

import { issueCatalogue, type IssueCode, type IssueEntry } from './issue-catalogue.ts';

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

/** What a check found, before anybody says at which level it is asked. `is` and `needed` never hold a secret value. */
export type Finding = { code: IssueCode; file: string; line?: number | null; path?: string | null; is: string; needed: string };

export type Report = (finding: Finding) => void;

/** Asked in this order; a finding becomes one issue, of the first level that has it. */
export const acceptanceLevels: readonly IssueLevel[] = ['resolve', 'tape_load', 'runner', 'publish'];

/** Builds an issue; its message follows from what is and what was needed. Level and severity default to the catalogue's. */
export function createIssue(finding: Finding & Partial<Pick<Issue, 'level' | 'severity'>>): Issue {
  const entry: IssueEntry = issueCatalogue[finding.code];
  const line = finding.line ?? null;
  const path = finding.path ?? null;
  const file = finding.file === '.' ? 'the folder' : finding.file;
  const place = line === null ? file : `${file}:${line}`;
  return {
    level: finding.level ?? levelOf(finding, acceptanceLevels) ?? 'runner',
    severity: finding.severity ?? entry.severity ?? 'error',
    code: finding.code,
    file: finding.file,
    line,
    path,
    is: finding.is,
    needed: finding.needed,
    message: `Cannot accept ${place}${path ? ` at ${path}` : ''}: ${finding.is}, ${finding.needed}`,
  };
}

/** The findings that stand at one of these levels, as issues; the others belong to readers that were not asked. */
export function issuesAt(findings: readonly Finding[], levels: readonly IssueLevel[] = acceptanceLevels): Issue[] {
  const asked = acceptanceLevels.filter((level) => levels.includes(level));
  return findings.flatMap((finding) => {
    const level = levelOf(finding, asked);
    return level === null ? [] : [createIssue({ ...finding, level })];
  });
}

/** Collects findings, each place once; a tampered file repeats one code in every line, and `findingCountMax` of them are enough to see it. */
export class Findings {
  readonly all: Finding[] = [];
  readonly #counts = new Map<string, number>();
  readonly #seen = new Set<string>();

  readonly report: Report = (finding) => {
    const key = `${finding.code} ${finding.file}`;
    const count = this.#counts.get(key) ?? 0;
    if (count >= findingCountMax) return;
    const place = `${key} ${finding.line ?? ''} ${finding.path ?? ''}`;
    if (this.#seen.has(place)) return;
    this.#seen.add(place);
    this.#counts.set(key, count + 1);
    this.all.push({ ...finding, is: cut(finding.is), needed: cut(finding.needed), file: cut(finding.file), ...(finding.path ? { path: cut(finding.path) } : {}) });
  };
}

// Names and values of a hostile file have any length.
function cut(text: string): string {
  return text.length > textLengthMax ? `${text.slice(0, textLengthMax)}…` : text;
}

function levelOf({ code, file }: Finding, asked: readonly IssueLevel[]): IssueLevel | null {
  const { levels }: IssueEntry = issueCatalogue[code];
  return asked.find((level) => levels.includes(level) && opens(level, file, code)) ?? null;
}

// A reader says nothing of what it never opens: a player opens the tape alone, publication looks into no state (contract 5.6, 9.10).
function opens(level: IssueLevel, file: string, code: IssueCode): boolean {
  if (level === 'tape_load') return file === '.' || file.split('/')[0] === 'provider';
  return level !== 'publish' || !stateFiles.includes(file) || !contentCodes.has(code);
}

const stateFiles = ['initial-state.json', 'expected-state.json'];
const contentCodes: ReadonlySet<IssueCode> = new Set(['json_invalid', 'json_too_deep', 'json_too_large', 'json_member_repeated', 'byte_order_mark', 'integer_invalid']);

const findingCountMax = 100;
const textLengthMax = 400;
