import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, expect, test } from 'vitest';
import type { CheckpointReply, FinishReply, ReplayStatus } from '../core/control/daemon.ts';
import { workspaceId, type DaemonBoot } from '../core/control/boot.ts';
import type { Json, JsonObject } from '../core/json/exact.ts';
import type { InputUnit, ProcessConnection } from '../core/ports.ts';
import type { Divergence } from '../core/verdict/divergence.ts';
import { findDesk, line } from '../tape/fixtures/desk.ts';
import { FakeClock, settle, stateOf } from '../tape/fixtures/fake-clock.ts';
import { specOf } from '../tape/fixtures/fake-live.ts';
import { connection, makeFolder, removeFolders, tapeOf, writeTape } from '../tape/fixtures/tapes.ts';
import { answerFailures } from './http/failure.ts';
import { createReplayTape, openReplayMode } from './main-replay-mode.ts';
import type { DaemonMode } from './mode.ts';
import { observeDelta } from './observe-delta.ts';
import { at, desktopDocuments, desktopEvents, desktopFiles, expectedState } from './replay/fixtures/documents.ts';
import { FakeHost, type Write } from './replay/fixtures/fake-host.ts';
import { createReplayMode } from './replay/mode.ts';

afterEach(removeFolders);

/** What the adapter of this test commits for a unit; nothing for the others. */
const writes: { [unit: string]: Omit<Write, 'unit'> } = {
  '2.1': { session: { providerSessionId: 's' } },
  '4.2': { turn: { turnId: 'turn-1', phase: 'running' } },
  '5.1': { interaction: { requestId: 'request-1' }, message: { messageId: 'message-1', payload: { text: 'do' } } },
  '8.1': { turn: { turnId: 'turn-1', phase: 'settled', outcome: 'completed' }, session: { activeTurnId: null }, message: { messageId: 'message-1', status: 'completed', payload: { text: 'done' } } },
};

type Options = { documents?: Parameters<typeof desktopDocuments>[0]; writes?: typeof writes; observe?: typeof observeDelta };

class Desktop {
  readonly host = new FakeHost();
  readonly clock = new FakeClock();
  readonly app: FastifyInstance = Fastify({ ajv: { customOptions: { coerceTypes: false, useDefaults: false, removeAdditional: false } } });
  readonly mode: DaemonMode;
  readonly #writes: typeof writes;
  #connection: ProcessConnection | null = null;

  constructor(options: Options = {}) {
    this.#writes = options.writes ?? writes;
    const steps = [
      [1, 'outbound', { id: 1, method: 'open' }],
      [1, 'stdout', '{"id":1,"result":{"session":"s"}}\n'],
      [1, 'outbound', { id: 2, method: 'ask', params: { text: 'go' } }],
      [1, 'stdout', '{"id":2,"result":{}}\n{"method":"began"}\n'],
      [1, 'stdout', '{"id":7,"method":"confirm"}\n'],
      [1, 'outbound', { id: 7, result: { answer: 'yes' } }],
      [1, 'stdout', '{"method":"confirmed"}\n'],
      [1, 'stdout', '{"method":"ended"}\n'],
      [1, 'stdout', '{"method":"word","params":{"text":"bye"}}\n'],
    ] as const;
    const tape = tapeOf({ steps: steps.map((step) => [...step]), connections: [connection(1, { agentSessionId: 'root' })] });
    this.mode = createReplayMode({
      boot: { cassetteId: 'one', folder: '/cassette', timing: 'instant', projectDir: '/project' },
      documents: desktopDocuments(options.documents),
      createTape: createReplayTape({ cassetteId: 'one', rootAgentSessionId: 'root', tape, clock: this.clock, findProvider: findDesk, timing: 'instant', home: '/home' }),
      observeDelta: options.observe ?? observeDelta,
      captureFacts: { normalisePath: (path) => path, stateFolder: '/state', homeFolderOf: () => null },
      clock: this.clock,
      workspaceId,
      userId: 'local',
      closeRuntimes: async () => this.#connection?.close(),
    });
    void this.mode.attach(this.host.port);
    answerFailures(this.app, { allowedMethods: () => [] });
    this.mode.routes(this.app, { count: 0 });
  }

