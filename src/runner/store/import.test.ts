import { execFileSync } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, symlinkSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { JsonObject } from '../../core/json/exact.ts';
import { createRoom, idOf, picture, sha256Of, writeCassette, type Room } from './fixtures.ts';
import { createFolderCatalog } from './folder-catalog.ts';
import { importCassettes } from './import.ts';

const isTargetRegistered = (target: string) => target === 'local:codex';
const importAll = (room: Room, folders: string[], scopeId = ' workspace-1 ') => importCassettes(room.store, { scopeId, folders, isTargetRegistered });
const check = async (room: Room, folders: string[]) => {
  const result = await importAll(room, folders);
  return result.ok ? [...result.value.imported.map(({ cassette }) => cassette.id), ...result.value.failures.map(({ code, refusal }) => `${code} ${refusal.code}`)] : result.refusal.code;
};
const goodOne = (room: Room, digit = 1, change: JsonObject = {}) => writeCassette(join(room.root, `source-${digit}`), { id: idOf(digit), sourceRecordingId: idOf(`f${digit}`), ...change });

test('importCassettes() copies and verifies a folder, leaves the source as it is, and makes a complete recording', async () => {
  const room = createRoom(onTestFinished);
  const source = goodOne(room);
  writeFileSync(join(source, '.DS_Store'), 'x');
  const before = picture(source);
  const result = await importAll(room, [` ${source}\n`]);
  const [imported] = result.ok ? result.value.imported : [];
  expect(imported?.recording).toMatchObject({ id: idOf('f1'), cassetteId: idOf(1), scopeId: 'workspace-1', status: 'complete', createdAtUnixMs: 1_900_000_000_000, recordingAtUnixMs: 1_900_000_000_000, stoppedAtUnixMs: 1_900_000_000_000, updatedAtUnixMs: 5000, replayPrerequisites: { composerDefaults: { model: '' } } });
  expect(imported?.cassette).toMatchObject({ id: idOf(1), manifestSha256: sha256Of(readFileSync(join(source, 'cassette.json'))) });
  expect([picture(source), picture(join(room.store.cassettesRoot, idOf(1)))]).toEqual([before, before]);
  expect([readdirSync(room.store.cassettesRoot), room.catalog.rows.size]).toEqual([[idOf(1)], 1]);
  expect(await check(room, [source])).toEqual(['conflict import_conflict']);
});

test('importCassettes() does not let one bad folder stop the others', async () => {
  const room = createRoom(onTestFinished);
  expect(await check(room, [join(room.root, 'nowhere'), goodOne(room), '', goodOne(room, 2)])).toEqual([idOf(1), idOf(2), 'invalid import_invalid', 'invalid import_invalid']);
});

test('importCassettes() refuses a request without workspace, without folders, or with more than a hundred', async () => {
  const room = createRoom(onTestFinished);
  const source = goodOne(room);
  const results = await Promise.all([importAll(room, [source], ' '), importAll(room, []), importAll(room, Array.from({ length: 101 }, () => source))]);
  expect(results.map((result) => result.ok || result.refusal.code)).toEqual(['import_invalid', 'import_invalid', 'import_invalid']);
});

test('importCassettes() takes a folder once', async () => {
  const room = createRoom(onTestFinished);
  const source = goodOne(room);
  expect(await check(room, [source, ` ${source}`])).toEqual([idOf(1), 'invalid import_invalid']);
  expect(await check(room, [`${source}/`])).toEqual(['conflict import_conflict']);
});

