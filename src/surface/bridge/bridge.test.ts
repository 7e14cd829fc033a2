import { expect, test } from 'vitest';
import type { JsonObject } from '../../core/json/exact.ts';
import type { EntityElement } from './find-hidden.ts';
import { FakeDaemon, json, type FakeDaemonOptions } from '../fixtures/fake-daemon.ts';
import { openWindow, quiesce, until, type FakeWindow } from '../fixtures/fake-window.ts';
import { selectInteractions, selectStatus } from '../engine/selectors.ts';

const isAt = ({ engine }: FakeWindow, status: string) => selectStatus(engine.getSnapshot()) === status;

/** Records a session with an approval, a queued prompt and a stop; gives the events as a cassette would hold them. */
async function record(options: Partial<FakeDaemonOptions> = {}): Promise<{ daemon: FakeDaemon; window: FakeWindow; lane: JsonObject }> {
  const daemon = new FakeDaemon({ mode: 'record', run: 'rec', ...options });
  const window = await openWindow(daemon);
  await window.bridge.ready();
  window.actions.newSession('One');
  await until(() => isAt(window, 'working') && daemon.events.length === 2, 'the start');
  daemon.ask();
  await until(() => isAt(window, 'waiting for approval'), 'the question');
  window.actions.decline(selectInteractions(window.engine.getSnapshot())[0]!);
  await until(() => daemon.events.length === 4, 'the answer');
  window.actions.send('Two');
  await quiesce();
  daemon.settle();
  await until(() => daemon.events.length === 6, 'the second prompt');
  window.actions.stop();
  await until(() => daemon.events.length === 8, 'the stop');
  return { daemon, window, lane: laneOf(daemon.events) };
}

function laneOf(events: JsonObject[]): JsonObject {
  const portable = JSON.parse(JSON.stringify(events).replaceAll('/project', '${REPLAY_CWD}')) as JsonObject[];
  const recorded = portable.map(({ seen, commandId: _command, ...event }, i) => ({ ...event, sequence: i + 1, lanes: seen === undefined ? {} : { seen, accepted: seen } }));
  return { cassetteId: 'cas', projectFolder: '/copy', events: recorded as JsonObject[], turns: { 'id-1': { initial: [], recorded: ['rec-1', 'rec-2'] } } };
}

test('a recording holds each intent before its command, and each result with its cause', async () => {
  const { daemon, window } = await record();
  expect(daemon.events.map(({ eventId, kind, type, causedByEventId }) => [eventId, kind, type, causedByEventId ?? null])).toEqual([
    ['rec:activity:1', 'intent', 'activation/requested', null],
    ['rec:activity:2', 'effect', 'session/activate', 'rec:activity:1'],
    ['rec:activity:3', 'intent', 'interaction/responseRequested', null],
    ['rec:activity:4', 'effect', 'interaction/respond', 'rec:activity:3'],
    ['rec:activity:5', 'intent', 'submit/requested', null],
    ['rec:activity:6', 'effect', 'queue/sendPrompt', 'rec:activity:5'],
    ['rec:activity:7', 'intent', 'session/stopRequested', null],
    ['rec:activity:8', 'effect', 'turn/cancel', 'rec:activity:7'],
  ]);
  expect(daemon.paths).toEqual(['/v1/recording/activity-events', 'create', '/v1/recording/activity-events', '/v1/recording/activity-events', '/id-1/interactives/r1/response', '/v1/recording/activity-events', '/v1/recording/activity-events', '/id-1/input', '/v1/recording/activity-events', '/v1/recording/activity-events', '/id-1/turns/rec-2/cancel', '/v1/recording/activity-events']);
  expect(daemon.seen[1]?.headers).toMatchObject({ 'x-playhead-command': 'activate:id-2', 'x-playhead-cause': 'rec:activity:1' });
  expect(daemon.events[1]).toMatchObject({ commandId: 'activate:id-2', correlationId: 'id-3', agentSessionId: 'id-1', payload: { mode: 'new', outcome: 'succeeded', result: { turnId: 'rec-1' } } });
  expect(daemon.events[2]).toMatchObject({ correlationId: 'id-4', seen: [{ connectionId: 'c1', chunkSeq: 1, unitIndex: 1 }], payload: { turnId: 'rec-1', requestId: 'r1', action: 'deny', optionId: 'deny' } });
  expect(daemon.events[4]).toMatchObject({ payload: { submitDiagnostics: { queued: true } } });
  expect(window.bridge.snapshot()).toMatchObject({ openCommands: [], awaited: null, lanes: [{ chunkSeq: 3 }] });
  await expect(window.bridge.seal()).resolves.toEqual({ defects: [] });
});

