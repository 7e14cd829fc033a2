/** The live runtime of provider `codex`: one process and one thread for each session (agent-host 4.2). */

import type { ActivitySink } from '../../../core/agent/report.ts';
import { RuntimeError, type Runtime, type RuntimeResumeInput, type RuntimeStartInput, type RuntimeStartResult } from '../../../core/agent/runtime.ts';
import type { SessionRef } from '../../../core/agent/views.ts';
import { isBlank } from '../../../core/json/read.ts';
import type { Clock, ProcessSpec, ProcessTransport } from '../../../core/ports.ts';
import { CodexConnection, toRuntimeError } from './connection.ts';
import { initialize, isThreadMissing, resumeThread, startThread, type ClientInfo, type Thread } from './handshake.ts';
import { readSettings, threadParams } from './settings.ts';
import { cancelTurn, dispositionOf, respondTo, startTurn, type CodexSession } from './turns.ts';

export type CodexRuntimeOptions = {
  sink: ActivitySink;
  transport: ProcessTransport;
  clock: Clock;
  specFor: (input: { ref: SessionRef; cwd: string; provider: string }) => ProcessSpec;
  clientInfo: ClientInfo;
  log?: (text: string) => void;
  /** How long Codex may take until its thread is there; default without end, since a lane may be held for as long as a person looks. */
  startMs?: number;
  /** How long a stop waits for Codex at each step; default without end, for the same reason. */
  cancelMs?: number;
};

type Opened = { session: CodexSession; thread: Thread };
type Opening = Omit<RuntimeStartInput, 'isInitializationPending'> & { isPublished: boolean; open: (connection: CodexConnection) => Promise<Thread> };

/** Host and store are reached by the sink alone; nothing here knows of recordings. */
export function createCodexRuntime(options: CodexRuntimeOptions): Runtime {
  const sessions = new Map<string, Opened>();
  const starting = new Map<string, Promise<Opened>>();
  /** Also of sessions that are not open yet: these can be published or closed all the same. */
  const connections = new Map<string, CodexConnection>();

  return {
    start: (input) => begin({ ...input, isPublished: false, open: (connection) => startThread(connection, threadParams(input.cwd, readSettings(input.settings))) }),
    resume: (input) => begin({ ...input, isPublished: true, open: (connection) => resume(connection, input) }),
    publishInitialization: (ref) => connections.get(keyOf(ref))?.publish(),
    has: (ref) => sessions.has(keyOf(ref)),
    isLive: (ref) => sessions.get(keyOf(ref))?.session.connection.isLive ?? false,
    validate(_ref, content) {
      if (content.every((block) => block.type !== 'text' || isBlank(block.text))) throw new RuntimeError('content_empty', 'Cannot send the prompt: it has no text, some was needed');
    },
    async exec(input) {
      const session = find(input.ref);
      if (session) return startTurn(session, input);
      return { disposition: 'not_dispatched', providerTurnId: null, error: { code: 'runtime_session_disconnected', message: 'Cannot start a turn: the session has no process, one was needed' } };
    },
    async cancel({ ref, turnId }) {
      const session = find(ref);
      return session ? cancelTurn(session, turnId, { clock: options.clock, ms: options.cancelMs ?? null }) : { state: 'unconfirmed' };
    },
    async respond(input) {
      const session = find(input.ref);
      return session ? respondTo(session, input) : 'unknown';
    },
    dispositionOf(input) {
      const session = find(input.ref);
      return session ? dispositionOf(session, input) : 'unknown';
    },
    // Codex learns of them with the next turn.
    async updateSettings(_ref, settings) {
      readSettings(settings);
      return settings;
    },
    // The title is the Host's; Codex keeps its own.
    setTitle() {},
    close: (ref, { preserveCanonical }) => close(keyOf(ref), preserveCanonical),
    async closeAll() {
      await Promise.all([...connections.keys()].map((key) => close(key, true)));
    },
  };

  function find(ref: SessionRef): CodexSession | null {
    return sessions.get(keyOf(ref))?.session ?? null;
  }

  // A second call while the first one runs, or while its session lives, gets the same session and owns nothing of it.
  async function begin(opening: Opening): Promise<RuntimeStartResult> {
    const key = keyOf(opening.ref);
    const inFlight = starting.get(key);
    if (inFlight) return resultOf(await inFlight, false);
    const known = sessions.get(key);
    if (known?.session.connection.isLive) return resultOf(known, false);
    const started = open(key, opening).finally(() => starting.delete(key));
    starting.set(key, started);
    return resultOf(await started, true);
  }

  async function open(key: string, { ref, provider, cwd, settings, isPublished, open: openThread }: Opening): Promise<Opened> {
    const threadSettings = readSettings(settings);
    // Of a process that ended by itself.
    await connections.get(key)?.close({ isCanonicalKept: true });
    const { sink, transport, clock } = options;
    const process = await transport.start(options.specFor({ ref, cwd, provider })).catch((error: unknown) => {
      throw toRuntimeError(error, 'provider_start_failed');
    });
    const connection = new CodexConnection({ ref, process, sink, clock, isPublished, log: options.log ?? (() => {}) });
    connections.set(key, connection);
    try {
      const thread = await inTime(initialize(connection, options.clientInfo).then(() => openThread(connection)));
      const opened: Opened = { session: { connection, cwd, settings: threadSettings, execs: new Map() }, thread };
      sessions.set(key, opened);
      return opened;
    } catch (error) {
      await connection.close({ isCanonicalKept: true });
      if (connections.get(key) === connection) connections.delete(key);
      throw toRuntimeError(error, 'provider_start_failed');
    }
  }

  async function resume(connection: CodexConnection, input: RuntimeResumeInput): Promise<Thread> {
    const params = threadParams(input.cwd, readSettings(input.settings));
    try {
      return await resumeThread(connection, input.providerSessionId, params);
    } catch (error) {
      if (!input.recreateIfMissing || !isThreadMissing(error)) throw error;
      return startThread(connection, params);
    }
  }

  async function close(key: string, preserveCanonical: boolean): Promise<void> {
    const connection = connections.get(key);
    await connection?.close({ isCanonicalKept: preserveCanonical });
    if (connections.get(key) !== connection) return;
    connections.delete(key);
    sessions.delete(key);
  }

  function inTime<T>(work: Promise<T>): Promise<T> {
    const { startMs, clock } = options;
    if (startMs === undefined) return work;
    const { promise, reject } = Promise.withResolvers<never>();
    const cancel = clock.after(startMs, () => reject(new RuntimeError('provider_start_timeout', `Cannot open a Codex thread: there was none after ${startMs} ms, a thread was needed by then`)));
    return Promise.race([work, promise]).finally(cancel);
  }
}

function resultOf({ thread }: Opened, isCreated: boolean): RuntimeStartResult {
  return { isCreated, providerSessionId: thread.threadId, model: thread.model, resumeCheckpoint: null };
}

function keyOf({ workspaceId, agentSessionId }: SessionRef): string {
  return `${workspaceId}\n${agentSessionId}`;
}
