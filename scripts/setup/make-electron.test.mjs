import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { deflateRawSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { flipFuses } from './fuses.mjs';
import { makeElectron } from './make-electron.mjs';
import { readZip } from './zip.mjs';

let root;
beforeEach(() => (root = mkdtempSync(path.join(tmpdir(), 'playhead-test-electron-'))));
afterEach(() => rmSync(root, { recursive: true, force: true }));

const sentinel = 'dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX';
const wire = (fuses = '10100011', version = 1) => `${sentinel}${String.fromCharCode(version, fuses.length)}${fuses}`;

/** An archive of `[name, content, how]`; everything that a damage needs can be said. */
function writeZip(files, { count = files.length } = {}) {
  const heads = [];
  const parts = [];
  let at = 0;
  for (const [name, content = '', { isStored = false, mode = 0o100644, method = isStored ? 0 : 8, bytes = Buffer.byteLength(content) } = {}] of files) {
    const packed = isStored ? Buffer.from(content, 'latin1') : deflateRawSync(Buffer.from(content, 'latin1'));
    const local = Buffer.alloc(30);
    local.writeUInt32LE(0x04034b50, 0);
    local.writeUInt16LE(name.length, 26);
    local.writeUInt16LE(4, 28);
    const head = Buffer.alloc(46);
    head.writeUInt32LE(0x02014b50, 0);
    head.writeUInt16LE(method, 10);
    head.writeUInt32LE(packed.length, 20);
    head.writeUInt32LE(bytes, 24);
    head.writeUInt16LE(name.length, 28);
    head.writeUInt32LE((mode << 16) >>> 0, 38);
    head.writeUInt32LE(at, 42);
    heads.push(head, Buffer.from(name));
    parts.push(local, Buffer.from(name), Buffer.alloc(4), packed);
    at += 34 + name.length + packed.length;
  }
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(count, 10);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...parts, ...heads, end]);
}

const files = [
  ['App/'],
  ['App/App', `before${wire()}after`, { mode: 0o100755 }],
  ['App/data.pak', 'pak', { isStored: true }],
  ['App/snapshot.bin', 'left out'],
  ['App/resources/app/index.js', 'left out'],
  ['App/resources/other.txt', 'kept'],
  ['Beside/it.txt', 'left out'],
];

function prepare(entries = files, change = {}) {
  const archive = writeZip(entries);
  const electron = {
    version: '1.0.0', recipe: 1, archive: 'archive.zip', sha256: createHash('sha256').update(archive).digest('hex'), inArchive: 'App/', program: 'App',
    leftOut: ['resources/app/', 'snapshot.bin'], fuses: { before: '10100011', changes: [[3, '1'], [6, '0']] }, defaultApp: 'default-app', folder: 'tools/dist', ...change,
  };
  mkdirSync(path.join(root, 'default-app'), { recursive: true });
  writeFileSync(path.join(root, 'default-app/main.cjs'), 'ours');
  writeFileSync(path.join(root, electron.archive), archive);
  return { root, temp: '.cache/electron', electron };
}

const listed = () => readdirSync(path.join(root, 'tools/dist'), { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).map((entry) => path.relative(path.join(root, 'tools/dist'), path.join(entry.parentPath, entry.name))).sort();
const textOf = (file) => readFileSync(path.join(root, 'tools/dist', file), 'latin1');

test('makeElectron() leaves the other app out, renames the program, flips its fuses and puts our app in', () => {
  makeElectron(prepare());
  expect(listed()).toEqual(['data.pak', 'electron', 'made-from.json', 'resources/app/main.cjs', 'resources/other.txt']);
  expect(textOf('electron')).toBe(`before${wire('10110001')}after`);
  expect(statSync(path.join(root, 'tools/dist/electron')).mode & 0o777).toBe(0o755);
  expect(textOf('resources/app/main.cjs')).toBe('ours');
  expect(existsSync(path.join(root, '.cache/electron'))).toBe(false);
});

test('makeElectron() takes away what an interrupted run and an older one left', () => {
  for (const file of ['.cache/electron/half.bin', 'tools/dist/old.bin']) {
    mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
    writeFileSync(path.join(root, file), 'x');
  }
  makeElectron(prepare());
  expect(listed()).not.toContain('half.bin');
  expect(listed()).not.toContain('old.bin');
});

test.each([
  ['another archive', files, { sha256: 'a'.repeat(64) }, 'archive_changed'],
  ['a program without fuses', [['App/App', 'nothing']], {}, 'program_unexpected'],
  ['a link', [...files, ['App/link', 'App', { mode: 0o120777 }]], {}, 'archive_changed'],
  ['a broken archive', [...files, ['../outside', 'x']], {}, 'archive_broken'],
])('makeElectron() refuses %s and leaves no folder that counts as done', (_, entries, change, code) => {
  expect(() => makeElectron(prepare(entries, change))).toThrow(expect.objectContaining({ code }));
  expect(existsSync(path.join(root, 'tools/dist'))).toBe(false);
});

test('readZip() reads packed, stored and empty entries, and modes', () => {
  const entries = readZip(writeZip([['a', 'x'.repeat(1000), { mode: 0o100755 }], ['b', 'y', { isStored: true }], ['c/'], ['d', '']]));
  expect(entries.map(({ name, isFolder, mode, read }) => [name, isFolder, mode, read().length])).toEqual([['a', false, 0o755, 1000], ['b', false, 0o644, 1], ['c/', true, 0o644, 0], ['d', false, 0o644, 0]]);
});

test.each([
  ['no archive', Buffer.from('text'), 'it has no directory at its end'],
  ['half an archive', writeZip(files).subarray(40), 'entry 1 of 7 is not there'],
  ['an entry too few', writeZip([['a', 'x']], { count: 2 }), 'entry 2 of 2 is not there'],
  ['an absolute name', writeZip([['/etc/x', 'x']]), 'an entry is named "/etc/x"'],
  ['a name that climbs', writeZip([['a/../../x', 'x']]), 'an entry is named "a/../../x"'],
  ['the zip64 form', writeZip([['a', 'x']], { count: 0xffff }), 'it has the zip64 form'],
  ['another method', writeZip([['a', 'x', { method: 12 }]]), '"a" is packed by method 12'],
  ['another size', writeZip([['a', 'xyz', { isStored: true, bytes: 4 }]]), '"a" has 3 bytes, the directory says 4'],
])('readZip() refuses %s', (_, archive, is) => {
  expect(() => readZip(archive).forEach(({ read }) => read())).toThrow(is);
});

const program = (text) => Buffer.from(text, 'latin1');
const spec = { before: '10100011', changes: [[3, '1']] };
test.each([
  ['no wire', program('x'), 'it has no fuse wire'],
  ['two wires', program(wire() + wire()), 'it has more than one fuse wire'],
  ['another version', program(wire('10100011', 2)), 'its fuse wire has version 2 and 8 fuses'],
  ['another count', program(wire('101000110')), 'its fuse wire has version 1 and 9 fuses'],
  ['other fuses', program(wire('10110011')), 'its fuses are 10110011'],
])('flipFuses() refuses %s', (_, bytes, is) => {
  expect(() => flipFuses(bytes, spec)).toThrow(is);
});