test('no command leaves before its intent is accepted', async () => {
  let accept = (_reply: Response) => {};
  const accepted = new Promise<Response>((resolve) => (accept = resolve));
  let isFirst = true;
  const daemon = new FakeDaemon({ mode: 'record', run: 'rec', answer: ({ path }) => (path.endsWith('activity-events') && isFirst ? ((isFirst = false), accepted) : null) });
  const window = await openWindow(daemon);
  await window.bridge.ready();
  window.actions.newSession('One');
  await quiesce();
  expect(daemon.paths).toEqual(['/v1/recording/activity-events']);
  expect(window.bridge.snapshot().openCommands).toEqual([{ type: 'session/activate', commandId: 'activate:id-2' }]);
  accept(json({ error: { code: 'recording_closed', message: 'No more' } }, 409));
  await until(() => isAt(window, 'failed'));
  expect(daemon.paths).not.toContain('create');
  await expect(window.bridge.seal()).resolves.toMatchObject({ defects: [{ kind: 'refused-event', commandId: 'rec:activity:1' }] });
});

test('a command in flight, and one that nobody caused, stand against sealing', async () => {
  const daemon = new FakeDaemon({ mode: 'record', run: 'rec', answer: ({ path }) => (path.endsWith('agent-sessions') ? new Promise<Response>(() => {}) : null) });
  const window = await openWindow(daemon);
  await window.bridge.ready();
  window.actions.newSession('One');
  await until(() => daemon.paths.includes('create'));
  await expect(window.bridge.seal()).resolves.toEqual({ defects: [{ kind: 'unsettled-command', commandId: 'activate:id-2', type: 'session/activate' }] });
});

test('a prompt that waits in the queue stands against sealing, and so does a window that broke', async () => {
  const daemon = new FakeDaemon({ mode: 'record', run: 'rec' });
  const window = await openWindow(daemon);
  await window.bridge.ready();
  window.actions.newSession('One');
  await until(() => isAt(window, 'working') && daemon.events.length === 2);
  window.actions.send('Two');
  daemon.sendBroken();
  await until(() => window.errors.length === 1);
  await expect(window.bridge.seal()).resolves.toEqual({ defects: [{ kind: 'queued-prompt', commandId: expect.stringMatching(/^send:/), type: 'queue/sendPrompt' }, { kind: 'broken-window', commandId: '', type: expect.any(String) }] });
});

/** Replays a lane; the test plays the provider. */
async function replay(lane: JsonObject, options: Partial<FakeDaemonOptions> = {}): Promise<{ daemon: FakeDaemon; window: FakeWindow }> {
  const daemon = new FakeDaemon({ mode: 'replay', run: 'live', cwd: '/copy', lane, ...options });
  const window = await openWindow(daemon, { nowMs: 50_000 });
  await window.bridge.ready();
  return { daemon, window };
}

async function playAll({ daemon, window: { bridge } }: { daemon: FakeDaemon; window: FakeWindow }): Promise<string[]> {
  const replies: string[] = [];
  const play = async (sequence: number, kind: 'dispatch' | 'verify') => replies.push((await bridge[kind](sequence)).state);
  await play(1, 'dispatch');
  await play(2, 'verify');
  daemon.ask();
  await play(3, 'dispatch');
  await play(4, 'verify');
  await play(5, 'dispatch');
  daemon.settle();
  await play(6, 'verify');
  await play(7, 'dispatch');
  await play(8, 'verify');
  return replies;
}

