/** Makes a plain Electron of the pinned archive: all or nothing, because the folder gets its name when it is finished. */

import { createHash } from 'node:crypto';
import { chmodSync, cpSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createFault } from './fault.mjs';
import { flipFuses } from './fuses.mjs';
import { markerText } from './electron.mjs';
import { readZip } from './zip.mjs';

/** `temp` is on the disk of the folder; what an interrupted run left there is taken away. */
export function makeElectron({ root, temp, electron }) {
  const at = (file) => path.join(root, file);
  const archive = readArchive(at(electron.archive), electron);
  rmSync(at(temp), { recursive: true, force: true });
  unpackInto(at(temp), readZip(archive), electron);
  finishProgram(at(temp), electron);
  cpSync(at(electron.defaultApp), path.join(at(temp), 'resources/app'), { recursive: true });
  writeFileSync(path.join(at(temp), 'made-from.json'), markerText(electron));
  rmSync(at(electron.folder), { recursive: true, force: true });
  mkdirSync(path.dirname(at(electron.folder)), { recursive: true });
  renameSync(at(temp), at(electron.folder));
}

function readArchive(file, { sha256 }) {
  const archive = readFileSync(file);
  const actual = createHash('sha256').update(archive).digest('hex');
  if (actual === sha256) return archive;
  throw createFault({ code: 'archive_changed', message: `Cannot use "${path.basename(file)}": its sha256 is ${actual}, ${sha256} was needed`, next: 'find out why the package has changed before you trust it' });
}

function unpackInto(folder, entries, { inArchive, leftOut }) {
  for (const { name, isFolder, isLink, mode, read } of entries) {
    const inside = name.slice(inArchive.length);
    if (!name.startsWith(inArchive) || leftOut.some((left) => inside.startsWith(left))) continue;
    if (isLink) throw createFault({ code: 'archive_changed', message: `Cannot use the archive: "${name}" is a link, plain files alone were needed`, next: 'compare the version in tools/electron with scripts/setup/electron.mjs' });
    const file = path.join(folder, inside);
    mkdirSync(isFolder ? file : path.dirname(file), { recursive: true });
    if (!isFolder) writeFileSync(file, read(), { mode: mode | 0o600 });
  }
}

function finishProgram(folder, { program, fuses }) {
  const bytes = readFileSync(path.join(folder, program));
  flipFuses(bytes, fuses);
  writeFileSync(path.join(folder, program), bytes);
  renameSync(path.join(folder, program), path.join(folder, 'electron'));
  chmodSync(path.join(folder, 'electron'), 0o755);
}
