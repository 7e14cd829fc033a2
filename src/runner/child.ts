/** A child process of the command line: in a group of its own, ended with us, its output where we want it. */

import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { signalGroup } from './product.ts';
import type { Workroom } from './workroom.ts';

export type ChildOptions = {
  command: string[];
  env: NodeJS.ProcessEnv;
  cwd?: string;
  workroom: Workroom;
  /** `stderr` keeps our stdout free for one document. */
  output: 'inherit' | 'stderr' | 'ignore';
  /** Ends the group when aborted. */
  signal?: AbortSignal;
};

/** Resolves to the exit code; a signal counts as 128 + its number. */
export async function runChild(options: ChildOptions): Promise<number> {
  const [program = '', ...args] = options.command;
  const stdio = options.output === 'inherit' ? 'inherit' : ['inherit', options.output === 'stderr' ? 2 : 'ignore', options.output === 'stderr' ? 2 : 'ignore'];
  const child = spawn(program, args, { env: options.env, stdio: stdio as never, detached: true, ...(options.cwd ? { cwd: options.cwd } : {}) });
  const { pid } = child;
  if (pid !== undefined) options.workroom.guardGroup(pid);
  const end = () => pid !== undefined && signalGroup(pid, 'SIGTERM');
  options.signal?.addEventListener('abort', end, { once: true });
  const forward = (signal: NodeJS.Signals) => pid !== undefined && signalGroup(pid, signal);
  process.on('SIGINT', forward).on('SIGTERM', forward);
  try {
    return await new Promise<number>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (code, signal) => resolve(code ?? 128 + (signal ? constants.signals[signal] : 0)));
    });
  } finally {
    process.off('SIGINT', forward).off('SIGTERM', forward);
    options.signal?.removeEventListener('abort', end);
    if (pid !== undefined) {
      signalGroup(pid, 'SIGKILL');
      options.workroom.releaseGroup(pid);
    }
  }
}
