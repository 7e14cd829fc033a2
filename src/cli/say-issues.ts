/** What `playhead validate` shows to a person: each cassette with what stands against it, and how it went in all. */

import type { Issue } from '../core/issue.ts';
import { say } from './output.ts';
import type { Judged } from './validate.ts';

export function sayJudged(cassettes: readonly Judged[]): void {
  cassettes.forEach(sayCassette);
  saySummary(cassettes);
}

function sayCassette({ cassette, valid, issues }: Judged): void {
  say(cassette, { mark: valid ? 'good' : 'bad' });
  const groups = groupsOf(issues);
  const width = Math.max(0, ...groups.map(([issue]) => issue?.code.length ?? 0));
  for (const group of groups) {
    for (const issue of group.slice(0, shownMax)) say(lineOf(issue, width), { indent: 2, mark: issue.severity === 'error' ? 'bad' : 'warning' });
    if (group.length > shownMax) say(`… and ${group.length - shownMax} more ${group[0]?.code}`, { indent: 4 });
  }
}

// Of each level and code, in the order in which they were found.
function groupsOf(issues: readonly Issue[]): Issue[][] {
  const groups = new Map<string, Issue[]>();
  for (const issue of issues) {
    const key = `${issue.level} ${issue.code}`;
    const group = groups.get(key);
    if (group) group.push(issue);
    else groups.set(key, [issue]);
  }
  return [...groups.values()];
}

function lineOf({ level, code, file, line, path, is, needed }: Issue, width: number): string {
  const place = [line === null ? file : `${file}:${line}`, path].filter((part) => part !== null).join(' ');
  return `${level.padEnd(levelWidth)}  ${code.padEnd(width)}  ${place}: ${is}, ${needed}`;
}

function saySummary(cassettes: readonly Judged[]): void {
  const issues = cassettes.flatMap((cassette) => cassette.issues);
  const errorCount = issues.filter(({ severity }) => severity === 'error').length;
  const validCount = cassettes.filter(({ valid }) => valid).length;
  const counts = [counted(errorCount, 'error'), counted(issues.length - errorCount, 'warning')].filter((text) => text !== null);
  say(`${validCount} of ${cassettes.length} valid${counts.length > 0 ? `, ${counts.join(', ')}` : ''}`);
  const code = issues.find(({ severity }) => severity === 'error')?.code;
  if (code !== undefined) say(`  see   docs/errors.md#${code}`);
}

function counted(count: number, noun: string): string | null {
  return count === 0 ? null : `${count} ${noun}${count === 1 ? '' : 's'}`;
}

const shownMax = 5;
const levelWidth = 'tape_load'.length;
