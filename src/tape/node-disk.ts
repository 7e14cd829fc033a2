/** The disk port over `node:fs`; folders 0700, files 0600 (replay-runtime 1.4). */

import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, writeFileSync, writeSync } from 'node:fs';
import type { Disk } from '../core/ports.ts';

export const nodeDisk: Disk = {
  makeFolder: (path) => void mkdirSync(path, { recursive: true, mode: 0o700 }),
  openAppend(path) {
    const file = openSync(path, 'w', 0o600);
    return {
      append(bytes) {
        for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
      },
      sync: () => fsyncSync(file),
      close: () => closeSync(file),
    };
  },
  writeWhole(path, text) {
    writeFileSync(`${path}.tmp`, text, { mode: 0o600 });
    renameSync(`${path}.tmp`, path);
  },
  readWhole: (path) => readFileSync(path),
};
