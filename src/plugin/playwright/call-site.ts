/** Who called us, and calling onwards as if that place had: Playwright takes a test's location from the stack. */

import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { getCallSites } from 'node:util';
import { runInThisContext } from 'node:vm';

export type CallSite = { file: string; line: number; column: number };

/** The nearest caller outside this package. */
export function callSite(): CallSite {
  const own = dirname(fileURLToPath(import.meta.url));
  for (const site of getCallSites(20, { sourceMap: true })) {
    const file = site.scriptName.startsWith('file:') ? fileURLToPath(site.scriptName) : site.scriptName;
    if (file.startsWith('/') && !file.startsWith(own)) return { file, line: site.lineNumber, column: site.columnNumber };
  }
  return { file: process.cwd(), line: 1, column: 1 };
}

/** Runs `call` below a frame that stands at `site`, so that lists and reports name the spec and not this package. */
export function callAt<T>(site: CallSite, call: () => T): T {
  const frame = runInThisContext('(call) => call()', { filename: site.file, lineOffset: site.line - 1, columnOffset: site.column - 1 }) as (call: () => T) => T;
  return frame(call);
}