  async get<Reply>(path: string): Promise<Reply> {
    return (await this.app.inject({ method: 'GET', url: `/v1/replay/${path}` })).json<Reply>();
  }

  async post<Reply = { error?: { code: string; reason?: string } }>(path: string, payload?: object): Promise<Reply> {
    const reply = await this.app.inject({ method: 'POST', url: `/v1/replay/${path}`, ...(payload ? { payload } : {}) });
    await settle();
    return reply.json<Reply>();
  }

  accept = (sequence: number) => this.post(`events/${sequence}/accept`);
  hold = (...places: object[]) => this.post('playback', { command: 'set-provider-cursor', providerConnections: places });
  verify = (index: number) => this.post<CheckpointReply>(`checkpoints/${index}/verify`);
  status = () => this.get<ReplayStatus>('status');
  finish = () => this.post<FinishReply>('finish');

  /** A command of the window with the work it does in this daemon. */
  async command(sequence: number, work: () => Promise<void> | void = () => {}): Promise<void> {
    await this.mode.begin({ id: `event-${sequence}`, cause: null });
    await work();
    await settle();
  }

  readonly activate = async (): Promise<void> => {
    this.host.commit({ session: { activeTurnId: 'turn-1' }, turn: { turnId: 'turn-1' } });
    this.#connection = await this.mode.transport.start(specOf({ provider: 'desk', agentSessionId: 'root', rootAgentSessionId: 'root' }));
    void this.#read(this.#connection);
    await this.#connection.send(line({ id: 1, method: 'open' }));
  };

  readonly approve = async (answer = 'yes'): Promise<void> => {
    this.host.commit({ interaction: { requestId: 'request-1', status: 'answered', output: { answer } } });
    await this.#connection?.send(line({ id: 7, result: { answer } }));
  };

  /** Plays the lane; stops before the event of this sequence. */
  async playTo(end: number): Promise<void> {
    const steps = [() => this.accept(1), () => this.command(2, this.activate), () => this.accept(3), () => this.command(4, this.approve), () => this.accept(5), () => this.command(6)];
    for (const step of steps.slice(0, end - 1)) await step();
    await settle();
  }

