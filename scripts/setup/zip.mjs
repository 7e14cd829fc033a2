/** Reads a zip archive that is whole in memory: Node alone, because a clean machine has no `unzip` (PKWARE APPNOTE 4.3). */

import { inflateRawSync } from 'node:zlib';
import { createFault } from './fault.mjs';

/** The entries of the archive in its own order: `{ name, isFolder, mode, read() }`. A name that leaves the folder is refused. */
export function readZip(archive) {
  const { count, offset } = findDirectory(archive);
  const entries = [];
  let at = offset;
  for (let index = 0; index < count; index++) {
    if (at + ENTRY_BYTES > archive.length || archive.readUInt32LE(at) !== ENTRY) throw broken(`entry ${index + 1} of ${count} is not there`, 'every entry');
    const nameBytes = archive.readUInt16LE(at + 28);
    entries.push(readEntry(archive, at, archive.toString('utf8', at + ENTRY_BYTES, at + ENTRY_BYTES + nameBytes)));
    at += ENTRY_BYTES + nameBytes + archive.readUInt16LE(at + 30) + archive.readUInt16LE(at + 32);
  }
  return entries;
}

// The record at the end, behind which a comment may stand.
function findDirectory(archive) {
  const at = archive.lastIndexOf(END_TEXT);
  if (at < 0 || at + END_BYTES > archive.length) throw broken('it has no directory at its end', 'a whole zip archive');
  const count = archive.readUInt16LE(at + 10);
  const offset = archive.readUInt32LE(at + 16);
  if (count === 0xffff || offset === 0xffffffff) throw broken('it has the zip64 form', 'one below 4 GiB and 65535 entries');
  return { count, offset };
}

function readEntry(archive, at, name) {
  if (name.startsWith('/') || /[\\\0]/.test(name) || name.split('/').includes('..')) throw broken(`an entry is named "${name}"`, 'names inside the folder');
  const method = archive.readUInt16LE(at + 10);
  const storedBytes = archive.readUInt32LE(at + 20);
  const bytes = archive.readUInt32LE(at + 24);
  const headerAt = archive.readUInt32LE(at + 42);
  const read = () => unpack({ archive, name, method, storedBytes, bytes, headerAt });
  // Unix keeps its mode in the upper half; the type stands in the bits above the permissions.
  const mode = archive.readUInt32LE(at + 38) >>> 16;
  return { name, isFolder: name.endsWith('/'), isLink: (mode & 0o170000) === 0o120000, mode: mode & 0o777, read };
}

function unpack({ archive, name, method, storedBytes, bytes, headerAt }) {
  if (archive.readUInt32LE(headerAt) !== HEADER) throw broken(`"${name}" has no header`, 'one for each entry');
  // Note: the extra field here may be longer than the one in the directory.
  const from = headerAt + HEADER_BYTES + archive.readUInt16LE(headerAt + 26) + archive.readUInt16LE(headerAt + 28);
  const stored = archive.subarray(from, from + storedBytes);
  if (method !== STORED && method !== DEFLATED) throw broken(`"${name}" is packed by method ${method}`, '0 or 8');
  const content = method === STORED ? stored : inflateRawSync(stored, { maxOutputLength: Math.max(bytes, 1) });
  if (content.length !== bytes) throw broken(`"${name}" has ${content.length} bytes, the directory says ${bytes}`, 'equal sizes');
  return content;
}

const broken = (is, needed) => createFault({ code: 'archive_broken', message: `Cannot read the archive: ${is}, ${needed} was needed`, next: 'install the package again' });

const HEADER = 0x04034b50;
const HEADER_BYTES = 30;
const ENTRY = 0x02014b50;
const ENTRY_BYTES = 46;
const END_TEXT = Buffer.from([0x50, 0x4b, 0x05, 0x06]);
const END_BYTES = 22;
const STORED = 0;
const DEFLATED = 8;
