import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, expect, test } from 'vitest';
import { assembleHost, createHost } from '../../../src/daemon/host/host.ts';
import { openDatabase } from '../../../src/daemon/store/open.ts';
import { StoreError } from '../../../src/daemon/store/store-error.ts';
import { createStore, type Store } from '../../../src/daemon/store/store.ts';
import { createWorld, type World } from './fake-runtime.ts';
import { approve, askApproval, codeOf, countsOf, createDesk, createOptions, prompted, ref, sendInput } from './desk.ts';

const folder = mkdtempSync(join(tmpdir(), 'playhead-host-'));
afterAll(() => rmSync(folder, { recursive: true }));
let files = 0;
const newFile = () => join(folder, `${++files}.sqlite`);

/** A Host that is dropped as it is, and another one on the same file. */
const reopen = (databasePath: string, world: World = createWorld()) => createDesk(world, { databasePath, ids: createOptions(world, `again-${files}`).ids });

test('recover() interrupts what was under way, says so in the transcript, and leaves the session idle', async () => {
  const databasePath = newFile();
  const desk = createDesk({}, { databasePath });
  const turnId = (await desk.host.create(prompted())).turnId!;
  await askApproval(desk, turnId);
  await desk.sink.report({ ref, unit: null, messages: [{ messageId: 'm', turnId, role: 'assistant', kind: 'text', status: 'running', payload: { text: 'half' } }] });
  const { host, world } = reopen(databasePath);
  expect(await host.recover()).toEqual(['runtime_requeue', 'runtime_complete', 'stale_settle']);
  expect(host.graph(ref)).toMatchObject({
    session: { activeTurnId: null }, turns: [{ outcome: 'interrupted', completedCommand: { finalAssistantMessageId: 'm' } }], interactions: [{ status: 'superseded' }],
    messages: [{ role: 'user' }, { status: 'canceled', payload: { text: 'half' } }, { role: 'system', kind: 'notice', payload: { code: 'turn_interrupted' } }],
  });
  expect([countsOf(world, 'exec', 'resume'), await codeOf(host.send(sendInput())), countsOf(world, 'exec', 'resume')]).toEqual(['exec 0 resume 0', 'no error', 'exec 1 resume 1']);
});

test('recover() carries on an answer that was claimed before it settles stale turns', async () => {
  const databasePath = newFile();
  const desk = createDesk({ respond: () => new Promise(() => {}) }, { databasePath });
  const turnId = (await desk.host.create(prompted())).turnId!;
  await askApproval(desk, turnId);
  void desk.host.respond({ ref, turnId, requestId: 'request-1', answer: approve });
  const { host, world } = reopen(databasePath, createWorld({ live: new Set(['workspace/session-a']), disposition: 'pending' }));
  expect(await host.recover()).toEqual(['runtime_requeue', 'runtime_complete', 'stale_settle']);
  expect([countsOf(world, 'exec', 'respond'), (await host.respond({ ref, turnId, requestId: 'request-1', answer: approve })).status]).toEqual(['exec 0 respond 1', 'answered']);
});

test('recover() requeues, carries on each operation, and only then settles what is stale', async () => {
  const databasePath = newFile();
  const desk = createDesk({ respond: () => new Promise(() => {}) }, { databasePath });
  const turnId = (await desk.host.create(prompted())).turnId!;
  await askApproval(desk, turnId);
  void desk.host.respond({ ref, turnId, requestId: 'request-1', answer: approve });
  const world = createWorld({ live: new Set(['workspace/session-a']), disposition: 'pending' });
  const order: string[] = [];
  world.respond = () => (order.push('provider respond'), 'answered');
  const told = new Set(['requeue', 'lease', 'complete', 'settleStale']);
  const listen = (store: Store): Store =>
    Object.fromEntries(Object.entries(store).map(([name, method]: [string, (...args: never[]) => unknown]) => [name, (...args: never[]) => (told.has(name) && order.push(name), method(...args))])) as Store;
  const host = assembleHost(createOptions(world, 'again'), (ports) => listen(createStore(openDatabase(databasePath), ports)));
  expect(await host.recover()).toEqual(['runtime_requeue', 'runtime_complete', 'stale_settle']);
  expect(order).toEqual(['requeue', 'lease', 'provider respond', 'complete', 'settleStale']);
});

