import { appendFileSync, chmodSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { addCassette, createRoom, idOf, picture, sha256Of, type Room } from './fixtures.ts';
import { createFolderCatalog } from './folder-catalog.ts';
import { renameCassette } from './rename.ts';

const check = async (room: Room, name: string, recordingId = idOf('f1')) => {
  const result = await renameCassette(room.store, { recordingId, name });
  return result.ok ? result.value.cassette.name : [result.refusal.code, ...result.refusal.issues.map(({ code }) => code)].join(' ');
};
const manifestOf = (room: Room) => join(room.store.cassettesRoot, idOf(1), 'cassette.json');

test('renameCassette() changes the name in both rows and in the manifest, its hash in the row, and nothing else', async () => {
  const room = createRoom(onTestFinished);
  const old = addCassette(room, 1, { future: { b: 1, a: [null] }, '7': 'seven' });
  const [text, before] = [readFileSync(manifestOf(room), 'utf8'), picture(room.store.cassettesRoot)];
  expect(await check(room, ' A <new> name ')).toBe('A <new> name');
  const after = readFileSync(manifestOf(room), 'utf8');
  expect(after).toBe(text.replace('"name": "Two turns"', '"name": "A \\u003cnew\\u003e name"'));
  expect(picture(room.store.cassettesRoot)).toEqual({ ...before, [`${idOf(1)}/cassette.json`]: after });
  expect(room.catalog.cassettes.get(idOf(1))).toEqual({ ...old, name: 'A <new> name', manifestSha256: sha256Of(after) });
  expect(room.catalog.rows.get(idOf('f1'))).toMatchObject({ name: 'A <new> name', createdAtUnixMs: old.createdAtUnixMs, updatedAtUnixMs: 5000 });
});

test('renameCassette() keeps the mode of the file, and can be done again', async () => {
  const room = createRoom(onTestFinished);
  addCassette(room, 1);
  chmodSync(manifestOf(room), 0o644);
  expect([await check(room, 'one'), await check(room, 'two'), statSync(manifestOf(room)).mode & 0o777]).toEqual(['one', 'two', 0o644]);
});

test.each<[string, (room: Room) => void, string, string?]>([
  ['a blank name', () => {}, 'cassette_name_invalid', ' \u0085 '],
  ['a name of 121 characters', () => {}, 'cassette_name_invalid', 'x'.repeat(121)],
  ['an unknown recording', (room) => room.catalog.rows.clear(), 'recording_not_found'],
  ['a recording that failed', (room) => room.catalog.rows.set(idOf('f1'), { ...room.catalog.rows.get(idOf('f1'))!, status: 'failed' }), 'recording_state_invalid'],
  ['a recording at work', (room) => room.catalog.rows.set(idOf('f1'), { ...room.catalog.rows.get(idOf('f1'))!, status: 'recording' }), 'recording_state_invalid'],
  ['a recording without cassette', (room) => room.catalog.rows.set(idOf('f1'), { ...room.catalog.rows.get(idOf('f1'))!, cassetteId: null }), 'recording_state_invalid'],
  ['a cassette the catalog lacks', (room) => room.catalog.cassettes.clear(), 'cassette_not_found'],
  ['a changed file', (room) => appendFileSync(join(room.store.cassettesRoot, idOf(1), 'expected-state.json'), 'x'), 'cassette_invalid file_size_mismatch'],
  ['a manifest the catalog does not pin', (room) => appendFileSync(manifestOf(room), ' '), 'cassette_invalid manifest_sha256_mismatch'],
])('renameCassette() refuses %s and writes nothing', async (_title, damage, expected, name = 'new') => {
  const room = createRoom(onTestFinished);
  addCassette(room, 1);
  damage(room);
  const before = picture(room.store.cassettesRoot);
  expect([await check(room, name), picture(room.store.cassettesRoot)]).toEqual([expected, before]);
});

test('renameCassette() refuses a manifest that changes while it is judged', async () => {
  const room = createRoom(onTestFinished);
  addCassette(room, 1);
  const judge = room.store.resolveCassette;
  room.store.resolveCassette = async (folder, pinned) => {
    const resolved = await judge(folder, pinned);
    appendFileSync(manifestOf(room), '\n');
    return resolved;
  };
  expect(await check(room, 'new')).toBe('cassette_invalid');
});

test('renameCassette() refuses a manifest that is larger than it reads', async () => {
  const room = createRoom(onTestFinished);
  addCassette(room, 1);
  appendFileSync(manifestOf(room), ' '.repeat(1_048_576));
  const cassette = room.catalog.cassettes.get(idOf(1))!;
  room.catalog.cassettes.set(idOf(1), { ...cassette, manifestSha256: sha256Of(readFileSync(manifestOf(room))) });
  expect(await check(room, 'new')).toBe('cassette_invalid');
});

test('renameCassette() puts the old name back where the rows cannot be written, and gives the error', async () => {
  const room = createRoom(onTestFinished);
  addCassette(room, 1);
  const before = picture(room.store.cassettesRoot);
  room.catalog.commit = () => {
    throw new Error('disk full');
  };
  await expect(check(room, 'new')).rejects.toThrow('disk full');
  expect(picture(room.store.cassettesRoot)).toEqual(before);
});

test('renameCassette() gives both errors where the old name cannot be put back either', async () => {
  const room = createRoom(onTestFinished);
  addCassette(room, 1);
  room.catalog.commit = () => {
    rmSync(room.store.cassettesRoot, { recursive: true });
    throw new Error('disk full');
  };
  const error: unknown = await check(room, 'new').catch((caught: unknown) => caught);
  expect((error as AggregateError).errors.map(String)).toEqual(['Error: disk full', expect.stringContaining('ENOENT')]);
});

test('renameCassette() leaves no file too many in a cassette, whatever stops it', async () => {
  const room = createRoom(onTestFinished);
  addCassette(room, 1);
  writeFileSync(join(room.store.cassettesRoot, '.playhead-staging-id-0'), 'left by a killed one');
  await expect(check(room, 'new')).rejects.toThrow('EEXIST');
  expect(readdirSync(join(room.store.cassettesRoot, idOf(1))).toSorted()).toEqual(['activity-events.jsonl', 'blobs', 'cassette.json', 'checkpoint-plan.json', 'expected-state.json', 'provider']);
});

test('renameCassette() in a folder that is its own catalog', async () => {
  const room = createRoom(onTestFinished);
  addCassette(room, 1);
  room.store.catalog = createFolderCatalog(room.store);
  expect(await check(room, 'new')).toBe('new');
  expect(room.store.catalog.findCassette(idOf(1))).toMatchObject({ name: 'new', manifestSha256: sha256Of(readFileSync(manifestOf(room))) });
});