// Each row damages a good source; nothing may be left in the store, and nothing may be written elsewhere.
const outside = (room: Room) => join(room.root, 'outside');
test.each<[string, (source: string, room: Room) => void, string]>([
  ['a relative path', () => {}, 'invalid import_invalid'],
  ['an id that climbs', (source) => writeCassette(source, { id: '../../outside' }), 'invalid import_invalid'],
  ['an id that is a path', (source, room) => writeCassette(source, { id: outside(room) }), 'invalid import_invalid'],
  ['an id that is no UUID', (source) => writeCassette(source, { id: 'cassette-1' }), 'invalid import_invalid'],
  ['a UUID with a line feed', (source) => writeCassette(source, { id: `${idOf(1)}\n` }), 'invalid import_invalid'],
  ['a blank id', (source) => writeCassette(source, { id: ' ' }), 'invalid import_invalid'],
  ['a recording that is no UUID', (source) => writeCassette(source, { id: idOf(1), sourceRecordingId: 'r' }), 'invalid import_invalid'],
  ['a target nobody registered', (source) => writeCassette(source, { id: idOf(1), sourceRecordingId: idOf(2), agentTargetId: 'local:cursor' }), 'invalid target_unsupported'],
  ['no manifest', (source) => rmSync(join(source, 'cassette.json')), 'invalid import_invalid'],
  ['a manifest that is no JSON', (source) => truncateSync(join(source, 'cassette.json'), 100), 'invalid import_invalid'],
  ['a manifest over a mebibyte', (source) => appendFileSync(join(source, 'cassette.json'), ' '.repeat(1_048_576)), 'invalid import_invalid'],
  ['a manifest that is a link', (source, room) => { writeFileSync(outside(room), readFileSync(join(source, 'cassette.json'))); rmSync(join(source, 'cassette.json')); symlinkSync(outside(room), join(source, 'cassette.json')); }, 'invalid import_invalid'],
  ['a manifest that is a pipe', (source) => { rmSync(join(source, 'cassette.json')); execFileSync('mkfifo', [join(source, 'cassette.json')]); }, 'invalid import_invalid'],
  ['a manifest that is a folder', (source) => { rmSync(join(source, 'cassette.json')); mkdirSync(join(source, 'cassette.json')); }, 'invalid import_invalid'],
  ['a changed file', (source) => appendFileSync(join(source, 'expected-state.json'), 'x'), 'invalid import_invalid'],
  ['a file too many', (source) => writeFileSync(join(source, 'app.log'), ''), 'invalid import_invalid'],
  ['a linked file', (source) => symlinkSync('/etc/hostname', join(source, 'blobs', 'x')), 'invalid import_invalid'],
  ['a broken link', (source) => symlinkSync('/nowhere', join(source, 'x')), 'invalid import_invalid'],
  ['a link with the name of what the Finder leaves', (source) => symlinkSync('/nowhere', join(source, '.DS_Store')), 'invalid import_invalid'],
  ['a linked folder', (source, room) => { mkdirSync(outside(room)); symlinkSync(outside(room), join(source, 'folder')); }, 'invalid import_invalid'],
  ['a pipe', (source) => void execFileSync('mkfifo', [join(source, 'provider', 'pipe')]), 'invalid import_invalid'],
  ['folders without end', (source) => void mkdirSync(join(source, ...Array.from({ length: 40 }, () => 'd')), { recursive: true }), 'invalid import_invalid'],
  ['a file over the limit of all', (source) => { writeFileSync(join(source, 'big'), ''); truncateSync(join(source, 'big'), 402_653_184 + 1_048_576 + 1); }, 'invalid import_invalid'],
  ['a catalog that has its recording', (_source, room) => void room.catalog.rows.set(idOf('f1'), { id: idOf('f1') } as never), 'conflict import_conflict'],
  ['a catalog that has its cassette', (_source, room) => void room.catalog.cassettes.set(idOf(1), {} as never), 'conflict import_conflict'],
])('importCassettes() with %s leaves nothing behind', async (title, damage, expected) => {
  const room = createRoom(onTestFinished);
  const source = goodOne(room);
  damage(source, room);
  const before = existsSync(outside(room)) ? 'there' : 'none';
  expect(await check(room, [title === 'a relative path' ? 'source-1' : source])).toEqual([expected]);
  expect([readdirSync(room.store.cassettesRoot), existsSync(outside(room)) ? 'there' : 'none']).toEqual([[], before]);
});

test('importCassettes() refuses a source that is a link to a cassette', async () => {
  const room = createRoom(onTestFinished);
  symlinkSync(goodOne(room), join(room.root, 'link'));
  expect(await check(room, [join(room.root, 'link')])).toEqual(['invalid import_invalid']);
});

test.each<[string, (path: string, room: Room) => void]>([
  ['an empty folder', (path) => mkdirSync(path)],
  ['a file', (path) => writeFileSync(path, 'mine')],
  ['a link to nowhere', (path) => symlinkSync('/nowhere', path)],
  ['a link to a folder elsewhere', (path, room) => { mkdirSync(outside(room)); symlinkSync(outside(room), path); }],
])('importCassettes() leaves %s in its place alone', async (_title, occupy) => {
  const room = createRoom(onTestFinished);
  occupy(join(room.store.cassettesRoot, idOf(1)), room);
  const before = picture(room.store.cassettesRoot);
  expect(await check(room, [goodOne(room)])).toEqual(['conflict import_conflict']);
  expect([picture(room.store.cassettesRoot), existsSync(outside(room)) ? readdirSync(outside(room)) : []]).toEqual([before, []]);
});

test('importCassettes() takes ids for equal that differ by the case of their letters', async () => {
  const room = createRoom(onTestFinished);
  const id = 'abcdef00-0000-4000-8000-000000000000';
  mkdirSync(join(room.store.cassettesRoot, id.toUpperCase()));
  expect(await check(room, [goodOne(room, 1, { id })])).toEqual(['conflict import_conflict']);
});

test('importCassettes() removes the cassette again where its rows cannot be written', async () => {
  const room = createRoom(onTestFinished);
  room.catalog.commit = () => {
    throw new Error('disk full');
  };
  expect([await check(room, [goodOne(room)]), readdirSync(room.store.cassettesRoot)]).toEqual([['failed import_failed'], []]);
});

test('importCassettes() sweeps what an import left that was killed a day ago, and not what may be at work', async () => {
  const room = createRoom(onTestFinished);
  const [old, young] = ['old', 'young'].map((name) => join(room.store.cassettesRoot, `.playhead-staging-${name}`)) as [string, string];
  for (const folder of [old, young]) writeCassette(folder);
  room.store.nowUnixMs = () => 1_900_000_000_000;
  utimesSync(young, 1_899_999_999, 1_899_999_999);
  utimesSync(old, 1_800_000_000, 1_800_000_000);
  expect(createFolderCatalog(room.store).recordings()).toEqual([]);
  expect(await check(room, [goodOne(room)])).toEqual([idOf(1)]);
  expect([existsSync(old), existsSync(young)]).toEqual([false, true]);
});

test('importCassettes() into a folder that is its own catalog', async () => {
  const room = createRoom(onTestFinished);
  room.store.catalog = createFolderCatalog({ cassettesRoot: room.store.cassettesRoot, scopeId: 'workspace-1' });
  expect(await check(room, [goodOne(room), goodOne(room, 2, { sourceRecordingId: idOf('f1') })])).toEqual([idOf(1), 'conflict import_conflict']);
  expect(room.store.catalog.recordings()).toMatchObject([{ id: idOf('f1'), cassetteId: idOf(1), scopeId: 'workspace-1', status: 'complete' }]);
});
