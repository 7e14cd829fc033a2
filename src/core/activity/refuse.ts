/** Findings of one activity event: the place in the file is fixed, the path differs. */

import type { IssueCode } from '../issue-catalogue.ts';
import type { Report } from '../issue.ts';
import { activityFile } from './event.ts';

/** Says what is wrong at one path of the event. */
export type Refuse = (code: IssueCode, path: string, is: string, needed: string) => void;

/** Binds a report to one line of `activity-events.jsonl` (3.1). */
export function refuseAt(line: number, report: Report): Refuse {
  return (code, path, is, needed) => report({ code, file: activityFile, line, path, is, needed });
}
