/** A recording daemon without its Host and adapter: rows and provider messages are played by hand, everything else is real. */

import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Fastify, { type FastifyInstance } from 'fastify';
import { onTestFinished } from 'vitest';
import type { CommitObserver, CommittedDelta } from '../../../src/core/agent/delta.ts';
import type { AgentHost } from '../../../src/core/agent/host.ts';
import type { InteractionView, MessageView, SessionView, TurnView } from '../../../src/core/agent/views.ts';
import type { RecordStatus } from '../../../src/core/control/daemon.ts';
import type { LanePlaceView } from '../../../src/core/control/lanes.ts';
import type { Json, JsonObject } from '../../../src/core/json/exact.ts';
import { LineSplitter } from '../../../src/core/lines.ts';
import type { InputUnit, ProcessConnection } from '../../../src/core/ports.ts';
import { Change } from '../../../src/core/signal.ts';
import { answerFailures } from '../../../src/daemon/http/failure.ts';
import type { DaemonMode } from '../../../src/daemon/mode.ts';
import { createRecordingMode } from '../../../src/daemon/recording/mode.ts';
import { readCassette } from '../../../src/runner/read-cassette.ts';
import { findDesk } from '../../../src/tape/fixtures/desk.ts';
import { FakeClock, settle } from '../../../src/tape/fixtures/fake-clock.ts';
import { FakeLive, specOf, type FakeProcess } from '../../../src/tape/fixtures/fake-live.ts';
import { nodeDisk } from '../../../src/tape/node-disk.ts';
import { RecordingTransport } from '../../../src/tape/recording-transport.ts';

export const root = 'session-a';
export const projectDir = '/srv/lab/app';
const startMs = 1_932_962_828_000;

type Rows = { session: SessionView | null; turns: TurnView[]; messages: MessageView[]; interactions: InteractionView[] };
type Event = { kind: 'intent' | 'effect'; type: string; payload?: JsonObject; cause?: string; commandId?: string; eventId?: string; agentSessionId?: string; seen?: LanePlaceView[] };

export class RecordingBench {
  readonly folder = join(realpathSync(mkdtempSync(join(tmpdir(), 'playhead-test-'))), 'candidate');
  readonly clock = new FakeClock();
  readonly mode: DaemonMode;
  readonly app: FastifyInstance = Fastify();
  process: FakeProcess | null = null;
  connection: ProcessConnection | null = null;
  /** What an adapter has read and not handled yet waits here. */
  isHolding = false;
  readonly #rows: Rows = { session: null, turns: [], messages: [], interactions: [] };
  readonly #live = new FakeLive();
  readonly #released = new Change();
  readonly #observers = new Set<CommitObserver>();
  #eventCount = 0;
  #version = 0;
  #commitCount = 0;

