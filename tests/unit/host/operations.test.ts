import { expect, test } from 'vitest';
import { RuntimeError } from '../../../src/core/agent/runtime.ts';
import { approve, askApproval, codeOf, countsOf, createDesk, deny, finishTurn, prompted, ref, sendInput } from './desk.ts';

const waiting = async (change: Parameters<typeof createDesk>[0] = {}, options: Parameters<typeof createDesk>[1] = {}) => {
  const desk = createDesk(change, options);
  const turnId = (await desk.host.create(prompted())).turnId!;
  await askApproval(desk, turnId);
  return { ...desk, turnId, request: { ref, turnId, requestId: 'request-1' } };
};

test('respond() answers a pending request with its exact turn, and stores what was answered', async () => {
  const { host, world, request, turnId } = await waiting();
  expect(await host.respond({ ...request, answer: approve })).toMatchObject({ status: 'answered' });
  expect(world.calls.at(-1)).toEqual({ name: 'respond', id: `${turnId}/request-1/approve` });
  expect(host.graph(ref)?.interactions).toMatchObject([{ status: 'answered', output: { action: 'approve', optionId: null, payload: null } }]);
});

test('respond() again gives the first result, without the provider', async () => {
  const { host, world, request } = await waiting();
  const first = await host.respond({ ...request, answer: approve });
  expect([await host.respond({ ...request, answer: approve }), await host.respond({ ...request, answer: deny }), countsOf(world, 'respond')]).toEqual([first, { ...first, status: 'superseded' }, 'respond 1']);
});

test.each([[approve, ['answered', 'answered']], [deny, ['answered', 'superseded']]])('respond() at once with %j after an approval: one answer is sent', async (second, expected) => {
  const { host, world, request } = await waiting();
  const both = await Promise.all([host.respond({ ...request, answer: approve }), host.respond({ ...request, answer: second })]);
  expect([both.map(({ status }) => status), countsOf(world, 'respond')]).toEqual([expected, 'respond 1']);
});

test('respond() keeps requests of the same name on two turns apart', async () => {
  const desk = await waiting();
  const { host, world } = desk;
  await desk.sink.report({ ref, unit: null, rootProviderTurn: { turnId: desk.turnId, providerTurnId: `provider:${desk.turnId}`, phase: 'completed' } });
  const { turnId } = await host.send(sendInput());
  await askApproval(desk, turnId);
  expect((await host.respond({ ...desk.request, answer: deny })).status).toBe('superseded');
  expect((await host.respond({ ...desk.request, turnId, answer: approve })).status).toBe('answered');
  expect([host.graph(ref)?.interactions.map(({ status }) => status), countsOf(world, 'respond')]).toEqual([['superseded', 'answered'], 'respond 1']);
});

test('respond() to two turns with the same request, both answered, makes two operations', async () => {
  const desk = await waiting();
  const old = await desk.host.respond({ ...desk.request, answer: deny });
  await finishTurn(desk, desk.turnId);
  const { turnId } = await desk.host.send(sendInput());
  await askApproval(desk, turnId);
  const young = await desk.host.respond({ ...desk.request, turnId, answer: approve });
  expect([old.status, young.status, old.operationId === young.operationId, desk.world.calls.filter(({ name }) => name === 'respond').map(({ id }) => id)]).toEqual(['answered', 'answered', false, [`${desk.turnId}/request-1/deny`, `${turnId}/request-1/approve`]]);
});

test.each<[string, Parameters<typeof createDesk>[0], string]>([
  ['says it was superseded', { respond: () => 'superseded' }, 'superseded'],
  ['says it was interrupted', { respond: () => 'interrupted' }, 'superseded'],
  ['is still resolving', { respond: () => 'resolving' }, 'runtime_operation_in_progress'],
  ['knows nothing of it', { respond: () => 'unknown' }, 'runtime_operation_failed'],
  ['is not connected', { connected: false }, 'runtime_session_disconnected'],
  ['fails', { respond: () => Promise.reject(new RuntimeError('protocol', 'broken')) }, 'runtime_operation_failed'],
])('respond() where the runtime %s', async (_title, change, expected) => {
  const { host, world, request } = await waiting();
  Object.assign(world, change);
  const result = host.respond({ ...request, answer: approve });
  expect(expected === 'superseded' ? (await result).status : await codeOf(result)).toBe(expected);
  expect(host.graph(ref)?.interactions[0]?.status).toBe('answered');
});

test('respond() that was put off asks before it sends again', async () => {
  const calls: (() => void)[] = [];
  const { host, world, request } = await waiting({ respond: () => 'resolving' }, { after: (_ms, call) => (calls.push(call), () => {}) });
  await codeOf(host.respond({ ...request, answer: approve }));
  world.disposition = 'answered';
  calls[0]?.();
  expect([(await host.respond({ ...request, answer: approve })).status, countsOf(world, 'respond'), calls.length]).toEqual(['answered', 'respond 1', 1]);
});

