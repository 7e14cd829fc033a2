import { expect, test } from 'vitest';
import { RuntimeError } from '../../../src/core/agent/runtime.ts';
import type { World } from './fake-runtime.ts';
import { codeOf, countsOf, createDesk, createInput, finishTurn, prompted, ref, sendInput } from './desk.ts';

test('create() without content makes an empty session: no turn, no title, nothing sent', async () => {
  const { host, world } = createDesk();
  const { session, turnId } = await host.create(createInput());
  expect([turnId, session.title, session.activeTurnId, session.providerSessionId]).toEqual([null, '', null, 'thread:session-a']);
  expect([countsOf(world, 'start', 'exec'), host.graph(ref)?.turns]).toEqual(['start 1 exec 0', []]);
});

test('create() with content and the same id twice gives one session and one turn, whatever the metadata says', async () => {
  const { host, world } = createDesk();
  const first = await host.create(prompted({ metadata: { clientSubmitId: 'decoy' } }));
  const second = await host.create(prompted({ metadata: { clientSubmitId: 'other' } }));
  expect([second.turnId, second.session.agentSessionId]).toEqual([first.turnId, 'session-a']);
  expect(countsOf(world, 'start', 'exec')).toBe('start 1 exec 1');
  expect(world.calls.find(({ name }) => name === 'exec')?.id).toBe('submit-1');
});

test('create() takes the id of a submission from the metadata where none is typed', async () => {
  const { host, world } = createDesk();
  const metadata = { clientSubmitId: 'from-metadata' };
  const { clientSubmitId: _id, ...input } = prompted({ metadata });
  await host.create(input);
  await host.create(input);
  expect([countsOf(world, 'exec'), metadata]).toEqual(['exec 1', { clientSubmitId: 'from-metadata' }]);
});

test('create() with content stores session, active turn and prompt before anything of the turn', async () => {
  const { host, deltas } = createDesk();
  const { turnId } = await host.create(prompted());
  expect(deltas.map(({ sessions, turns, messages }) => [sessions.length, turns.map(({ after }) => after.phase), messages.map(({ after }) => after.messageId)])).toEqual([
    [1, ['submitted'], []],
    [1, ['submitted'], ['client-submit:user:submit-1']],
    [0, ['running'], []],
  ]);
  expect([deltas[0]?.sessions[0]?.before, deltas[0]?.sessions[0]?.after.activeTurnId]).toEqual([null, turnId]);
  expect(host.graph(ref)?.messages[0]).toMatchObject({ role: 'user', kind: 'text', turnId, payload: { text: 'Say hello', content: [{ type: 'text', text: 'Say hello' }], clientSubmitId: 'submit-1' } });
});

test('create() is never idle before its first turn settled: a send meanwhile is refused', async () => {
  const { host, sink, deltas } = createDesk();
  const { turnId } = await host.create(prompted());
  expect(await codeOf(host.send(sendInput()))).toBe('turn_active');
  await finishTurn({ sink }, turnId!);
  expect(deltas.flatMap(({ sessions }) => sessions.map(({ after }) => after.activeTurnId)).slice(0, -1)).toEqual(Array(deltas.flatMap(({ sessions }) => sessions).length - 1).fill(turnId));
  expect(await codeOf(host.send(sendInput()))).toBe('no error');
});

test('create() starts, stores, publishes, sends, in this order, and publishes once', async () => {
  const order: string[] = [];
  const { host, world } = createDesk({}, { participant: ({ sessions }) => void (sessions.some(({ before }) => before === null) && order.push('stored')) });
  const push = world.calls.push.bind(world.calls);
  world.calls.push = (...calls) => (order.push(...calls.map(({ name }) => name)), push(...calls));
  await host.create(prompted());
  expect(order).toEqual(['start', 'stored', 'publish', 'exec']);
});

