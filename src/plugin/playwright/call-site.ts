/** Who called us, and calling onwards as if that place had: Playwright takes a test's location from the stack. */

import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import util from 'node:util';
import { runInThisContext } from 'node:vm';

/** `script` is the name as the engine knows it (a file URL for a module): source maps are found by it. */
export type CallSite = { file: string; script: string; line: number; column: number };

/** The nearest caller outside this package. */
export function callSite(): CallSite {
  const own = dirname(fileURLToPath(import.meta.url));
  for (const site of util.getCallSites(20)) {
    const file = site.scriptName.startsWith('file:') ? fileURLToPath(site.scriptName) : site.scriptName;
    if (file.startsWith('/') && !file.startsWith(own)) return { file, script: site.scriptName, line: site.lineNumber, column: columnOf(site) };
  }
  return { file: process.cwd(), script: process.cwd(), line: 1, column: 1 };
}

/** Calls `f` from a frame that stands at `site`, so that lists and reports name the spec and not this package. */
export function callAt<A extends unknown[], T>(site: CallSite, f: (...args: A) => T, ...args: A): T {
  // Playwright looks at the frame right above its own, so no function of ours may stand between.
  const call = runInThisContext('(f, args) => f(...args)', { filename: site.script, lineOffset: site.line - 1, columnOffset: site.column - 1 }) as (f: (...args: A) => T, args: A) => T;
  return call(f, args);
}

// Node 22.13 names it otherwise than later ones.
function columnOf(site: { columnNumber?: number; column?: number }): number {
  return site.columnNumber ?? site.column ?? 1;
}
