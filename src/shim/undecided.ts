/**
 * A launch whose folder names no test: one backend folder, many projects (stand-in b7). Until the first message with a
 * `cwd` names the test, `initialize` alone is answered, from the recorded answer that every tape of one CLI version shares.
 */

import { isObject, parseJson, setMember, writeJson, type Json, type JsonObject } from '../core/json/exact.ts';
import { createRoots, fromToken } from '../core/projection/roots.ts';
import type { Root } from '../core/projection/rules.ts';
import type { Route } from '../core/shim/folder.ts';
import { homeToken } from '../core/portable-path.ts';

export type Undecided = {
  /** Takes bytes of stdin; gives the cwd that decides, once it was seen. */
  push: (read: Buffer) => string | null;
  /** Everything taken so far, for the route that was found. */
  taken: () => Buffer;
  /** The ids, as JSON text, that were answered here. */
  answered: string[];
};

/** `homes` are the folders behind the home token, the provider's own first. */
export function createUndecided(options: { routes: Route[]; homes: string[]; answer: (line: string) => void }): Undecided {
  const stored = options.routes.find((route) => route.initialize !== null)?.initialize ?? null;
  const recorded = stored === null ? null : resolveHome(stored, options.homes);
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

// A home is all that can be resolved here: the project folder is what is not known yet.
function resolveHome(stored: string, homes: string[]): string {
  const message = stored.includes(homeToken) ? parseJson(stored) : undefined;
  if (message === undefined) return stored;
  return writeJson(fromTokens(message, createRoots({ cwds: [], cwdToken: '', homes, homeToken })));
}

function fromTokens(value: Json, roots: readonly Root[]): Json {
  if (typeof value === 'string') return fromToken(value, roots);
  if (Array.isArray(value)) return value.map((item) => fromTokens(item, roots));
  if (!isObject(value)) return value;
  const copy: JsonObject = {};
  for (const [name, item] of Object.entries(value)) setMember(copy, name, fromTokens(item, roots));
  return copy;
}

const decidingMethods = /^(thread\/(start|resume|fork)|turn\/start)$/;

function parse(text: string): { id?: unknown; method?: unknown; params?: { cwd?: unknown } } | null {
  try {
    return JSON.parse(text) as { id?: unknown; method?: unknown; params?: { cwd?: unknown } };
  } catch {
    return null;
  }
}