test('a recording replays with other turn ids, another folder and another time', async () => {
  const { lane } = await record();
  const run = await replay(lane);
  expect(await playAll(run)).toEqual(['dispatched', 'verified', 'dispatched', 'verified', 'dispatched', 'verified', 'dispatched', 'verified']);
  expect(run.daemon.divergences).toEqual([]);
  expect(run.daemon.paths).toEqual(['/v1/replay/events/1/accept', 'create', '/v1/replay/events/3/accept', '/id-1/interactives/r1/response', '/v1/replay/events/5/accept', '/id-1/input', '/v1/replay/events/7/accept', '/id-1/turns/live-2/cancel']);
  expect(run.daemon.seen[1]).toMatchObject({ body: { cwd: '/copy', railPlacement: { projectPath: '/copy' } }, headers: { 'x-playhead-command': 'rec:activity:2', 'x-playhead-cause': 'rec:activity:1' } });
  expect(run.daemon.seen[3]).toMatchObject({ body: { turnId: 'live-1' }, headers: { 'x-playhead-command': 'rec:activity:4' } });
});

test('dispatch() waits for the lanes, for readiness and for the daemon, says for what, and is done once', async () => {
  const { lane } = await record();
  const { daemon, window: { bridge } } = await replay(lane);
  const early = bridge.dispatch(3);
  await quiesce();
  expect(bridge.snapshot().awaited).toEqual({ sequence: 3, what: 'c1 1.1 to be applied (it stands at its begin)' });
  daemon.pass();
  await until(() => bridge.snapshot().awaited?.what === 'interaction "r1" to be pending');
  expect(daemon.paths).toEqual([]);
  await bridge.dispatch(1);
  daemon.ask();
  expect(await Promise.all([early, bridge.dispatch(3)])).toEqual([{ state: 'dispatched' }, { state: 'dispatched' }]);
  expect(daemon.paths.filter((path) => path.endsWith('3/accept'))).toHaveLength(1);
});

test('a wait says what it is for, the earliest event first', async () => {
  const { lane } = await record();
  const { window: { bridge } } = await replay(lane);
  void bridge.verify(4);
  expect(bridge.snapshot().awaited).toEqual({ sequence: 4, what: 'command "interaction/respond" of event 3' });
  void bridge.dispatch(3);
  void bridge.verify(2);
  expect(bridge.snapshot().awaited).toEqual({ sequence: 2, what: 'command "session/activate" of event 1' });
});

test('what the window cannot take in is a divergence of a replay at once, and no other snapshot hides it', async () => {
  const { lane } = await record();
  const { daemon, window } = await replay(lane);
  await window.bridge.dispatch(1);
  daemon.sendBroken();
  await until(() => daemon.divergences.length === 1);
  expect(daemon.divergences[0]).toMatchObject({ layer: 'state', code: 'not_shown', position: { activitySequence: 1 }, message: expect.stringContaining('could not take in what the daemon told it') });
  window.runTimers();
  await quiesce();
  expect([window.engine.getSnapshot().connection, daemon.streamCount, window.errors.length]).toEqual(['broken', 0, 1]);
});

type Damage = (lane: { events: { payload: JsonObject; correlationId: string; kind: string }[]; turns: JsonObject }) => void;
const checkDivergence = async (damage: Damage, options: Partial<FakeDaemonOptions>, divergence: JsonObject) => {
  const { lane } = await record();
  damage(lane as never);
  const run = await replay(lane, options);
  // It ends somewhere in the middle: the divergence is what counts.
  void playAll(run).catch(() => {});
  await until(() => run.daemon.divergences.length > 0, 'a divergence');
  expect(run.daemon.divergences[0]).toMatchObject(divergence);
};

test.each<[string, Damage, Partial<FakeDaemonOptions>, JsonObject]>([
  ['a prompt that was recorded otherwise', ({ events }) => (events[1]!.payload['initialContent'] = [{ type: 'text', text: 'Uno' }]), {}, { layer: 'effect', code: 'command_changed', path: '$.payload.initialContent[0].text', recorded: 'Uno', live: 'One', position: { activitySequence: 2, eventId: 'rec:activity:2' } }],
  ['an answer that was recorded otherwise', ({ events }) => (events[3]!.payload['optionId'] = 'approve'), {}, { layer: 'effect', code: 'command_changed', path: '$.payload.optionId', recorded: 'approve', live: 'deny' }],
  ['a stop of another turn', ({ events }) => (events[7]!.payload['turnId'] = 'rec-1'), {}, { layer: 'effect', code: 'command_changed', path: '$.payload.turnId', recorded: 'live-1', live: 'live-2' }],
  ['a command that nobody recorded', ({ events }) => (events[7]!.kind = 'direct-stimulus'), {}, { layer: 'effect', code: 'command_extra', recorded: null, position: { activitySequence: 7, eventId: 'rec:activity:7' } }],
  ['another outcome', () => {}, { answer: ({ path }) => (path.endsWith('/input') ? json({ error: { code: 'turn_active', message: 'Busy' } }, 409) : null) }, { layer: 'effect', code: 'command_result', path: '$.payload.outcome', recorded: 'succeeded', live: 'failed' }],
  ['another error', ({ events }) => Object.assign(events[3]!.payload, { outcome: 'failed', errorCode: 'interaction_not_found' }), { answer: ({ path }) => (path.endsWith('/response') ? json({ error: { code: 'network', message: '' } }, 409) : null) }, { layer: 'effect', code: 'command_result', path: '$.payload.errorCode' }],
  ['a turn too many', ({ turns }) => (turns['id-1'] = { initial: [], recorded: ['rec-1'] }), {}, { layer: 'state', code: 'turn_surplus', path: '$.turns[1]', live: 'live-2' }],
])('a replay reports %s', (_title, damage, options, divergence) => checkDivergence(damage, options, divergence));

