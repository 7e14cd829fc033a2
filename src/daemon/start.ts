/** Store, Host, runtime, HTTP: the one way in which live, record and replay start and end (design, a replayed test). */

import type { AgentHost } from '../core/agent/host.ts';
import type { ActivitySink } from '../core/agent/report.ts';
import type { Runtime } from '../core/agent/runtime.ts';
import type { Bootstrap } from '../core/agent/wire.ts';
import { workspaceId, type DaemonBoot } from '../core/control/boot.ts';
import { createPublisher } from './http/publisher.ts';
import { createServer, listen } from './http/server.ts';
import type { DaemonMode } from './mode.ts';
import { openLog } from './process/log.ts';
import { openStateDir } from './process/state-dir.ts';

export type DaemonParts = {
  createHost: (options: { databasePath: string; runtime: (sink: ActivitySink) => Runtime; log: DaemonLog }) => AgentHost;
  createRuntime: (options: { sink: ActivitySink; log: DaemonLog }) => Runtime;
  nowUnixMs: () => number;
};

/** A sentence and its facts; facts hold no text of a person or a provider. */
export type DaemonLog = (message: string, facts?: { [name: string]: unknown }) => void;

export type StartOptions = DaemonParts & {
  boot: DaemonBoot;
  mode: DaemonMode;
};

export type RunningDaemon = {
  url: string;
  log: DaemonLog;
  /** Window streams, runtimes, Host, mode; every step is taken whatever became of the one before. */
  stop: () => Promise<void>;
};

/** Rejects with what kept it from starting, and then leaves nothing open. */
export async function startDaemon({ boot, mode, createHost, createRuntime, nowUnixMs }: StartOptions): Promise<RunningDaemon> {
  const first: (() => unknown)[] = [];
  const last: (() => unknown)[] = [];
  const stop = once(() => endAll([...first, mode.close, ...last]));
  try {
    const stateDir = openStateDir(boot.stateDir);
    last.unshift(stateDir.release);
    const logFile = openLog(stateDir.logPath);
    last.unshift(logFile.close);
    const log = logInto(logFile, nowUnixMs);
    const host = createHost({ databasePath: stateDir.databasePath, runtime: (sink) => createRuntime({ sink, log }), log });
    first.unshift(host.close);
    // Before the mode observes: a window hears of a unit before the unit is held (design ruling 4).
    const publisher = createPublisher({ host, workspaceId, lanes: mode.lanes });
    await mode.attach(host);
    await host.recover();
    const app = await createServer({ boot, mode, host, publisher, agentTargets, logger: { level: 'warn', stream: logFile, base: null } });
    first.unshift(publisher.close, () => app.close());
    return { url: await listen(app), log, stop };
  } catch (error) {
    // The first trouble is the one to tell.
    await stop().catch(() => {});
    throw error;
  }
}

function once(call: () => Promise<void>): () => Promise<void> {
  let called: Promise<void> | null = null;
  return () => (called ??= call());
}

async function endAll(ends: readonly (() => unknown)[]): Promise<void> {
  const failures: unknown[] = [];
  for (const end of ends)
    try {
      await end();
    } catch (error) {
      failures.push(error);
    }
  if (failures.length > 0) throw new AggregateError(failures, `Cannot end the daemon cleanly: ${failures.length} of ${ends.length} steps failed, all were needed`);
}

function logInto(file: { write: (line: string) => void }, nowUnixMs: () => number): DaemonLog {
  return (message, facts = {}) => file.write(`${JSON.stringify({ level: 40, time: nowUnixMs(), ...facts, msg: message })}\n`);
}

const agentTargets: Bootstrap['agentTargets'] = [{ id: 'local:codex', provider: 'codex', title: 'Codex' }];
