import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { addCassette, createRoom, idOf, writeCassette } from './fixtures.ts';
import { createFolderCatalog } from './folder-catalog.ts';
import { listCassettes, listRecordings } from './list.ts';

test('listRecordings() and listCassettes() take one scope, trimmed, or all of them, oldest first, with their folders', () => {
  const room = createRoom(onTestFinished);
  addCassette(room, 1);
  addCassette(room, 2, { createdAtUnixMs: 1 });
  room.catalog.rows.set('r', { ...room.catalog.rows.get(idOf('f1'))!, id: 'r', scopeId: 'workspace-2', status: 'failed', cassetteId: null });
  const [root, candidates] = [room.store.cassettesRoot, room.store.candidatesRoot];
  expect(listRecordings(room.store, ' workspace-1 ').map(({ recording, folder }) => [recording.id, folder])).toEqual([[idOf('f2'), join(root, idOf(2))], [idOf('f1'), join(root, idOf(1))]]);
  expect(listRecordings(room.store, 'workspace-2').map(({ folder }) => folder)).toEqual([join(candidates, 'r')]);
  expect([listRecordings(room.store, '').length, listRecordings(room.store, 'workspace').length]).toEqual([3, 0]);
  expect(listCassettes(room.store, '\tworkspace-1').map(({ cassette, folder }) => [cassette.id, folder])).toEqual([[idOf(2), join(root, idOf(2))], [idOf(1), join(root, idOf(1))]]);
});

test('createFolderCatalog() makes each row from its cassette, and passes over what is none', () => {
  const room = createRoom(onTestFinished);
  const cassette = addCassette(room, 1);
  const root = room.store.cassettesRoot;
  writeCassette(join(root, idOf(2)), { id: idOf(3) });
  writeCassette(join(root, '.playhead-staging-x'), { id: '.playhead-staging-x' });
  mkdirSync(join(root, idOf(4)));
  writeFileSync(join(root, 'README'), '');
  writeFileSync(join(writeCassette(join(root, idOf(5)), { id: idOf(5) }), 'cassette.json'), 'x');
  const catalog = createFolderCatalog({ cassettesRoot: root, scopeId: 'w' });
  expect(catalog.recordings()).toEqual([{ ...room.catalog.rows.get(idOf('f1')), scopeId: 'w', updatedAtUnixMs: cassette.createdAtUnixMs }]);
  expect([idOf(1), idOf(2), idOf(3), idOf(4), `../cassettes/${idOf(1)}`].map((id) => catalog.findCassette(id))).toEqual([cassette, null, null, null, null]);
  rmSync(root, { recursive: true });
  expect(catalog.recordings()).toEqual([]);
});
