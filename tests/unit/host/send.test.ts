import { expect, test } from 'vitest';
import { acceptTurn } from './fake-runtime.ts';
import { codeOf, countsOf, createDesk, createInput, finishTurn, prompted, ref, sendInput } from './desk.ts';

const idle = async (change: Parameters<typeof createDesk>[0] = {}, options: Parameters<typeof createDesk>[1] = {}) => {
  const desk = createDesk(change, options);
  const { turnId } = await desk.host.create(prompted());
  await finishTurn(desk, turnId!);
  return { ...desk, first: turnId! };
};

test('send() to a live idle session begins a turn', async () => {
  const { host, world } = await idle();
  const { turnId } = await host.send(sendInput());
  expect(host.graph(ref)?.turns.map(({ turnId: id, sequence, phase, rootProviderTurnId }) => [id, sequence, phase, rootProviderTurnId])[1]).toEqual([turnId, 2, 'running', `provider:${turnId}`]);
  expect(countsOf(world, 'start', 'exec')).toBe('start 1 exec 2');
});

test('send() with one id twice is one turn, whatever the metadata says', async () => {
  const { host, world } = await idle();
  const first = await host.send(sendInput({ metadata: { clientSubmitId: 'decoy' } }));
  expect([await host.send(sendInput({ metadata: {} })), countsOf(world, 'exec')]).toEqual([first, 'exec 2']);
});

test('send() and create() ask for durable acceptance of each new turn', async () => {
  const asked: boolean[] = [];
  const desk = createDesk();
  const exec = desk.world.exec;
  desk.world.exec = (input, runtime) => (asked.push(input.requireProviderAcceptance), exec(input, runtime));
  const { turnId } = await desk.host.create(prompted());
  await finishTurn(desk, turnId!);
  await desk.host.send(sendInput());
  expect(asked).toEqual([true, true]);
});

test('send() after a claim that nobody knows the fate of sends nothing', async () => {
  const { host, world } = await idle({});
  world.exec = () => new Promise(() => {});
  void host.send(sendInput());
  const other = await idle();
  other.world.exec = () => ({ disposition: 'outcome_unknown', providerTurnId: null, error: null });
  expect(await codeOf(other.host.send(sendInput()))).toBe('submit_delivery_unknown');
  expect([await codeOf(other.host.send(sendInput())), countsOf(other.world, 'exec')]).toEqual(['submit_delivery_unknown', 'exec 2']);
});

test('send() that never left takes turn and claim back, so that the same id may be sent again', async () => {
  const { host, world, deltas } = await idle();
  const exec = world.exec;
  world.exec = () => ({ disposition: 'not_dispatched', providerTurnId: null, error: null });
  expect([await codeOf(host.send(sendInput())), host.graph(ref)?.turns.length, deltas.at(-1)?.removed?.turnIds.length]).toEqual(['provider_rejected', 1, 1]);
  world.exec = exec;
  const { turnId } = await host.send(sendInput());
  expect(host.graph(ref)?.messages.at(-1)).toMatchObject({ turnId, payload: { text: 'Once more' } });
});

test('send() that the provider rejects leaves a failed turn with its prompt', async () => {
  const { host, world } = await idle();
  world.exec = () => ({ disposition: 'rejected', providerTurnId: null, error: { code: 'limit', message: 'Too many' } });
  expect([await codeOf(host.send(sendInput())), countsOf(world, 'close')]).toEqual(['provider_rejected', 'close 0']);
  expect(host.graph(ref)?.turns[1]).toMatchObject({ outcome: 'failed', error: { code: 'limit' } });
  expect([(await host.send(sendInput())).turnId, countsOf(world, 'exec')]).toEqual([host.graph(ref)?.turns[1]?.turnId, 'exec 2']);
});

test('send() that the provider took without a turn of its own has its prompt, and may have output', async () => {
  const { host, world, sink } = await idle();
  world.exec = () => ({ disposition: 'applied_without_provider_turn', providerTurnId: null, error: null });
  const { turnId } = await host.send(sendInput());
  await sink.report({ ref, unit: null, messages: [{ messageId: 'n', turnId, role: 'system', kind: 'notice', status: 'completed', payload: { text: 'Done' } }], turn: { turnId, phase: 'settled', outcome: 'completed' } });
  expect(host.graph(ref)?.messages.slice(-2).map(({ role }) => role)).toEqual(['user', 'system']);
});

test('send() with settings keeps them for the session, and gives them to the provider', async () => {
  const { host, world } = await idle();
  const seen: unknown[] = [];
  const exec = world.exec;
  world.exec = (input, runtime) => (seen.push(input.settings), exec(input, runtime));
  await host.send(sendInput({ settings: { permissionModeId: 'auto' } }));
  expect([seen, host.session(ref)?.settings]).toEqual([[{ model: 'scripted', permissionModeId: 'auto' }], { model: 'scripted', permissionModeId: 'auto' }]);
});