test.each([
  [{ turnId: 'nobody' }, 'interaction_not_found'],
  [{ requestId: 'nobody' }, 'interaction_not_found'],
  [{ ref: { ...ref, agentSessionId: 'nobody' } }, 'session_not_found'],
  [{ answer: { ...approve, action: ' ' } }, 'invalid_argument'],
  [{ answer: { ...approve, action: 'aprove' } }, 'invalid_argument'],
  [{ answer: { ...approve, optionId: 'aprove' } }, 'invalid_argument'],
])('respond() with %j', async (change, code) => {
  const { host, request, world } = await waiting();
  expect([await codeOf(host.respond({ ...request, answer: approve, ...change })), countsOf(world, 'respond')]).toEqual([code, 'respond 0']);
});

test('respond() with an option that was not offered leaves the request to the answer that was', async () => {
  const { host, request } = await waiting();
  await codeOf(host.respond({ ...request, answer: { ...approve, optionId: 'aprove' } }));
  expect(host.graph(ref)?.interactions[0]?.status).toBe('pending');
  expect(await host.respond({ ...request, answer: { ...approve, optionId: 'approve' } })).toMatchObject({ status: 'answered' });
});

test('respond() to a request without options takes any answer', async () => {
  const { host, sink, request, turnId } = await waiting();
  await sink.report({ ref, unit: null, interactions: [{ turnId, requestId: 'question', kind: 'question', status: 'pending' }] });
  expect(await host.respond({ ...request, requestId: 'question', answer: { action: 'submit', optionId: null, payload: { text: 'Blue' } } })).toMatchObject({ status: 'answered' });
});

test('an answer that was put off is superseded by the end of its turn', async () => {
  const desk = await waiting({ respond: () => 'resolving' });
  await codeOf(desk.host.respond({ ...desk.request, answer: approve }));
  await finishTurn(desk, desk.turnId);
  expect([(await desk.host.respond({ ...desk.request, answer: approve })).status, countsOf(desk.world, 'respond')]).toEqual(['superseded', 'respond 1']);
});

test('an answer that is under way at the end of its turn keeps what the provider makes of it', async () => {
  const desk = await waiting({ respond: async ({ turnId }) => (await finishTurn(desk, turnId), 'answered' as const) });
  expect((await desk.host.respond({ ...desk.request, answer: approve })).status).toBe('answered');
});

test('an answer that is put off behind the end of its turn comes too late', async () => {
  const desk = await waiting({ respond: async ({ turnId }) => (await finishTurn(desk, turnId), 'resolving' as const) });
  expect((await desk.host.respond({ ...desk.request, answer: approve })).status).toBe('superseded');
});

test('cancel() ends exactly its turn, and returns when it has settled', async () => {
  const { host, world, turnId } = await waiting();
  expect(await host.cancel(ref, turnId)).toMatchObject({ state: 'settled', outcome: 'canceled' });
  expect([countsOf(world, 'cancel'), world.calls.at(-1)?.id]).toEqual(['cancel 1', turnId]);
  expect(host.graph(ref)).toMatchObject({ session: { activeTurnId: null }, turns: [{ outcome: 'canceled', error: null }], interactions: [{ status: 'superseded' }] });
  expect(await host.cancel(ref, turnId)).toMatchObject({ state: 'already_settled', outcome: 'canceled' });
});

test('cancel() of a turn that has settled, or is not there, does not reach the runtime', async () => {
  const desk = await waiting();
  await finishTurn(desk, desk.turnId);
  expect(await desk.host.cancel(ref, desk.turnId)).toEqual({ state: 'already_settled', outcome: 'completed', operationId: null });
  expect(await desk.host.cancel(ref, 'nobody')).toEqual({ state: 'not_found', outcome: null, operationId: null });
  expect([await codeOf(desk.host.cancel({ ...ref, agentSessionId: 'x' }, 't')), countsOf(desk.world, 'cancel')]).toEqual(['session_not_found', 'cancel 0']);
});

test('cancel() twice at once is one operation and one call', async () => {
  const { host, world, turnId } = await waiting({ cancel: async () => ({ state: 'settled' }) });
  const both = await Promise.all([host.cancel(ref, turnId), host.cancel(ref, turnId)]);
  expect([both.map(({ state }) => state), both[0]?.operationId === both[1]?.operationId, countsOf(world, 'cancel')]).toEqual([['settled', 'settled'], true, 'cancel 1']);
});

