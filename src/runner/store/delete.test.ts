import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Recording } from '../../core/recording/recording.ts';
import { deleteRecording } from './delete.ts';
import { addCassette, createRoom, idOf, type Room } from './fixtures.ts';

const check = (room: Room, id = idOf('f1')) => {
  const result = deleteRecording(room.store, id);
  return result.ok ? 'deleted' : result.refusal.code;
};
const change = (room: Room, to: Partial<Recording>) => room.catalog.rows.set(idOf('f1'), { ...room.catalog.rows.get(idOf('f1'))!, ...to });

test('deleteRecording() removes the cassette and both of its rows, and no other', () => {
  const room = createRoom(onTestFinished);
  addCassette(room, 1);
  addCassette(room, 2);
  expect([check(room), check(room)]).toEqual(['deleted', 'recording_not_found']);
  expect([readdirSync(room.store.cassettesRoot), [...room.catalog.rows.keys()], [...room.catalog.cassettes.keys()]]).toEqual([[idOf(2)], [idOf('f2')], [idOf(2)]]);
});

test.each(['preparing', 'ready', 'recording', 'finalizing'] as const)('deleteRecording() refuses a recording that is %s', (status) => {
  const room = createRoom(onTestFinished);
  addCassette(room, 1);
  change(room, { status });
  expect([check(room), room.catalog.rows.size, readdirSync(room.store.cassettesRoot)]).toEqual(['recording_active', 1, [idOf(1)]]);
});

test('deleteRecording() removes the candidate of a recording without cassette', () => {
  const room = createRoom(onTestFinished);
  addCassette(room, 1);
  change(room, { status: 'failed', cassetteId: null });
  mkdirSync(join(room.store.candidatesRoot, idOf('f1'), 'candidate'), { recursive: true });
  expect([check(room), readdirSync(room.store.candidatesRoot), readdirSync(room.store.cassettesRoot)]).toEqual(['deleted', [], [idOf(1)]]);
});

test('deleteRecording() removes the rows where the folder is gone already', () => {
  const room = createRoom(onTestFinished);
  addCassette(room, 1);
  change(room, { cassetteId: idOf(9) });
  expect([check(room), room.catalog.rows.size]).toEqual(['deleted', 0]);
});

test.each(['../outside', '..', '.', '', 'a/b', '.playhead-staging-x'])('deleteRecording() refuses the folder name %j', (cassetteId) => {
  const room = createRoom(onTestFinished);
  addCassette(room, 1);
  mkdirSync(join(room.root, 'outside'));
  change(room, { cassetteId });
  expect([check(room), existsSync(join(room.root, 'outside')), readdirSync(room.store.cassettesRoot)]).toEqual(['recording_state_invalid', true, [idOf(1)]]);
});

test('deleteRecording() removes a link and not what it leads to', () => {
  const room = createRoom(onTestFinished);
  addCassette(room, 1);
  const outside = join(room.root, 'outside');
  mkdirSync(outside);
  writeFileSync(join(outside, 'mine'), '');
  symlinkSync(outside, join(room.store.cassettesRoot, idOf(9)));
  change(room, { cassetteId: idOf(9) });
  expect([check(room), readdirSync(outside), readdirSync(room.store.cassettesRoot)]).toEqual(['deleted', ['mine'], [idOf(1)]]);
});