test('recover() leaves a turn alone that an open operation works on', async () => {
  const databasePath = newFile();
  const desk = createDesk({ cancel: () => new Promise(() => {}) }, { databasePath });
  const turnId = (await desk.host.create(prompted())).turnId!;
  void desk.host.cancel(ref, turnId);
  const { host } = reopen(databasePath, createWorld({ live: new Set(['workspace/session-a']), cancel: () => ({ state: 'unconfirmed' }) }));
  await host.recover();
  expect(host.graph(ref)?.turns[0]?.phase).toBe('running');
});

test('recover() fails an answer whose provider is gone, and boots all the same', async () => {
  const databasePath = newFile();
  const desk = createDesk({ respond: () => new Promise(() => {}) }, { databasePath });
  const turnId = (await desk.host.create(prompted())).turnId!;
  await askApproval(desk, turnId);
  void desk.host.respond({ ref, turnId, requestId: 'request-1', answer: approve });
  const { host } = reopen(databasePath);
  await host.recover();
  expect([host.graph(ref)?.turns[0]?.outcome, await codeOf(host.respond({ ref, turnId, requestId: 'request-1', answer: approve }))]).toEqual(['interrupted', 'runtime_operation_failed']);
});

test('recover() settles a cancel whose provider is gone as failed, with an unknown status', async () => {
  const databasePath = newFile();
  const desk = createDesk({ cancel: () => new Promise(() => {}) }, { databasePath });
  const turnId = (await desk.host.create(prompted())).turnId!;
  void desk.host.cancel(ref, turnId);
  const { host, world } = reopen(databasePath);
  await host.recover();
  expect([host.graph(ref)?.turns[0], countsOf(world, 'cancel')]).toMatchObject([{ outcome: 'failed', error: { code: 'execution_status_unknown' } }, 'cancel 0']);
});

test('recover() releases a submission whose turn was never stored: nothing of it can have left', async () => {
  const databasePath = newFile();
  const desk = createDesk({ start: () => new Promise(() => {}) }, { databasePath });
  void desk.host.create(prompted());
  await Promise.resolve();
  const { host, world } = reopen(databasePath);
  expect(await codeOf(host.create(prompted()))).toBe('submit_delivery_unknown');
  await host.recover();
  expect([await codeOf(host.create(prompted())), countsOf(world, 'exec')]).toEqual(['no error', 'exec 1']);
});

test('a submission that was under way when the Host died is not sent again', async () => {
  const databasePath = newFile();
  const desk = createDesk({ exec: () => new Promise(() => {}) }, { databasePath });
  void desk.host.create(prompted());
  await new Promise((resolve) => setImmediate(resolve));
  const { host, world } = reopen(databasePath);
  await host.recover();
  expect([await codeOf(host.create(prompted())), countsOf(world, 'exec'), host.graph(ref)?.turns[0]?.outcome]).toEqual(['submit_delivery_unknown', 'exec 0', 'interrupted']);
});

test('a step of a recovery that fails stops it', async () => {
  const databasePath = newFile();
  await createDesk({}, { databasePath }).host.create(prompted());
  const world = createWorld();
  const { host } = createDesk(world, { databasePath, participant: () => { throw new Error('marker'); } });
  await expect(host.recover()).rejects.toThrow('marker');
});

test('close() closes runtimes and store, once', async () => {
  const desk = createDesk();
  await desk.host.create(prompted());
  await Promise.all([desk.host.close(), desk.host.close()]);
  await expect(desk.sink.report({ ref, unit: null, session: { model: 'late' } })).rejects.toThrow('database is not open');
});

