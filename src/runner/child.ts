/** A child process of the command line: in a group of its own, ended with us, its output where we want it. */

import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { limits } from '../core/limits.ts';
import { nodeClock } from '../tape/node-clock.ts';
import { signalGroup } from './group.ts';
import type { Workroom } from './workroom.ts';

export type ChildOptions = {
  command: string[];
  env: NodeJS.ProcessEnv;
  cwd?: string;
  workroom: Workroom;
  /** `stderr` keeps our stdout free for one document. */
  output: 'inherit' | 'stderr' | 'ignore';
  /** Ends the group when aborted: SIGTERM, and SIGKILL where that does not help. */
  signal?: AbortSignal;
  /** Awaited after the command's end, before what it left in its group is killed. */
  settle?: () => Promise<void>;
};

/** Resolves to the exit code; a signal counts as 128 + its number. */
export async function runChild(options: ChildOptions): Promise<number> {
  const [program = '', ...args] = options.command;
  const stdio = options.output === 'inherit' ? 'inherit' : ['inherit', options.output === 'stderr' ? 2 : 'ignore', options.output === 'stderr' ? 2 : 'ignore'];
  const child = spawn(program, args, { env: options.env, stdio: stdio as never, detached: true, ...(options.cwd ? { cwd: options.cwd } : {}) });
  const { pid } = child;
  const ended = new Promise<number>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => resolve(code ?? 128 + (signal ? constants.signals[signal] : 0)));
  });
  if (pid === undefined) return ended;
  options.workroom.guardGroup(pid);
  running.set(pid, ended);
  let forget = () => {};
  const end = () => {
    signalGroup(pid, 'SIGTERM');
    forget = nodeClock.after(limits.stopMs, () => signalGroup(pid, 'SIGKILL'));
  };
  options.signal?.addEventListener('abort', end, { once: true });
  try {
    const exitCode = await ended;
    await options.settle?.();
    // An interrupted command line leaves by itself; nothing may be sealed or printed behind its back.
    return isInterrupted ? await new Promise<never>(() => {}) : exitCode;
  } finally {
    forget();
    options.signal?.removeEventListener('abort', end);
    signalGroup(pid, 'SIGKILL');
    options.workroom.releaseGroup(pid);
    running.delete(pid);
  }
}

/** Hands a signal on to every child and waits for their ends, at most `limits.stopMs`. */
export async function interruptChildren(signal: NodeJS.Signals): Promise<void> {
  isInterrupted = true;
  for (const pid of running.keys()) signalGroup(pid, signal);
  const late = new Promise<void>((resolve) => void nodeClock.after(limits.stopMs, resolve));
  await Promise.race([Promise.allSettled(running.values()), late]);
}

const running = new Map<number, Promise<number>>();
let isInterrupted = false;