test('cancel() that nobody confirms keeps its operation and says nothing of an outcome', async () => {
  const desk = await waiting({ cancel: () => ({ state: 'unconfirmed' }) });
  const { host, world, turnId } = desk;
  const asked = await host.cancel(ref, turnId);
  expect([asked.state, asked.outcome, host.graph(ref)?.turns[0]?.phase]).toEqual(['cancel_requested', null, 'waiting']);
  expect((await host.cancel(ref, turnId)).operationId).toBe(asked.operationId);
  await finishTurn(desk, turnId);
  expect([await host.cancel(ref, turnId), countsOf(world, 'cancel')]).toEqual([{ state: 'already_settled', outcome: 'completed', operationId: asked.operationId }, 'cancel 2']);
});

test('cancel() keeps the outcome of a terminal that lands first', async () => {
  const desk = await waiting({ cancel: async ({ turnId }) => (await finishTurn(desk, turnId), { state: 'settled' }) });
  expect(await desk.host.cancel(ref, desk.turnId)).toMatchObject({ state: 'settled', outcome: 'completed' });
});

test('cancel() that is confirmed before the terminal is stored settles the turn itself', async () => {
  const { host, turnId } = await waiting({ cancel: () => ({ state: 'settled' }) });
  expect(await host.cancel(ref, turnId)).toMatchObject({ state: 'settled', outcome: 'canceled' });
});

test.each<[string, Parameters<typeof createDesk>[0]]>([
  ['knows no such turn', { cancel: () => ({ state: 'target_absent' }) }],
  ['is gone', { live: new Set() }],
])('cancel() where the provider %s settles as failed, with an unknown status', async (_title, change) => {
  const { host, world, turnId, sink } = await waiting();
  await sink.report({ ref, unit: null, messages: [{ messageId: 'm', turnId, role: 'tool', kind: 'tool_call', status: 'running' }] });
  Object.assign(world, change);
  expect(await host.cancel(ref, turnId)).toMatchObject({ state: 'settled', outcome: 'failed' });
  expect(host.graph(ref)).toMatchObject({ turns: [{ error: { code: 'execution_status_unknown' } }], session: { activeTurnId: null } });
  expect(host.graph(ref)?.messages.map(({ status }) => status)).toEqual(['completed', 'canceled']);
});

test('cancel() where the target is absent looks for a terminal first', async () => {
  const desk = await waiting({ cancel: async ({ turnId }) => (await finishTurn(desk, turnId), { state: 'target_absent' }) });
  expect(await desk.host.cancel(ref, desk.turnId)).toMatchObject({ state: 'settled', outcome: 'completed' });
});

test('cancel() that failed may be tried again', async () => {
  const { host, world, turnId } = await waiting();
  const cancel = world.cancel;
  world.cancel = () => Promise.reject(new RuntimeError('protocol', 'broken'));
  expect(await codeOf(host.cancel(ref, turnId))).toBe('runtime_operation_failed');
  world.cancel = cancel;
  expect(await host.cancel(ref, turnId)).toMatchObject({ state: 'settled', outcome: 'canceled' });
});

test('cancel() without a connection keeps the request', async () => {
  const { host, world, turnId } = await waiting();
  world.connected = false;
  expect(await codeOf(host.cancel(ref, turnId))).toBe('runtime_session_disconnected');
  world.connected = true;
  expect(await host.cancel(ref, turnId)).toMatchObject({ state: 'settled' });
});

test('a late completion behind a cancel does not touch the canonical turn', async () => {
  const { host, sink, turnId } = await waiting({ cancel: () => ({ state: 'settled' }) });
  await host.cancel(ref, turnId);
  await sink.report({ ref, unit: null, rootProviderTurn: { turnId, providerTurnId: `provider:${turnId}`, phase: 'completed', outcome: 'failed', error: { code: 'x', message: 'x' } } });
  expect(host.graph(ref)?.turns).toMatchObject([{ outcome: 'canceled', error: null }]);
});

test('a participant that fails rolls the command back', async () => {
  let isBroken = false;
  const { host, request, world } = await waiting({}, { participant: () => { if (isBroken) throw new Error('marker'); } });
  isBroken = true;
  expect([await codeOf(host.respond({ ...request, answer: approve })), host.graph(ref)?.interactions[0]?.status, countsOf(world, 'respond')]).toEqual(['Error: marker', 'pending', 'respond 0']);
});

test('a failing observer does not fail an answer, and hears of each commit', async () => {
  const { host, request, deltas, turnId } = await waiting();
  host.observe(() => { throw new Error('gone'); });
  const before = deltas.length;
  expect((await host.respond({ ...request, answer: approve })).status).toBe('answered');
  await host.cancel(ref, turnId);
  expect(deltas.length - before).toBeGreaterThanOrEqual(2);
});
