/** Findings of one activity event: the place in the file is fixed, the path differs. */

import type { IssueCode } from '../issue-catalogue.ts';
import type { Report } from '../issue.ts';
import { activityFile } from './event.ts';

/** Says what is wrong at one path of the event. */
export type Refuse = (code: IssueCode, path: string, is: string, needed: string) => void;

/**
 * A report that takes so many findings of each code and no more: a tampered file breaks one rule in each of millions of lines, and
 * to say so once more costs more than to read the line.
 */
export function boundedReport(report: Report): Report {
  const counts = new Map<IssueCode, number>();
  return (finding) => {
    const count = counts.get(finding.code) ?? 0;
    if (count >= findingCountMax) return;
    counts.set(finding.code, count + 1);
    report(finding);
  };
}

/** Binds a report to one line of `activity-events.jsonl` (3.1). */
export function refuseAt(line: number, report: Report): Refuse {
  return (code, path, is, needed) => report({ code, file: activityFile, line, path, is, needed });
}

/** Far more than anybody is shown. */
const findingCountMax = 1_000;