test.each<[string, Parameters<typeof sendInput>[0], string]>([
  ['an unknown session', { ref: { ...ref, agentSessionId: 'nobody' } }, 'session_not_found'],
  ['a session of another workspace', { ref: { ...ref, workspaceId: 'other' } }, 'session_not_found'],
  ['an empty prompt', { content: [] }, 'invalid_argument'],
  ['a connector without a key', { content: [{ type: 'connector' } as never] }, 'invalid_argument'],
  ['a connector whose key is none', { content: [{ type: 'connector', key: 'Mail!' }] }, 'invalid_argument'],
  ['a block of another type', { content: [{ type: 'image', data: '' } as never] }, 'invalid_argument'],
])('send() refuses %s', async (_title, change, code) => {
  const { host, world } = await idle();
  expect([await codeOf(host.send(sendInput(change))), countsOf(world, 'exec')]).toEqual([code, 'exec 1']);
});

test('send() of a connector alone reaches the provider once, and is kept as it is', async () => {
  const { host, world } = await idle();
  const content = [{ type: 'connector' as const, key: 'mail' }];
  const seen: unknown[] = [];
  const exec = world.exec;
  world.exec = (input, runtime) => (seen.push(input.content), exec(input, runtime));
  const { turnId } = await host.send(sendInput({ content }));
  expect([countsOf(world, 'exec'), seen, host.graph(ref)?.messages.at(-1)]).toMatchObject(['exec 2', [content], { turnId, role: 'user', payload: { text: '', content } }]);
});

test('send() that never left gives back the title and the settings that it changed', async () => {
  const { host, world } = createDesk();
  const { session } = await host.create(createInput());
  world.exec = () => ({ disposition: 'not_dispatched', providerTurnId: null, error: null });
  await codeOf(host.send(sendInput({ settings: { permissionModeId: 'auto' } })));
  expect(host.session(ref)).toEqual({ ...session, updatedAtUnixMs: expect.any(Number) as number });
  world.exec = acceptTurn;
  await host.send(sendInput({ content: [{ type: 'text', text: 'Another' }] }));
  expect(host.session(ref)?.title).toBe('Another');
});

test('create() into a session that is there gives back what a prompt that never left changed of it', async () => {
  const { host, world } = createDesk();
  const { session } = await host.create(createInput());
  world.exec = () => ({ disposition: 'not_dispatched', providerTurnId: null, error: null });
  await codeOf(host.create(prompted({ settings: { model: 'other' } })));
  expect(host.session(ref)).toEqual({ ...session, updatedAtUnixMs: expect.any(Number) as number });
});

test('send() that never left keeps the title that a person gave, and the one that the provider told', async () => {
  const desk = createDesk();
  await desk.host.create(createInput());
  desk.world.exec = async (_input, { report }) => {
    await report({ ref, session: { title: 'Told' } });
    return { disposition: 'not_dispatched', providerTurnId: null, error: null };
  };
  // A prompt without words has no title to give.
  await codeOf(desk.host.send(sendInput({ content: [{ type: 'connector', key: 'mail' }] })));
  const titles = [desk.host.session(ref)?.title];
  await desk.host.updateTitle(ref, 'Mine');
  await codeOf(desk.host.send(sendInput()));
  expect([...titles, desk.host.session(ref)?.title]).toEqual(['Told', 'Mine']);
});

test('a title comes from the first prompt, an explicit one stays, and may be empty', async () => {
  const desk = createDesk();
  await desk.host.create(createInput());
  const titles = [desk.host.session(ref)?.title];
  const { turnId } = await desk.host.send(sendInput({ content: [{ type: 'text', text: 'See [the  plan](http://x/y)\nnow' }] }));
  titles.push(desk.host.session(ref)?.title);
  await finishTurn(desk, turnId);
  titles.push((await desk.host.updateTitle(ref, ' Mine ')).title);
  await desk.host.updateTitle(ref, '');
  await desk.host.send(sendInput({ clientSubmitId: 'submit-3' }));
  titles.push(desk.host.session(ref)?.title);
  expect([titles, await codeOf(desk.host.updateTitle(ref, 'x'.repeat(121)))]).toEqual([['', 'See the plan now', 'Mine', ''], 'session_title_too_long']);
});

const offline = async () => {
  const desk = await idle();
  desk.world.live.clear();
  return desk;
};

test('ensure() resumes a stored session whose provider took it up, once', async () => {
  const { host, world, first } = await offline();
  await host.ensure(ref);
  await host.ensure(ref);
  expect([countsOf(world, 'start', 'resume'), world.calls.at(-1)?.id, first !== '']).toEqual(['start 1 resume 1', 'session-a [false,null]', true]);
});

