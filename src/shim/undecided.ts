/**
 * A launch whose folder names no test: one backend folder, many projects (stand-in b7). Until the first message with a
 * `cwd` names the test, `initialize` alone is answered, from the recorded answer that every tape of one CLI version shares.
 */

import type { Route } from '../core/shim/folder.ts';

export type Undecided = {
  /** Takes bytes of stdin; gives the cwd that decides, once it was seen. */
  push: (read: Buffer) => string | null;
  /** Everything taken so far, for the route that was found. */
  taken: () => Buffer;
  /** The ids, as JSON text, that were answered here. */
  answered: string[];
};

export function createUndecided(options: { routes: Route[]; answer: (line: string) => void }): Undecided {
  const recorded = options.routes.find((route) => route.initialize !== null)?.initialize ?? null;
  const reads: Buffer[] = [];
  const answered: string[] = [];
  let line = '';
  return {
    answered,
    taken: () => Buffer.concat(reads),
    push(read) {
      reads.push(read);
      const lines = (line + read.toString('latin1')).split('\n');
      line = lines.pop() ?? '';
      for (const text of lines) {
        const message = parse(Buffer.from(text, 'latin1').toString());
        if (message?.method === 'initialize' && recorded !== null) {
          const id = JSON.stringify(message.id);
          answered.push(id);
          options.answer(`{"id":${id},"result":${recorded}}\n`);
        }
        const cwd = message && decidingMethods.test(String(message.method)) ? message.params?.cwd : undefined;
        if (typeof cwd === 'string') return cwd;
      }
      return null;
    },
  };
}

const decidingMethods = /^(thread\/(start|resume|fork)|turn\/start)$/;

function parse(text: string): { id?: unknown; method?: unknown; params?: { cwd?: unknown } } | null {
  try {
    return JSON.parse(text) as { id?: unknown; method?: unknown; params?: { cwd?: unknown } };
  } catch {
    return null;
  }
}
