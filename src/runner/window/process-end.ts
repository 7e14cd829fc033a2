/** Ending a program that was started in a process group of its own. */

import { readdirSync, readFileSync } from 'node:fs';
import type { Clock } from '../../core/ports.ts';

/** Waits until a process group is empty, at most `limitMs`: a child outlives its parent by a moment. */
export async function untilGroupGone(pid: number, limitMs: number, clock: Clock): Promise<void> {
  for (let waitedMs = 0; waitedMs < limitMs && isGroupAlive(pid); waitedMs += lookMs) await new Promise<void>((resolve) => void clock.after(lookMs, resolve));
}

function isGroupAlive(pid: number): boolean {
  try {
    process.kill(-pid, 0);
  } catch {
    // Nobody is there, or the number is somebody else's by now.
    return false;
  }
  return process.platform !== 'linux' || readdirSync('/proc').some((name) => /^\d+$/.test(name) && isRunningIn(pid, name));
}

// A dead child counts as there until the first process of its machine takes note, which may last for seconds.
function isRunningIn(group: number, pid: string): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const [state, , groupOf] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return Number(groupOf) === group && state !== 'Z' && state !== 'X';
  } catch {
    // It ended while we looked.
    return false;
  }
}

const lookMs = 10;

/** Keeps the last lines of what a program says. */
export function createTail(): { keep: (line: string) => void; text: () => string } {
  const lines: string[] = [];
  return {
    keep(line) {
      lines.push(line);
      if (lines.length > tailLineCount) lines.shift();
    },
    text: () => lines.join('\n'),
  };
}

const tailLineCount = 20;