test('send() resumes the runtime first', async () => {
  const { host, world } = await offline();
  await host.send(sendInput());
  expect(world.calls.slice(-2).map(({ name }) => name)).toEqual(['resume', 'exec']);
});

test('ensure() refuses a session that its provider never took up, live and offline', async () => {
  const { host, world, sink } = createDesk();
  await host.create(createInput());
  world.exec = async ({ turnId }, { report }) => {
    await report({ ref, turn: { turnId, phase: 'settled', outcome: 'canceled' } });
    return { disposition: 'rejected', providerTurnId: null, error: null };
  };
  await codeOf(host.send(sendInput()));
  const live = await codeOf(host.ensure(ref));
  world.live.clear();
  expect([live, await codeOf(host.ensure(ref)), countsOf(world, 'resume'), typeof sink.report]).toEqual(['provider_session_not_established', 'provider_session_not_established', 'resume 0', 'function']);
});

test('ensure() of an empty session works while it lives, and not after', async () => {
  const { host, world } = createDesk();
  await host.create(createInput());
  expect(await codeOf(host.ensure(ref))).toBe('no error');
  world.live.clear();
  expect(await codeOf(host.ensure(ref))).toBe('provider_session_not_established');
});

test('settings of a session offline are stored alone; live, the runtime has the last word, and its refusal stores nothing', async () => {
  const { host, world } = await idle({ settings: (settings) => ({ ...settings, speed: 'standard' }) });
  expect(await host.updateSettings(ref, { model: 'other' })).toEqual({ model: 'other', permissionModeId: 'ask', speed: 'standard' });
  world.settings = () => { throw new Error('no'); };
  expect(await codeOf(host.updateSettings(ref, { model: 'third' }))).toBe('Error: no');
  world.live.clear();
  expect([await host.updateSettings(ref, { speed: 'fast' }), countsOf(world, 'settings')]).toEqual([{ model: 'other', permissionModeId: 'ask', speed: 'fast' }, 'settings 2']);
});

test('pin, title and settings are read back, and each change is later than the one before', async () => {
  const { host } = await idle({}, { clock: { nowUnixMs: () => 5 } });
  const times = [host.session(ref)!.updatedAtUnixMs];
  for (const isPinned of [true, false, true]) times.push((await host.updatePin(ref, isPinned)).updatedAtUnixMs);
  expect([host.session(ref)?.isPinned, times.every((time, i) => i === 0 || time > times[i - 1]!)]).toEqual([true, true]);
  expect(await codeOf(host.updatePin({ ...ref, agentSessionId: 'x' }, true))).toBe('session_not_found');
});

test('listTurns() gives the newest first, in pages', async () => {
  const desk = await idle();
  const turns = [desk.first];
  for (const clientSubmitId of ['b', 'c']) {
    const { turnId } = await desk.host.send(sendInput({ clientSubmitId }));
    await finishTurn(desk, turnId);
    turns.unshift(turnId);
  }
  const page = desk.host.listTurns(ref, { limit: 2 });
  const next = desk.host.listTurns(ref, { limit: 2, before: page.turns[1]!.turnId });
  expect([page.turns.map(({ turnId }) => turnId), page.hasMore, next.turns.map(({ turnId }) => turnId), next.hasMore]).toEqual([turns.slice(0, 2), true, turns.slice(2), false]);
  for (const wrong of [{ limit: 0 }, { limit: 101 }, { limit: 1, before: 'nobody' }]) expect(() => desk.host.listTurns(ref, wrong)).toThrow('Cannot list turns');
});

test('an observer that fails is logged, and the command is not touched by it', async () => {
  const { host, logged, deltas } = createDesk();
  host.observe(() => { throw new Error('window gone'); });
  const stop = host.observe(() => { throw new Error('never'); });
  stop();
  const { turnId } = await host.create(prompted());
  expect([turnId !== null, deltas.length >= 2, new Set(logged)]).toEqual([true, true, new Set(['an observer failed: window gone'])]);
});

test('graphs() gives the visible sessions of a workspace, newest first, and the hidden ones where they are asked for', async () => {
  const { host } = createDesk();
  for (const [agentSessionId, isVisible] of [['a', true], ['b', false], ['c', true]] as const) await host.create(createInput({ ref: { ...ref, agentSessionId }, isVisible }));
  const listed = (options?: { includeHidden?: boolean }) => host.graphs('workspace', options).map(({ session }) => session.agentSessionId);
  expect([listed(), listed({ includeHidden: false }), listed({ includeHidden: true }), host.graphs('other')]).toEqual([['c', 'a'], ['c', 'a'], ['c', 'b', 'a'], []]);
});
