import { appendFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { addCassette, createRoom, idOf, picture, type Room } from './fixtures.ts';
import { prepareReplayBatch } from './prepare-batch.ts';

const check = async (room: Room, ids: string[]) => {
  const { cassettesRoot, catalog, resolveCassette } = room.store;
  const result = await prepareReplayBatch({ cassettesRoot, catalog, resolveCassette }, ids);
  return result.ok ? result.value.requests.map(({ cassette }) => cassette.id) : [result.refusal.code, ...result.refusal.issues.map(({ code }) => code)].join(' ');
};

test('prepareReplayBatch() gives one cassette with the places of its parts, without ids and clock', async () => {
  const room = createRoom(onTestFinished);
  const row = addCassette(room, 1);
  const folder = join(room.store.cassettesRoot, idOf(1));
  const result = await prepareReplayBatch(room.store, [idOf(1)]);
  const layout = { folder, providerFolder: join(folder, 'provider'), checkpointPlan: join(folder, 'checkpoint-plan.json'), initialState: null, expectedState: join(folder, 'expected-state.json') };
  expect(result).toEqual({ ok: true, value: { requests: [{ cassette: row, artifact: { cassette: row, layout } }] } });
});

test('prepareReplayBatch() trims ids, keeps their order and writes nothing', async () => {
  const room = createRoom(onTestFinished);
  for (const digit of [1, 2, 3]) addCassette(room, digit, digit === 2 ? { mode: 'continue-session' } : {});
  const before = picture(room.root);
  expect(await check(room, [` ${idOf(3)} `, idOf(1), `${idOf(2)}\n`])).toEqual([idOf(3), idOf(1), idOf(2)]);
  expect(picture(room.root)).toEqual(before);
  const result = await prepareReplayBatch(room.store, [idOf(2)]);
  expect(result.ok && result.value.requests[0]?.artifact.layout.initialState).toBe(join(room.store.cassettesRoot, idOf(2), 'initial-state.json'));
});

test.each<[string, string[], string, ((room: Room) => void)?]>([
  ['no cassette', [], 'batch_invalid'],
  ['a blank id', [idOf(1), ' '], 'batch_invalid'],
  ['one id twice', [idOf(1), ` ${idOf(1)}`], 'batch_invalid'],
  ['an unknown cassette', [idOf(1), idOf(9)], 'cassette_not_found'],
  ['an id that climbs', ['../cassettes'], 'cassette_not_found'],
  ['one root session twice', [idOf(1), idOf(2)], 'batch_invalid', (room) => void addCassette(room, 2, { rootAgentSessionId: ' root-1' })],
  ['a blank root session', [idOf(1)], 'batch_invalid', (room) => void room.catalog.cassettes.set(idOf(1), { ...room.catalog.cassettes.get(idOf(1))!, rootAgentSessionId: '' })],
  ['another root session than the catalog says', [idOf(1)], 'batch_invalid', (room) => void room.catalog.cassettes.set(idOf(1), { ...room.catalog.cassettes.get(idOf(1))!, rootAgentSessionId: 'other' })],
  ['a second cassette that is damaged', [idOf(1), idOf(2)], 'cassette_invalid file_size_mismatch', (room) => appendFileSync(join(room.store.cassettesRoot, idOf(2), 'checkpoint-plan.json'), 'x')],
  ['a single cassette that is damaged', [idOf(2)], 'cassette_invalid file_missing', (room) => rmSync(join(room.store.cassettesRoot, idOf(2), 'checkpoint-plan.json'))],
  ['a manifest that the catalog does not pin', [idOf(1)], 'cassette_invalid manifest_sha256_mismatch', (room) => appendFileSync(join(room.store.cassettesRoot, idOf(1), 'cassette.json'), ' ')],
  ['a cassette with another id than its folder', [idOf(1)], 'cassette_invalid cassette_id_mismatch', (room) => void (addCassette(room, 1, { id: idOf(7) }), room.catalog.cassettes.set(idOf(1), room.catalog.cassettes.get(idOf(7))!))],
])('prepareReplayBatch() with %s gives no part of a batch', async (_title, ids, expected, damage = () => {}) => {
  const room = createRoom(onTestFinished);
  addCassette(room, 1);
  addCassette(room, 2);
  damage(room);
  expect(await check(room, ids)).toBe(expected);
});

test('prepareReplayBatch() compares no manifest hash where the catalog has none', async () => {
  const room = createRoom(onTestFinished);
  room.catalog.cassettes.set(idOf(1), { ...addCassette(room, 1), manifestSha256: '' });
  appendFileSync(join(room.store.cassettesRoot, idOf(1), 'cassette.json'), ' ');
  expect(await check(room, [idOf(1)])).toEqual([idOf(1)]);
});