const sqlite = (path: string, sql: string) => {
  const database = new DatabaseSync(path);
  database.exec(sql);
  database.close();
};
test.each<[string, (path: string) => void, string]>([
  ['text', (path) => writeFileSync(path, 'not a database, but long enough to be taken for one by its size'.repeat(20)), 'it is damaged or no database'],
  ['a database of another program', (path) => sqlite(path, 'create table notes (text)'), 'it belongs to another program'],
  ['a later version', (path) => { createHost({ ...createOptions(createWorld()), databasePath: path }); sqlite(path, 'pragma user_version = 9'); }, 'its schema is version 9 instead of 1'],
  ['a damaged page', (path) => damage(path), 'damaged'],
])('a file that is %s is refused and left as it is', (_title, make, is) => {
  const path = newFile();
  make(path);
  const before = readFileSync(path);
  const open = () => createHost({ ...createOptions(createWorld()), databasePath: path });
  expect(open).toThrow(StoreError);
  expect(open).toThrow(is);
  expect(open).toThrow(expect.objectContaining({ code: 'database_corrupt', path }));
  expect(readFileSync(path)).toEqual(before);
});

test('a folder that is not there is another matter than a damaged file', () => {
  expect(() => createHost({ ...createOptions(createWorld()), databasePath: join(folder, 'none', 'a.sqlite') })).toThrow(expect.objectContaining({ code: 'database_unavailable' }));
});

function damage(path: string): void {
  createHost({ ...createOptions(createWorld()), databasePath: path });
  sqlite(path, 'pragma wal_checkpoint(truncate)');
  const bytes = readFileSync(path);
  bytes.fill(0xa5, 4096, 8192);
  writeFileSync(path, bytes);
}

test('a claim that was found prepared is not sent: nobody knows what became of it', async () => {
  const databasePath = newFile();
  const desk = createDesk({}, { databasePath });
  await desk.host.create(prompted());
  await desk.host.cancel(ref, desk.host.graph(ref)!.turns[0]!.turnId);
  sqlite(databasePath, "insert into workspace_agent_submit_claims (workspace_id, agent_session_id, client_submit_id, status, canonical_turn_id, created_at_unix_ms) values ('workspace', 'session-a', 'submit-2', 'prepared', 'seeded', 1)");
  expect([await codeOf(desk.host.send(sendInput())), countsOf(desk.world, 'exec')]).toEqual(['submit_delivery_unknown', 'exec 1']);
});

test('a claim whose prompt stands on another turn is a conflict, and is not sent', async () => {
  const databasePath = newFile();
  const desk = createDesk({}, { databasePath });
  await desk.host.create(prompted());
  sqlite(databasePath, "delete from workspace_agent_submit_claims; insert into workspace_agent_submit_claims (workspace_id, agent_session_id, client_submit_id, status, canonical_turn_id, created_at_unix_ms) values ('workspace', 'session-a', 'submit-1', 'prepared', 'seeded', 1)");
  expect([await codeOf(desk.host.create(prompted())), countsOf(desk.world, 'exec')]).toEqual(['submit_claim_turn_conflict', 'exec 1']);
});

test('a deleted session is not there: not to read, to resume, to send to or to report of', async () => {
  const databasePath = newFile();
  const desk = createDesk({}, { databasePath });
  const turnId = (await desk.host.create(prompted())).turnId!;
  await desk.host.cancel(ref, turnId);
  sqlite(databasePath, 'update workspace_agent_sessions set deleted_at_unix_ms = 1, updated_at_unix_ms = updated_at_unix_ms + 1');
  desk.world.live.clear();
  expect([await codeOf(desk.host.ensure(ref)), await codeOf(desk.host.send(sendInput())), desk.host.graph(ref), desk.host.graphs('workspace'), countsOf(desk.world, 'resume')]).toEqual(['session_not_found', 'session_not_found', null, [], 'resume 0']);
  await expect(desk.sink.report({ ref, unit: null, session: { model: 'm' } })).rejects.toMatchObject({ code: 'session_unknown' });
});