  constructor({ disk = nodeDisk } = {}) {
    onTestFinished(() => rmSync(join(this.folder, '..'), { recursive: true, force: true }));
    this.mode = createRecordingMode({
      boot: { recordingId: 'rec-1', folder: this.folder, agentTargetId: 'local:desk' },
      composerDefaults: { model: 'scripted', permissionModeId: 'ask', reasoningEffort: 'default', speed: 'standard' },
      projectDir,
      openTape: (hooks) => new RecordingTransport({ base: this.#live, clock: this.clock, disk: nodeDisk, findProvider: findDesk, machine: { roots: ['/srv/lab'], host: 'box-17', user: 'ada' }, recordedWith: { playhead: '0.1.0', platform: 'linux' }, ...hooks }),
      clock: this.clock,
      nowUnixMs: () => startMs + this.clock.now(),
      disk,
      facts: { normalisePath: (path) => path, stateFolder: '/srv/lab/state', homeFolderOf: () => null },
    });
    void this.mode.attach(this.#host());
    answerFailures(this.app as never, { allowedMethods: () => [] });
    this.mode.routes(this.app, { count: 0 });
  }

  // The window

  /** Sends an event; gives its id. */
  async tell({ kind, type, payload = {}, cause, commandId, eventId, agentSessionId = root, seen }: Event): Promise<string> {
    const id = eventId ?? `rec-1:activity:${++this.#eventCount}`;
    const correlationId = typeof payload.clientSubmitId === 'string' ? payload.clientSubmitId : typeof payload.commandId === 'string' ? payload.commandId : null;
    const { commandId: _bound, ...stored } = payload;
    const body = { eventId: id, kind, type, occurredAtUnixMs: startMs + this.#eventCount, agentSessionId, payload: stored, ...(correlationId === null ? {} : { correlationId }), ...(cause ? { causedByEventId: cause } : {}), ...(commandId ? { commandId } : {}), ...(seen ? { seen } : {}) };
    await this.post('/v1/recording/activity-events', { events: [body] });
    return id;
  }

  /** A command with its result as effect; `work` is what the Host does. */
  async command(type: string, { cause, payload = {}, work = async () => {} }: { cause: string; payload?: JsonObject; work?: () => Promise<void> | void }): Promise<string> {
    const commandId = `command:${type}:${cause}`;
    await this.mode.begin({ id: commandId, cause });
    await work();
    return this.tell({ kind: 'effect', type, cause, commandId, payload: { outcome: 'succeeded', ...payload } });
  }

  async activate({ submitId = 'submit-1', text = 'hello', turnId = 'turn-1' } = {}): Promise<void> {
    const asked = { mode: 'new', clientSubmitId: submitId, requestId: 'request-1', cwd: projectDir, initialContent: [{ type: 'text', text }] };
    const cause = await this.tell({ kind: 'intent', type: 'activation/requested', payload: asked });
    const work = async () => {
      this.create(turnId);
      await this.open();
    };
    await this.command('session/activate', { cause, payload: { ...asked, result: { session: { cwd: projectDir, railSectionKey: `project:${projectDir}` } } }, work });
  }

  // The daemon

  async get<Reply = RecordStatus>(path = '/v1/recording'): Promise<Reply> {
    return (await this.app.inject({ url: path })).json();
  }

  /** Throws `<status> <code>: <message>` where it is refused. */
  async post<Reply = RecordStatus>(url: string, payload: object): Promise<Reply> {
    const reply = await this.app.inject({ method: 'POST', url, payload });
    if (reply.statusCode === 200) return reply.json();
    const { code, message } = (reply.json() as { error: { code: string; message: string } }).error;
    throw new Error(`${reply.statusCode} ${code}: ${message}`);
  }

  complete(defects: object[] = []): Promise<RecordStatus> {
    return this.post('/v1/recording/complete', { defects });
  }

  // Host and adapter

  create(turnId: string): void {
    const session = sessionRow(turnId);
    this.commit({ session, turns: [turnRow(turnId, 1)] });
  }

  /** Opens the process; the adapter asks for a session. */
  async open(): Promise<void> {
    this.connection = await this.mode.transport.start(specOf({ agentSessionId: root, protocolCwd: projectDir }));
    this.process = this.#live.started.at(-1) ?? null;
    void this.#read(this.connection);
    await this.send({ id: 1, method: 'open', params: { cwd: projectDir } });
    await this.say({ id: 1, result: { session: 's' } });
  }

  async send(message: object): Promise<void> {
    await this.connection?.send(Buffer.from(`${JSON.stringify(message)}\n`));
  }

  /** The provider says something, and the adapter handles it unless it holds. */
  async say(...messages: object[]): Promise<void> {
    this.process?.say(messages.map((message) => `${JSON.stringify(message)}\n`).join(''));
    await settle();
  }

  async release(): Promise<void> {
    this.isHolding = false;
    this.#released.announce();
    await settle();
  }

  /** Rows of one transaction; what was there before is found by its id. */
  commit(rows: Partial<Rows>, unit: InputUnit | null = null): void {
    const { session = null, turns = [], messages = [], interactions = [] } = rows;
    const put = <Row extends object>(list: Row[], isSame: (row: Row, other: Row) => boolean) => (after: Row) => {
      const at = list.findIndex((row) => isSame(row, after));
      const before = list[at] ?? null;
      list.splice(at < 0 ? list.length : at, 1, after);
      return { before, after };
    };
    const before = this.#rows.session;
    if (session) this.#rows.session = session;
    this.#tell({
      sessions: session ? [{ before, after: session }] : [],
      turns: turns.map(put(this.#rows.turns, (a, b) => a.turnId === b.turnId)),
      messages: messages.map((message) => ({ ...message, version: ++this.#version })).map(put(this.#rows.messages, (a, b) => a.messageId === b.messageId)),
      interactions: interactions.map(put(this.#rows.interactions, (a, b) => a.requestId === b.requestId)),
      unit,
    });
  }

  turn(turnId: string): TurnView {
    return this.#rows.turns.find((turn) => turn.turnId === turnId) ?? turnRow(turnId, this.#rows.turns.length + 1);
  }

  #tell(parts: Omit<CommittedDelta, 'transactionId' | 'revision'>): void {
    const revision = ++this.#commitCount;
    for (const observer of this.#observers) observer({ transactionId: `tx-${revision}`, revision, ...parts });
  }

  async #read(connection: ProcessConnection): Promise<void> {
    const lines = new LineSplitter();
    for (let frame = await connection.recv(); frame; frame = await connection.recv()) {
      if (frame.kind !== 'stdout') continue;
      const { recordingId, connectionId, chunkSeq } = frame.stamp;
      for (const [i, line] of lines.push(frame.bytes).entries()) {
        while (this.isHolding) await this.#released.next();
        const unit: InputUnit = { recordingId, position: { connectionId, chunkSeq, unitIndex: i + 1 }, kind: 'protocol-message' };
        this.commit(this.#rowsOf(JSON.parse(line.toString()) as JsonObject), unit);
        await connection.completeProviderInputUnit?.(unit);
      }
    }
  }

  #rowsOf(message: JsonObject): Partial<Rows> {
    const { turn = '', item = '', status = '', text = '' } = (message.params ?? {}) as { [name: string]: string };
    const row = this.turn(turn);
    switch (message.method) {
      case 'began':
        return { turns: [{ ...row, phase: 'running', rootProviderTurnId: `p-${turn}` }], messages: [messageRow(`user:${turn}`, turn, { role: 'user', payload: { text: 'hello' } })] };
      case 'word':
        return { messages: [messageRow(item, turn, { payload: { text } })] };
      case 'tool':
        return { messages: [messageRow(`call:${item}`, turn, { role: 'tool', kind: 'tool_call', status: status === 'in_progress' ? 'running' : 'completed', payload: { callId: item, name: 'command', status } })] };
      case 'confirm':
        return { interactions: [interactionRow(item, turn, 'pending')] };
      case 'ended':
        return { session: sessionRow(null), turns: [{ ...row, phase: 'settled', outcome: status as TurnView['outcome'] }] };
      default:
        return {};
    }
  }

  #host(): AgentHost {
    const rows = this.#rows;
    const graph = () => rows.session && { session: rows.session, turns: rows.turns, messages: rows.messages, interactions: rows.interactions };
    return {
      session: () => rows.session,
      graph,
      isSettled: () => rows.session?.activeTurnId === null,
      capture: () => captured(rows),
      observe: (observer: CommitObserver) => {
        this.#observers.add(observer);
        return () => void this.#observers.delete(observer);
      },
    } as unknown as AgentHost;
  }

  // What was written

  /** Issues of the candidate, as a runner judges it before it publishes. */
  issues(acceptedEventCount: number): string[] {
    const { issues } = readCassette({ folder: this.folder, findProvider: findDesk, acceptedEventCount });
    return issues.filter(({ code }) => code !== 'recording_unpublished').map(({ code, file, path, is }) => `${code} ${file} ${path}: ${is}`);
  }

  read(path: string): string {
    return readFileSync(join(this.folder, path), 'utf8');
  }

  lines(path: string): JsonObject[] {
    return this.read(path).split('\n').filter(Boolean).map((line) => JSON.parse(line) as JsonObject);
  }

  /** `kind @sequence lane predicate` of each checkpoint. */
  plan(): string[] {
    const { checkpoints } = JSON.parse(this.read('checkpoint-plan.json')) as { checkpoints: { kind: string; cursor: { activityEventSequence: number; providerConnections: LanePlaceView[] }; readiness: { all: { equals: string }[] } }[] };
    return checkpoints.map(({ kind, cursor, readiness }) => `${kind} @${cursor.activityEventSequence} ${cursor.providerConnections.map(({ chunkSeq, unitIndex }) => `${chunkSeq}.${unitIndex}`).join(' ')} ${readiness.all.map(({ equals }) => equals).join(' ')}`.trim());
  }
}

export function sessionRow(activeTurnId: string | null): SessionView {
  return {
    agentSessionId: root, kind: 'root', rootSessionId: '', rootTurnId: '', parentSessionId: '', parentTurnId: '', parentToolCallId: '', origin: 'user',
    agentTargetId: 'local:desk', provider: 'desk', providerSessionId: 's', model: 'scripted', settings: {}, cwd: projectDir, railSectionKind: 'conversations', railProjectPath: '', railSectionKey: 'conversations',
    title: 'hello', activeTurnId, isPinned: false, isVisible: true, messageVersion: 0, createdAtUnixMs: 1, updatedAtUnixMs: 1,
  };
}

export function turnRow(turnId: string, sequence: number, change: Partial<TurnView> = {}): TurnView {
  return { agentSessionId: root, turnId, sequence, phase: 'submitted', outcome: null, error: null, origin: 'user_prompt', rootProviderTurnId: '', fileChanges: null, completedCommand: null, ...change };
}

export function messageRow(messageId: string, turnId: string, change: Partial<MessageView> = {}): MessageView {
  return { agentSessionId: root, messageId, version: 1, turnId, role: 'assistant', kind: 'text', status: 'completed', payload: {}, semantics: null, ...change };
}

export function interactionRow(requestId: string, turnId: string, status: InteractionView['status']): InteractionView {
  return { agentSessionId: root, turnId, requestId, kind: 'approval', status, toolName: 'command', input: {}, output: status === 'answered' ? { action: 'approve' } : null, metadata: {} };
}

function captured({ session, turns, messages, interactions }: Rows): Json {
  const row = {
    id: root, kind: 'root', agentTargetId: 'local:desk', provider: 'desk', providerSessionId: 's', model: 'scripted', settings: {}, cwd: session?.cwd ?? '', title: 'hello', pinned: false,
    turns: turns.map(({ turnId, phase, outcome, origin }) => ({ id: turnId, capabilityRefs: [], phase, outcome, origin })),
    messages: messages.map(({ messageId, turnId, role, kind, status, payload }) => ({ id: messageId, turnId, role, kind, status, payload })),
    interactions: interactions.map(({ requestId, turnId, kind, status, toolName, input, output, metadata }) => ({ requestId, turnId, kind, status, toolName, input, output, metadata })),
  };
  return { schemaVersion: 1, agent: { rootSessionId: root, sessions: [row] }, tuttiMode: { activations: [], turnSnapshots: [] }, workflows: [], issues: [] };
}

