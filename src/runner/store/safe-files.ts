/** Reading and copying folders that somebody else may have made: no link is followed, no pipe waited for, nothing is unbounded. */

import { constants, closeSync, fstatSync, fsyncSync, lstatSync, mkdirSync, openSync, readSync, readdirSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { Buffer } from 'node:buffer';
import { limits } from '../../core/limits.ts';

/** Why a foreign file or folder was not taken; a value for who imports, never a fault. */
export class RefusedFile extends Error {
  override readonly name = 'RefusedFile';
}

/** Opens a regular file, or throws. Opening a pipe would wait for a writer, so it is opened without waiting and looked at then. */
export function openRegular(path: string, shown: string): number {
  let file: number;
  try {
    file = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    // Links and sockets cannot be opened like this at all.
    if (isThere(path)) throw new RefusedFile(`"${shown}" is no regular file that can be read`, { cause: error });
    throw error;
  }
  if (fstatSync(file).isFile()) return file;
  closeSync(file);
  throw new RefusedFile(`"${shown}" is no regular file`);
}

/** The content of a small regular file. */
export function readRegular(path: string, options: { shown: string; bytesMax: number }): Buffer {
  const file = openRegular(path, options.shown);
  try {
    const pieces: Buffer[] = [];
    let bytes = 0;
    for (const piece of piecesOf(file)) {
      bytes += piece.length;
      if (bytes > options.bytesMax) throw new RefusedFile(`"${options.shown}" has more than ${options.bytesMax} bytes`);
      pieces.push(Buffer.from(piece));
    }
    return Buffer.concat(pieces);
  } finally {
    closeSync(file);
  }
}

/** Copies a folder of regular files. A file over the limit is not begun; what is really read counts too, as a file may grow meanwhile. */
export function copyFolder(from: string, to: string, bytesMax: number): void {
  const left = { bytes: bytesMax, entries: limits.cassetteEntryCountMax };
  copyInto({ from, to, shown: '', depth: 0, left });
}

type Copy = { from: string; to: string; shown: string; depth: number; left: { bytes: number; entries: number } };

function copyInto({ from, to, shown, depth, left }: Copy): void {
  if (depth > folderDepthMax) throw new RefusedFile(`"${shown}" is more than ${folderDepthMax} folders deep`);
  if (!lstatSync(from).isDirectory()) throw new RefusedFile(`"${shown || '.'}" is no folder`);
  mkdirSync(to, { mode: 0o700 });
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const name = shown === '' ? entry.name : `${shown}/${entry.name}`;
    if (--left.entries < 0) throw new RefusedFile(`the folder holds more than ${limits.cassetteEntryCountMax} entries`);
    if (entry.isDirectory()) copyInto({ from: join(from, entry.name), to: join(to, entry.name), shown: name, depth: depth + 1, left });
    else copyFile({ from: join(from, entry.name), to: join(to, entry.name), shown: name, left });
  }
}

function copyFile({ from, to, shown, left }: Omit<Copy, 'depth'>): void {
  const source = openRegular(from, shown);
  try {
    const refuseAbove = (bytes: number): void => {
      if (bytes > left.bytes) throw new RefusedFile(`the files are too large together, at "${shown}"`);
    };
    refuseAbove(fstatSync(source).size);
    writeNew(to, piecesOf(source), (piece) => {
      refuseAbove(piece.length);
      left.bytes -= piece.length;
    });
  } finally {
    closeSync(source);
  }
}

/** Writes a file that must not exist yet, and syncs it. */
export function writeNew(path: string, pieces: Iterable<Buffer>, onPiece: (piece: Buffer) => void = () => {}, mode = 0o600): void {
  const file = openSync(path, 'wx', mode);
  try {
    for (const piece of pieces) {
      onPiece(piece);
      for (let at = 0; at < piece.length; ) at += writeSync(file, piece, at);
    }
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** The content of an open file; each piece is valid until the next one is asked for. */
export function* piecesOf(file: number): Generator<Buffer> {
  const buffer = Buffer.allocUnsafe(pieceBytes);
  for (let count = readSync(file, buffer); count > 0; count = readSync(file, buffer)) yield buffer.subarray(0, count);
}

/** Makes each folder on the way below `root`, and refuses to walk through a link: what is written below may not land elsewhere. */
export function makeFolderBelow(root: string, names: readonly string[]): string {
  return names.reduce((folder, name) => {
    const next = join(folder, name);
    if (!isThere(next)) mkdirSync(next, { mode: 0o700 });
    if (!lstatSync(next).isDirectory()) throw new RefusedFile(`"${name}" is no folder`);
    return next;
  }, root);
}

/** Whether anything has this name, a broken link included. */
export function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

export function syncFolder(path: string): void {
  const folder = openSync(path, 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}

const pieceBytes = 256 * 1024;
const folderDepthMax = 16;
