/** Reads a file of a cassette once and in order: hash, size and content come from the same bytes (cassette-contract 0.3, 1.4). */

import { createHash } from 'node:crypto';
import { closeSync, constants, fstatSync, lstatSync, openSync, readSync, type BigIntStats } from 'node:fs';
import { isBlank } from '../core/json/read.ts';

export type ReadProblem = { problem: 'missing' | 'not_regular' | 'too_large' | 'unreadable' | 'changed'; is: string };
export type ReadResult = { sha256: string; sizeBytes: number } | ReadProblem;

/** Gives the file block by block; a block is filled again after `take` returns. Links, devices and changing files are problems. */
export function readOnce(path: string, options: { maxBytes: number; take: (block: Buffer) => void }): ReadResult {
  let before: BigIntStats;
  let descriptor: number;
  try {
    before = lstatSync(path, { bigint: true });
    // Asked first, since opening alone may already do something to a device.
    if (!before.isFile()) return notRegular;
    descriptor = openSync(path, openFlags);
  } catch (error) {
    return problemOf(error);
  }
  try {
    return readOpened({ path, descriptor, before, ...options });
  } finally {
    closeSync(descriptor);
  }
}

type Opened = { path: string; descriptor: number; before: BigIntStats; maxBytes: number; take: (block: Buffer) => void };

function readOpened({ path, descriptor, before, maxBytes, take }: Opened): ReadResult {
  if (!isSame(before, fstatSync(descriptor, { bigint: true }))) return changed;
  if (before.size > BigInt(maxBytes)) return { problem: 'too_large', is: `it has ${before.size} bytes` };
  const size = Number(before.size);
  const block = Buffer.allocUnsafe(Math.min(size + 1, blockBytesMax));
  const hash = createHash('sha256');
  let sizeBytes = 0;
  for (let bytes = read(descriptor, block); bytes !== 0; bytes = read(descriptor, block)) {
    if (typeof bytes !== 'number') return bytes;
    sizeBytes += bytes;
    // A file that grows as fast as it is read would never end.
    if (sizeBytes > size) return changed;
    const piece = block.subarray(0, bytes);
    hash.update(piece);
    take(piece);
  }
  return sizeBytes === size && isUnchanged(path, descriptor, before) ? { sha256: hash.digest('hex'), sizeBytes } : changed;
}

function read(descriptor: number, block: Buffer): number | ReadProblem {
  try {
    return readSync(descriptor, block);
  } catch (error) {
    return problemOf(error);
  }
}

// Under its path as well: another file may have been moved over it.
function isUnchanged(path: string, descriptor: number, before: BigIntStats): boolean {
  try {
    return isSame(before, fstatSync(descriptor, { bigint: true })) && isSame(before, lstatSync(path, { bigint: true }));
  } catch {
    return false;
  }
}

function isSame(a: BigIntStats, b: BigIntStats): boolean {
  return a.ino === b.ino && a.dev === b.dev && a.size === b.size && a.mtimeNs === b.mtimeNs && a.mode === b.mode;
}

function problemOf(error: unknown): ReadProblem {
  const code = (error as NodeJS.ErrnoException).code ?? 'unknown';
  if (code === 'ENOENT' || code === 'ENOTDIR') return { problem: 'missing', is: 'it is not there' };
  if (code === 'ELOOP' || code === 'ENXIO' || code === 'EISDIR') return notRegular;
  return { problem: 'unreadable', is: `it cannot be read (${code})` };
}

const notRegular: ReadProblem = { problem: 'not_regular', is: 'it is no regular file' };
const changed: ReadProblem = { problem: 'changed', is: 'it was changed while it was read' };
// A FIFO that took the place of the file since it was looked at must not be waited for. Windows has neither flag.
const openFlags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
const blockBytesMax = 262_144;

export type LineReaderOptions = {
  /** A line of that many bytes is too long already; its line feed does not count, a carriage return does (contract 0.3). */
  lineBytesMax: number;
  /** The bytes are good only during the call. `offset` is where the line begins in the file. */
  take: (line: Buffer, lineNumber: number, offset: number) => void;
  /** A line of white space alone; `take` does not see it. */
  blank: (lineNumber: number) => void;
  /** A line over the limit; `take` does not see it, and the lines behind it are read on. */
  tooLong: (lineNumber: number) => void;
};

/** The lines of a stream of blocks, in memory for one line at most (cassette-contract 0.3). */
export class LineReader {
  readonly #options: LineReaderOptions;
  #lineNumber = 1;
  /** Where the unfinished line begins. */
  #offset = 0;
  #rest: Buffer = Buffer.alloc(0);
  #restBytes = 0;
  #isTooLong = false;

  constructor(options: LineReaderOptions) {
    this.#options = options;
  }

  push(block: Buffer): void {
    let start = 0;
    for (let at = block.indexOf(10); at >= 0; at = block.indexOf(10, start)) {
      const isWhole = this.#restBytes === 0 && !this.#isTooLong;
      if (!isWhole) this.#hold(block.subarray(start, at));
      const line = isWhole ? block.subarray(start, at) : this.#rest.subarray(0, this.#restBytes);
      this.#give(line);
      this.#offset += 1;
      start = at + 1;
    }
    if (start < block.length) this.#hold(block.subarray(start));
  }

  /** The end of the file: a last line without a line feed counts. */
  end(): void {
    if (this.#restBytes > 0 || this.#isTooLong) this.#give(this.#rest.subarray(0, this.#restBytes));
  }

  #give(line: Buffer): void {
    const lineNumber = this.#lineNumber++;
    const offset = this.#offset;
    this.#offset += line.length;
    this.#restBytes = 0;
    if (this.#isTooLong || line.length >= this.#options.lineBytesMax) this.#options.tooLong(lineNumber);
    else if (isBlankLine(line)) this.#options.blank(lineNumber);
    else this.#options.take(line.at(-1) === carriageReturn ? line.subarray(0, -1) : line, lineNumber, offset);
    this.#isTooLong = false;
  }

  #hold(piece: Buffer): void {
    const needed = this.#restBytes + piece.length;
    if (this.#isTooLong || needed >= this.#options.lineBytesMax) {
      this.#isTooLong = true;
      this.#offset += needed;
      this.#restBytes = 0;
      return;
    }
    // Kept and filled again: one buffer serves all lines that lie over a border.
    if (needed > this.#rest.length) {
      const grown = Buffer.allocUnsafeSlow(Math.min(Math.max(needed, this.#rest.length * 2), this.#options.lineBytesMax));
      this.#rest.copy(grown, 0, 0, this.#restBytes);
      this.#rest = grown;
    }
    piece.copy(this.#rest, this.#restBytes);
    this.#restBytes = needed;
  }
}

function isBlankLine(line: Buffer): boolean {
  const first = line[0];
  return first === undefined || ((first <= space || first >= 0x80) && isBlank(line.toString()));
}

const carriageReturn = 13;
const space = 32;
