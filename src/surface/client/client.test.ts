import { expect, test } from 'vitest';
import type { JsonObject } from '../../core/json/exact.ts';
import type { EngineCommand } from '../engine/command.ts';
import { FakeDaemon, json } from '../fixtures/fake-daemon.ts';
import { until } from '../fixtures/fake-window.ts';
import { outcomeOf, requestOf } from './command-request.ts';
import { openEvents } from './events.ts';

const command = (type: EngineCommand['type'], payload: JsonObject): EngineCommand => ({ type, commandId: 'c', agentSessionId: 's 1', correlationId: 'x', payload });
const base = '/v1/workspaces/w/agent-sessions';

test.each<[EngineCommand['type'], JsonObject, string, JsonObject | undefined]>([
  ['session/activate', { mode: 'new', cwd: '/p', clientSubmitId: 'p1' }, base, { agentSessionId: 's 1', cwd: '/p', clientSubmitId: 'p1' }],
  ['queue/sendPrompt', { promptId: 'q', clientSubmitId: 'p1', content: [] }, `${base}/s%201/input`, { content: [], clientSubmitId: 'p1' }],
  ['turn/cancel', { turnId: 't/1' }, `${base}/s%201/turns/t%2F1/cancel`, undefined],
  ['interaction/respond', { turnId: 't', requestId: 'a:b:0', action: 'deny' }, `${base}/s%201/interactives/a%3Ab%3A0/response`, { turnId: 't', action: 'deny' }],
  ['session/updateSettings', { settings: { model: 'm' } }, `${base}/s%201/settings`, { model: 'm' }],
])('requestOf() gives %s its place and body', (type, payload, path, body) => {
  expect(requestOf(command(type, payload), 'w')).toEqual({ method: 'POST', path, ...(body === undefined ? {} : { body }) });
});

test('outcomeOf() keeps of an answer what the engine uses, and of a refusal everything', () => {
  expect(outcomeOf({ type: 'session/activate' }, { isOk: true, body: { session: { cwd: '/p' }, turnId: 't' } })).toEqual({ outcome: 'succeeded', value: { turnId: 't' } });
  expect(outcomeOf({ type: 'turn/cancel' }, { isOk: false, status: 409, code: 'turn_settled', reason: null, message: 'It has settled' })).toEqual({ outcome: 'failed', errorCode: 'turn_settled', errorMessage: 'It has settled' });
});

test('openEvents() waits longer with each failure, and begins anew after a snapshot', async () => {
  const daemon = new FakeDaemon({ mode: 'live', run: 'a' });
  const waits: number[] = [];
  let isUp = false;
  let again = () => {};
  let lostCount = 0;
  let snapshotCount = 0;
  const stop = openEvents({
    boot: { baseUrl: 'http://127.0.0.1:1', token: 'secret' },
    fetch: (async (input: string, init: RequestInit) => (isUp ? daemon.fetch(input, init) : json({}, 503))) as typeof globalThis.fetch,
    clock: { after: (ms, call) => { waits.push(ms); again = call; return () => {}; } },
    onEvent: () => void snapshotCount++,
    onLost: () => void lostCount++,
    onBroken: (error) => { throw error; },
  });
  for (let count = 1; count <= 6; count++) {
    await until(() => waits.length === count);
    isUp = count === 6;
    again();
  }
  await until(() => snapshotCount === 1);
  daemon.cut();
  await until(() => waits.length === 7);
  expect(waits).toEqual([250, 500, 1000, 2000, 4000, 5000, 250]);
  expect(lostCount).toBe(7);
  stop();
});