test('create() keeps out what a runtime reports before its session is stored', async () => {
  let refused = '';
  const { host, deltas } = createDesk({
    start: async ({ ref: session }, { report }) => {
      refused = await codeOf(report({ ref: session, session: { title: 'early' } }));
      return { isCreated: true, providerSessionId: 't', model: 'm', resumeCheckpoint: null };
    },
  });
  await host.create(createInput());
  expect(refused).toContain('Cannot change session "session-a": the store does not hold it');
  expect(deltas.map(({ sessions }) => sessions.map(({ after }) => after.title))).toEqual([['']]);
});

test('create() hears what a runtime held back behind the commit of its session, in order', async () => {
  const { host, deltas } = createDesk({
    publish: (session, { report }) => void ['one', 'two'].forEach((model) => void report({ ref: session, session: { model } })),
  });
  const { session } = await host.create(createInput());
  expect([deltas.map(({ sessions }) => sessions[0]?.after.model), session.model]).toEqual([['scripted', 'one', 'two'], 'two']);
});

test('a report that says nothing is told with its unit, also before its session is stored', async () => {
  const unit = { position: { connectionId: 'c1', chunkSeq: 1, unitIndex: 0 }, kind: 'protocol-message' } as const;
  const { deltas, sink } = createDesk();
  const delta = await sink.report({ ref, unit });
  expect([delta.unit, delta.sessions, deltas.length, deltas[0]?.revision]).toEqual([unit, [], 1, 1]);
});

const failing = async (change: Partial<World>) => {
  const desk = createDesk(change);
  const code = await codeOf(desk.host.create(prompted()));
  return { ...desk, code };
};

test('create() whose provider does not start leaves nothing behind, and may be tried again', async () => {
  const { host, world, code } = await failing({ start: () => Promise.reject(new RuntimeError('spawn_failed', 'no such program')) });
  expect([code, host.session(ref), countsOf(world, 'close', 'exec')]).toEqual(['provider_rejected', null, 'close 0 exec 0']);
  world.start = () => ({ isCreated: true, providerSessionId: 'thread:session-a', model: '', resumeCheckpoint: null });
  expect(await codeOf(host.create(prompted()))).toBe('no error');
});

test('create() says when a provider took too long to start', async () => {
  expect((await failing({ start: () => Promise.reject(new RuntimeError('provider_start_timeout', 'late')) })).code).toBe('provider_start_timeout');
});

test('create() with content that the provider cannot take closes the runtime it made', async () => {
  const { host, world, code } = await failing({ validate: () => { throw new RuntimeError('content_unsupported', 'no'); } });
  expect([code, host.session(ref), countsOf(world, 'close', 'exec')]).toEqual(['provider_rejected', null, 'close 1 exec 0']);
});

test('create() whose prompt never left takes session, turn and claim back, and says so', async () => {
  const { host, world, deltas, code } = await failing({ exec: () => ({ disposition: 'not_dispatched', providerTurnId: null, error: { code: 'busy', message: 'busy' } }) });
  expect([code, host.session(ref), world.calls.at(-1)]).toEqual(['provider_rejected', null, { name: 'close', id: 'session-a discard' }]);
  expect(deltas.at(-1)?.removed).toEqual({ sessionIds: ['session-a'], turnIds: ['id-2'] });
});

test('create() rejected by the provider keeps session, prompt and failed turn, and closes the runtime without completing them', async () => {
  const { host, world, code } = await failing({ exec: () => ({ disposition: 'rejected', providerTurnId: null, error: { code: 'model_unknown', message: 'no such model' } }) });
  expect([code, countsOf(world, 'start', 'exec', 'close'), world.calls.at(-1)?.id]).toEqual(['provider_rejected', 'start 1 exec 1 close 1', 'session-a preserve']);
  const graph = host.graph(ref);
  expect(graph?.turns).toMatchObject([{ phase: 'settled', outcome: 'failed', error: { code: 'model_unknown', message: 'no such model' } }]);
  expect(graph?.messages.map(({ role }) => role)).toEqual(['user']);
  const again = await host.create(prompted());
  expect([again.turnId, countsOf(world, 'exec')]).toEqual([graph?.turns[0]?.turnId, 'exec 1']);
});

