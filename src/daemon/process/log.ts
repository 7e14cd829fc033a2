/** `daemon.log`: one JSON line per warning, written at once so that a crash loses none; no body and no header comes here. */

import { closeSync, openSync, writeSync } from 'node:fs';

export type LogFile = { write: (line: string) => void; close: () => void };

export function openLog(path: string): LogFile {
  const file = openSync(path, 'a', 0o600);
  let isOpen = true;
  return {
    write: (line) => void (isOpen && writeSync(file, line)),
    close() {
      if (isOpen) closeSync(file);
      isOpen = false;
    },
  };
}