test('a command that differs never leaves, and its refusal waits for the register', async () => {
  const { lane } = await record();
  (lane as unknown as { events: { payload: JsonObject }[] }).events[1]!.payload['title'] = 'Other';
  let answer = (_reply: Response) => {};
  const { daemon, window } = await replay(lane, { answer: ({ path }) => (path.endsWith('/divergence') ? new Promise<Response>((resolve) => (answer = resolve)) : null) });
  void window.bridge.dispatch(1);
  await quiesce();
  expect(isAt(window, 'starting')).toBe(true);
  answer(json({}));
  await until(() => isAt(window, 'failed'));
  expect(daemon.paths).not.toContain('create');
  await expect(window.bridge.verify(2)).resolves.toEqual({ state: 'diverged' });
  await expect(window.bridge.verify(6)).resolves.toEqual({ state: 'diverged' });
});

test("a person's own click in a replay is a command that nobody recorded", async () => {
  const { lane } = await record();
  const run = await replay(lane);
  await run.window.bridge.dispatch(1);
  await run.window.bridge.verify(2);
  run.window.actions.stop();
  await until(() => run.daemon.divergences.length > 0);
  expect(run.daemon.divergences[0]).toMatchObject({ code: 'command_extra', position: { activitySequence: 1 } });
  expect(run.daemon.paths.some((path) => path.endsWith('/cancel'))).toBe(false);
});

test('calls that a window cannot do are refused', async () => {
  const { window, lane } = await record();
  await expect(window.bridge.dispatch(1)).rejects.toThrow('Cannot dispatch event 1: this window records, a replaying one was needed');
  const run = await replay(lane);
  await expect(run.window.bridge.dispatch(2)).rejects.toThrow('Cannot dispatch event 2: it is effect "session/activate", an intent was needed');
  await expect(run.window.bridge.verify(99)).rejects.toThrow('Cannot verify event 99: the lane has none, an effect was needed');
  await expect(run.window.bridge.seal()).rejects.toThrow('Cannot seal');
});

const element = (dataset: EntityElement['dataset'], { isVisible = true, width = 10 } = {}): EntityElement => ({ dataset, checkVisibility: () => isVisible, getBoundingClientRect: () => ({ width, height: 10 }) });
const turn = { kind: 'turn', sessionId: 's', id: 't', status: 'running' } as const;
test.each<[string, EntityElement[], string | null | 'nothing']>([
  ['nothing where it is shown', [element({ id: 't', session: 's', status: 'running' })], 'nothing'],
  ['another status', [element({ id: 't', session: 's', status: 'completed' })], 'completed'],
  ['an element that is hidden', [element({ id: 't', session: 's', status: 'running' }, { isVisible: false })], null],
  ['an element without a size', [element({ id: 't', session: 's', status: 'running' }, { width: 0 })], null],
  ['one of another session', [element({ id: 't', session: 'other', status: 'running' })], null],
  ['an absent one', [], null],
])('findHidden() gives %s', async (_title, elements, shown) => {
  const { window } = await replay({ cassetteId: 'cas', events: [], turns: {} });
  window.elements.push(...elements);
  expect(window.bridge.findHidden([turn])).toEqual(shown === 'nothing' ? null : { entity: turn, shown });
});