  async #read(from: ProcessConnection): Promise<void> {
    for (let frame = await from.recv(); frame; frame = await from.recv()) {
      if (frame.kind === 'exit') return;
      const { connectionId, chunkSeq } = frame.stamp;
      for (const [i] of frame.bytes.toString().trim().split('\n').entries()) {
        const unit: InputUnit = { position: { connectionId, chunkSeq, unitIndex: i + 1 }, kind: 'protocol-message' };
        this.host.commit({ unit, ...this.#writes[`${chunkSeq}.${i + 1}`] });
        if (chunkSeq === 2) void from.send(line({ id: 2, method: 'ask', params: { text: 'go' } }));
        await from.completeProviderInputUnit?.(unit);
      }
    }
  }
}

const lanesOf = ({ lanes }: ReplayStatus) => lanes.map(({ chunkSeq, unitIndex }) => `${chunkSeq}.${unitIndex}`).join();
const refusal = (code: string) => expect.objectContaining({ name: 'Refusal', status: 409, code });

test('a lane lands on every checkpoint and ends with the recorded state', async () => {
  const desktop = new Desktop();
  expect([(await desktop.verify(0)).state, (await desktop.verify(1)).state]).toEqual(['reached', 'not_yet']);
  await desktop.hold(at(5));
  await desktop.playTo(3);
  expect(lanesOf(await desktop.status())).toBe('5.1');
  expect(await desktop.verify(1)).toMatchObject({ state: 'reached', shows: [{ kind: 'interaction', sessionId: 'root', id: 'request-1', status: 'pending' }] });
  await desktop.accept(3);
  expect((await desktop.verify(2)).state).toBe('not_yet');
  await desktop.command(4, desktop.approve);
  expect([(await desktop.verify(2)).state, lanesOf(await desktop.status())]).toEqual(['reached', '5.1']);
  await desktop.hold(at(8));
  expect([(await desktop.verify(3)).state, lanesOf(await desktop.status())]).toEqual(['not_yet', '7.1']);
  await desktop.accept(5);
  expect(await desktop.verify(3)).toMatchObject({ state: 'reached', shows: [{ kind: 'turn', id: 'turn-1', status: 'completed' }] });
  await desktop.command(6);
  await desktop.post('playback', { command: 'clear-provider-cursor' });
  expect(await desktop.status()).toMatchObject({ isDrained: true, hasActiveTurn: false, divergence: null, missing: null, accepted: [1, 3, 5], begun: [2, 4, 6], counts: { matched: 3, delivered: 6, connections: 1 }, launches: { expected: 1, arrived: 1, refused: 0 } });
  const end = await desktop.finish();
  expect([end.divergence, end.stateNodes > 20]).toEqual([null, true]);
});

test('without checkpoints the gates of events and commands alone keep the recorded order', async () => {
  const desktop = new Desktop();
  await desktop.playTo(7);
  expect([lanesOf(await desktop.status()), (await desktop.finish()).divergence]).toEqual(['9.1', null]);
});

const checkStand = async (end: number, lanes: string, missing: string | null) => {
  const desktop = new Desktop();
  await desktop.playTo(end);
  const status = await desktop.status();
  expect([lanesOf(status), status.missing?.code ?? null]).toEqual([lanes, missing]);
};

test.each<[number, string, string | null]>([
  [1, '', null],
  [2, '', 'command_missing'],
  [3, '5.1', null],
  [4, '5.1', 'command_missing'],
  [5, '7.1', null],
  [6, '8.1', 'command_missing'],
  [7, '9.1', null],
])('before event %d the lane stands at "%s", and %s is missing', checkStand);

test('a command begins when every lane has handled what had been handled then, and no lane goes on before it', async () => {
  const desktop = new Desktop();
  await desktop.hold(at(7));
  await desktop.playTo(6);
  const begun = desktop.mode.begin({ id: 'event-6', cause: 'event-5' });
  expect([(await stateOf(begun)).is, lanesOf(await desktop.status())]).toEqual(['waiting', '7.1']);
  await desktop.hold(at(8));
  expect((await stateOf(begun)).is).toBe('done');
  await desktop.mode.begin({ id: 'event-6', cause: 'event-5' });
  expect((await desktop.status()).begun).toEqual([2, 4, 6]);
});

test('a command that was begun at the place of a checkpoint waits until that is left', async () => {
  const desktop = new Desktop();
  const holdAt = (activityEventSequence: number, place: object) => desktop.post('playback', { command: 'set-provider-cursor', providerConnections: [place], activityEventSequence });
  await desktop.playTo(6);
  await holdAt(5, at(8));
  const command = desktop.command(6);
  await settle();
  expect(await desktop.status()).toMatchObject({ begun: [2, 4], missing: null });
  await holdAt(6, at(8));
  await command;
  expect((await desktop.status()).begun).toEqual([2, 4, 6]);
});

test('a command whose intent was not accepted is refused and judged by nobody', async () => {
  const desktop = new Desktop();
  await expect(desktop.mode.begin({ id: 'event-2', cause: null })).rejects.toEqual(refusal('command_not_accepted'));
  expect((await desktop.status()).divergence).toBe(null);
});

test.each<[string, string | null]>([
  ['names none', null],
  ['names another', 'event-9'],
  ['names an intent', 'event-1'],
])('a command that %s of the recorded ones is an extra one', async (_title, id) => {
  const desktop = new Desktop();
  await expect(desktop.mode.begin({ id, cause: null })).rejects.toEqual(refusal('playback_refused'));
  expect((await desktop.status()).divergence).toMatchObject({ layer: 'effect', code: 'command_extra' });
});

test.each([[2], [77]])('event %d cannot be accepted', async (sequence) => {
  expect(await new Desktop().accept(sequence)).toMatchObject({ error: { code: 'event_not_found' } });
});

test('a target below what was handled is a divergence of the transport', async () => {
  const desktop = new Desktop();
  await desktop.playTo(3);
  await desktop.hold(at(4));
  expect((await desktop.status()).divergence).toMatchObject({ layer: 'transport', code: 'checkpoint_provider_overshot', position: at(5) });
});

test('the first divergence stays, refuses everything after it, and ends every wait', async () => {
  const desktop = new Desktop();
  await desktop.hold(at(7));
  await desktop.playTo(6);
  const waiting = expect(desktop.mode.begin({ id: 'event-6', cause: null })).rejects.toEqual(refusal('playback_refused'));
  const report = (code: string) => desktop.post<Divergence>('divergence', { layer: 'effect', code, message: code, position: { activitySequence: 6, eventId: 'event-6' } });
  expect((await report('command_changed')).fingerprint).toMatch(/^sha256:/);
  await waiting;
  expect((await report('command_extra')).code).toBe('command_changed');
  await expect(desktop.mode.begin({ id: 'event-6', cause: null })).rejects.toEqual(refusal('playback_refused'));
  expect(await desktop.accept(5)).toMatchObject({ error: { code: 'playback_refused', reason: 'command_changed' } });
  expect([(await desktop.verify(1)).state, (await desktop.finish()).divergence?.code]).toEqual(['not_yet', 'command_changed']);
});

test('a wrong answer is a divergence of the protocol, and the next provider call gets the same refusal', async () => {
  const desktop = new Desktop();
  await desktop.playTo(4);
  await expect(desktop.command(4, () => desktop.approve('no'))).rejects.toMatchObject({ code: 'playback_refused' });
  await expect(desktop.approve()).rejects.toMatchObject({ code: 'playback_refused' });
  expect((await desktop.status()).divergence).toMatchObject({ layer: 'protocol', code: 'outbound_mismatch', path: '$.result.answer' });
});

const checkFinish = async (options: Options & { end?: number; approve?: boolean }, found: object) => {
  const desktop = new Desktop(options);
  const { end = 7, approve = true } = options;
  await desktop.playTo(Math.min(end, 4));
  if (end > 4) {
    await desktop.command(4, approve ? desktop.approve : () => {});
    await desktop.accept(5);
    if (approve && end > 6) await desktop.command(6);
  }
  const reply = await desktop.finish();
  expect(reply.divergence).toMatchObject(found);
  expect(await desktop.finish()).toEqual(reply);
};
const expectedWith = (change: (session: JsonObject) => void): Json => {
  const expected = structuredClone(desktopDocuments().expected) as { agent: { sessions: JsonObject[] } };
  change(expected.agent.sessions[0] as JsonObject);
  return expected as Json;
};
const endWith = (change: Omit<Write, 'unit'>) => ({ ...writes, '8.1': { ...writes['8.1'], ...change } });

test.each<[string, Parameters<typeof checkFinish>[0], object]>([
  ['nothing was dispatched', { end: 1 }, { layer: 'state', code: 'intent_not_ready', position: { activitySequence: 1, eventId: 'event-1' } }],
  ['a command was not made', { end: 4 }, { layer: 'effect', code: 'command_missing', recorded: 'interaction/respond', position: { activitySequence: 4, eventId: 'event-4' } }],
  ['an intent was not dispatched', { end: 3 }, { layer: 'state', code: 'intent_not_ready', recorded: 'interaction/responseRequested' }],
  ['the daemon dropped an answer', { approve: false }, { layer: 'protocol', code: 'outbound_missing', position: { chunkSeq: 6 } }],
  ['a text is another one', { writes: endWith({ message: { messageId: 'message-1', status: 'completed', payload: { text: 'gone' } } }) }, { layer: 'state', code: 'state_diff', path: '$.agent.sessions[0].messages[0].payload.text', recorded: '"done"', live: '"gone"', position: null, checkpoint: { id: 'checkpoint-0003', name: 'turn.terminal' } }],
  ['a message is missing', { writes: { ...writes, '5.1': { interaction: { requestId: 'request-1' } }, '8.1': { ...writes['8.1'], message: { messageId: 'other', payload: {} } } } }, { layer: 'state', code: 'state_diff' }],
  ['something was stored that was not recorded', { documents: { expected: expectedWith((session) => (session['messages'] = [])) } }, { layer: 'state', code: 'state_diff', path: '$.agent.sessions[0].messages' }],
])('finish() when %s', (_title, options, found) => checkFinish(options, found));

test('finish() of a session with an open turn', async () => {
  const desktop = new Desktop();
  await desktop.playTo(7);
  desktop.host.commit({ turn: { turnId: 'turn-2', phase: 'running' } });
  expect((await desktop.finish()).divergence).toMatchObject({ layer: 'state', code: 'session_unsettled' });
});

test('finish() of a session with a turn that nobody recorded', async () => {
  const desktop = new Desktop();
  await desktop.playTo(7);
  desktop.host.commit({ turn: { turnId: 'turn-2', phase: 'settled', outcome: 'completed' } });
  expect((await desktop.finish()).divergence).toMatchObject({ layer: 'state', code: 'turn_surplus', path: '$.agent.sessions[0].turns' });
});

const checkTrigger = async (changed: typeof writes, found: object) => {
  const desktop = new Desktop({ writes: changed });
  await desktop.playTo(3);
  expect((await desktop.status()).divergence).toMatchObject({ layer: 'state', checkpoint: { id: 'checkpoint-0001' }, position: at(5), ...found });
};

test.each<[string, typeof writes, object]>([
  ['nothing was stored', { ...writes, '5.1': {} }, { code: 'checkpoint_trigger_missing' }],
  ['something else was stored', { ...writes, '5.1': { interaction: { requestId: 'request-1', kind: 'question' } } }, { code: 'checkpoint_trigger_mismatch' }],
])('a unit in which %s is a divergence of the state', (_title, changed, found) => checkTrigger(changed, found));

test('a checkpoint whose state is not as recorded says what it lacks', async () => {
  const desktop = new Desktop();
  await desktop.playTo(4);
  await desktop.command(4);
  expect(await desktop.verify(2)).toEqual({ state: 'not_ready', awaited: { predicate: 'interaction.status', needed: 'answered', actual: 'pending' } });
  expect(await desktop.verify(9)).toMatchObject({ error: { code: 'target_unknown' } });
});

test('the status waits for something to happen, or for the time that was given', async () => {
  const desktop = new Desktop();
  const { revision } = await desktop.status();
  const waiting = desktop.get<ReplayStatus>(`status?after=${revision}&waitMs=1000`);
  expect((await stateOf(waiting)).is).toBe('waiting');
  await desktop.accept(1);
  expect((await waiting).accepted).toEqual([1]);
  const idle = desktop.get<ReplayStatus>(`status?after=${(await desktop.status()).revision}&waitMs=1000`);
  await settle();
  await desktop.clock.advance(1000);
  expect((await idle).accepted).toEqual([1]);
});

test('closing ends every wait', async () => {
  const desktop = new Desktop();
  await desktop.hold(at(7));
  await desktop.playTo(6);
  const command = expect(desktop.mode.begin({ id: 'event-6', cause: null })).rejects.toEqual(refusal('playback_refused'));
  const status = desktop.get<ReplayStatus>(`status?after=${(await desktop.status()).revision}&waitMs=1000`);
  await settle();
  await desktop.mode.close();
  await command;
  expect((await status).begun).toEqual([2, 4]);
});

const observeNothingOf = (chunkSeq: number): typeof observeDelta => (delta, root) => {
  if (delta.unit?.position.chunkSeq === chunkSeq) throw new Error('marker');
  return observeDelta(delta, root);
};

test('a replay that cannot follow what was stored says so at every question, and is not green', async () => {
  const desktop = new Desktop({ observe: observeNothingOf(8) });
  await desktop.playTo(7);
  const error = { error: { code: 'internal_error', message: 'Cannot follow the replay: marker, no error was expected' } };
  expect([await desktop.status(), await desktop.verify(3), await desktop.finish()]).toEqual([error, error, error]);
});

test('a replay that cannot follow what came behind a divergence keeps the divergence', async () => {
  const broken = { unit: {} as InputUnit };
  const [diverged, lost] = [new Desktop(), new Desktop()];
  await diverged.post('divergence', { layer: 'effect', code: 'command_missing', message: 'The window made no command' });
  for (const desktop of [diverged, lost]) desktop.host.commit(broken);
  expect([await diverged.status(), await lost.status()]).toMatchObject([{ divergence: { code: 'command_missing' } }, { error: { code: 'internal_error' } }]);
});

test('a continued session begins with its recorded state, in the folder of this replay', async () => {
  const desktop = new Desktop({ documents: { initial: expectedState } });
  expect(desktop.host.restored).toMatchObject([{ agent: { sessions: [{ id: 'root', cwd: '/project' }] } }]);
  expect(await desktop.get('lane')).toMatchObject({ turns: { root: { initial: ['recorded-turn'], recorded: [] } } });
});

test('the lane is given to the window with the turns of its sessions', async () => {
  expect(await new Desktop().get('lane')).toEqual({ cassetteId: 'one', projectFolder: '/project', events: desktopEvents, turns: { root: { initial: [], recorded: ['recorded-turn'] } } });
});

test('what was sent and what came out can be read', async () => {
  const desktop = new Desktop();
  expect(await desktop.get('state')).toMatchObject({ error: { code: 'session_not_found' } });
  await desktop.playTo(7);
  expect(await desktop.get('sent')).toMatchObject([{ method: 'open' }, { method: 'ask' }, { result: { answer: 'yes' } }]);
  expect(await desktop.get('state')).toMatchObject({ agent: { rootSessionId: 'root', sessions: [{ cwd: '${REPLAY_CWD}' }] } });
});

test.each([
  ['playback', { command: 'rewind' }, 'invalid_argument'],
  ['playback', { command: 'set-speed', speed: 3 }, 'option_invalid'],
  ['playback', { command: 'set-provider-cursor', providerConnections: [at(1), at(2)] }, 'option_invalid'],
  ['divergence', { layer: 'effect' }, 'invalid_argument'],
  ['checkpoints/x/verify', undefined, 'invalid_argument'],
])('%s with %o is refused', async (path, body, code) => {
  expect(await new Desktop().post(path, body)).toMatchObject({ error: { code } });
});

function cassetteFolder(): string {
  const folder = makeFolder();
  for (const [path, text] of Object.entries(desktopFiles())) writeFileSync(join(folder, path), text);
  mkdirSync(join(folder, 'provider'));
  writeTape(join(folder, 'provider'), { connections: [connection(1, { provider: 'codex', agentSessionId: 'root' })], steps: [[1, 'outbound', { id: 0, method: 'initialize', params: {} }], [1, 'stdout', '{"id":0,"result":{}}\n']] });
  return folder;
}

const bootOf = (folder: string): DaemonBoot => ({ stateDir: '/state', projectDir: '/project', rendererDir: '/renderer', windowToken: 'w', controlToken: 'c', composerDefaults: {}, replay: { cassetteId: 'one', folder, timing: 'instant' } });
const openMode = (boot: DaemonBoot) => openReplayMode({ boot, closeRuntimes: async () => {} });

test('openReplayMode() reads a cassette from its folder', async () => {
  const mode = openMode(bootOf(cassetteFolder()));
  const app = Fastify();
  const windows = { count: 1 };
  mode.routes(app, windows);
  const status = (await app.inject('/v1/replay/status')).json<ReplayStatus>();
  expect([mode.bootstrap, status.launches.expected, mode.transport.tracksProviderInputUnits, status.windowCount]).toEqual([{ mode: 'replay', recordingId: null, cassetteId: 'one' }, 1, true, 1]);
  windows.count = 0;
  expect((await app.inject('/v1/replay/status')).json<ReplayStatus>().windowCount).toBe(0);
  await mode.close();
});

test.each<[string, (boot: DaemonBoot) => void, string]>([
  ['a boot document without a cassette', (boot) => delete boot.replay, 'option_invalid'],
  ['a folder without documents', (boot) => rmSync(join(boot.replay?.folder ?? '', 'checkpoint-plan.json')), 'cassette_not_valid'],
  ['a folder without a tape', (boot) => rmSync(join(boot.replay?.folder ?? '', 'provider', 'frames.jsonl')), 'cassette_not_valid'],
  ['a tape whose manifest is no JSON', (boot) => writeFileSync(join(boot.replay?.folder ?? '', 'provider', 'manifest.json'), '{'), 'cassette_not_valid'],
])('openReplayMode() refuses %s', (_title, damage, code) => {
  const boot = bootOf(cassetteFolder());
  damage(boot);
  expect(() => openMode(boot)).toThrow(expect.objectContaining({ name: 'Fault', code }));
});