test.each<[string, Partial<World>]>([
  ['says nothing certain', { exec: () => ({ disposition: 'outcome_unknown', providerTurnId: null, error: null }) }],
  ['throws', { exec: () => Promise.reject(new Error('lost')) }],
  ['claims an acceptance that is not stored', { exec: () => ({ disposition: 'applied', providerTurnId: 'p', error: null }) }],
])('create() is unknown, and never sent again, where the runtime %s', async (_title, change) => {
  const { host, world, code } = await failing(change);
  expect([code, await codeOf(host.create(prompted())), countsOf(world, 'exec', 'close')]).toEqual(['submit_delivery_unknown', 'submit_delivery_unknown', 'exec 1 close 0']);
  expect(host.graph(ref)?.messages).toEqual([]);
});

test('create() is unknown where the acceptance could not be stored, and healed when it is stored later', async () => {
  let isBroken = true;
  const { host, world, sink } = createDesk({}, { participant: ({ messages }) => { if (isBroken && messages.length > 0) throw new Error('disk full'); } });
  expect(await codeOf(host.create(prompted()))).toBe('submit_delivery_unknown');
  const turn = host.graph(ref)?.turns[0];
  expect([turn?.rootProviderTurnId, host.graph(ref)?.messages]).toEqual(['', []]);
  isBroken = false;
  await sink.report({ ref, unit: null, turn: { turnId: turn!.turnId, accepted: { providerSessionId: 'thread:session-a', providerTurnId: 'p1' } } });
  expect([(await host.create(prompted())).turnId, countsOf(world, 'exec')]).toEqual([turn?.turnId, 'exec 1']);
});

test('create() that meets the runtime of an earlier owner closes and deletes nothing of it', async () => {
  const { host, world } = createDesk();
  await host.create(createInput());
  world.start = () => ({ isCreated: false, providerSessionId: 'thread:session-a', model: '', resumeCheckpoint: null });
  world.exec = () => ({ disposition: 'not_dispatched', providerTurnId: null, error: null });
  expect(await codeOf(host.create(prompted()))).toBe('provider_rejected');
  expect([countsOf(world, 'close'), host.graph(ref)?.turns, host.session(ref)?.activeTurnId]).toEqual(['close 0', [], null]);
});

test('create() keeps to the rail of its first time', async () => {
  const { host, world } = createDesk();
  const placement = (projectPath: string) => prompted({ railPlacement: { version: 1, kind: 'project', projectPath } });
  const { session, turnId } = await host.create(placement('/work/one/'));
  expect([session.railSectionKind, session.railProjectPath, session.railSectionKey]).toEqual(['project', '/work/one', 'project:/work/one']);
  expect((await host.create(placement('/work/one'))).turnId).toBe(turnId);
  expect([await codeOf(host.create(placement('/work/two'))), countsOf(world, 'start', 'exec')]).toEqual(['rail_placement_conflict', 'start 1 exec 1']);
});

test.each<[string, Partial<Parameters<typeof createInput>[0]>]>([
  ['a blank session', { ref: { workspaceId: 'w', agentSessionId: ' ' } }],
  ['a blank provider', { provider: '' }],
  ['a blank target', { agentTargetId: '' }],
  ['a prompt of spaces', { initialContent: [{ type: 'text', text: ' ' }] }],
  ['a block that is neither text nor connector', { initialContent: [{ type: 'image', data: '' } as never] }],
  ['a rail that is no absolute path', { railPlacement: { version: 1, kind: 'project', projectPath: 'x' } }],
])('create() refuses %s before anything happens', async (_title, change) => {
  const { host, world } = createDesk();
  expect([await codeOf(host.create(createInput(change))), world.calls]).toEqual(['invalid_argument', []]);
});

test('create() with two requests at once makes one session', async () => {
  const { host, world } = createDesk();
  const [one, two] = await Promise.all([host.create(prompted()), host.create(prompted())]);
  expect([one?.turnId, countsOf(world, 'start', 'exec')]).toEqual([two?.turnId, 'start 1 exec 1']);
});
