/** What the three compositions have in common: the Host on its store, and Codex behind whatever transport a mode has. */

import { randomUUID } from 'node:crypto';
import type { Runtime } from '../core/agent/runtime.ts';
import type { DaemonBoot } from '../core/control/boot.ts';
import { limits } from '../core/limits.ts';
import { createCodexRuntime, type CodexRuntimeOptions } from '../providers/codex/live/runtime.ts';
import { nodeClock } from '../tape/node-clock.ts';
import { createHost } from './host/host.ts';
import type { DaemonMode } from './mode.ts';
import { normalisePath } from './process/normalise-path.ts';
import { nodeProcess, runDaemon } from './process/run-daemon.ts';
import { startDaemon } from './start.ts';

export type Composition = {
  mode: DaemonMode;
  /** Variables of a launch, `NAME=value`; default none. */
  env?: string[];
  /** How long real providers may take; default without end, as recorded lanes are held for as long as a person looks. */
  patience?: Patience;
};

type Patience = Pick<CodexRuntimeOptions, 'startMs' | 'cancelMs'>;

/** Of a composition with real provider processes. */
export const livePatience: Patience = { startMs: limits.providerStartMs, cancelMs: limits.providerCancelMs };

/** Runs this process as a daemon; a composition hands in its mode, which may close the runtimes that its transport serves. */
export function runComposition(compose: (input: { boot: DaemonBoot; closeRuntimes: () => Promise<void> }) => Composition): Promise<void> {
  let runtime: Runtime | null = null;
  return runDaemon(nodeProcess(nodeClock), async (boot) => {
    const { mode, env = [], patience = {} } = compose({ boot, closeRuntimes: async () => runtime?.closeAll() });
    return startDaemon({
      boot,
      mode,
      nowUnixMs: Date.now,
      // Only a live Host asks a provider again by the clock: what a recording holds must follow from what happened.
      createHost: ({ databasePath, runtime: open, log }) =>
        createHost({ databasePath, runtime: open, clock: { nowUnixMs: Date.now }, ids: { uuid: randomUUID }, log: (text, error) => log(text, { error: textOf(error) }), normalisePath, ...(mode.bootstrap.mode === 'live' ? { after: nodeClock.after } : {}) }),
      createRuntime: ({ sink, log }) => (runtime = createCodexRuntime({ sink, transport: mode.transport, clock: nodeClock, specFor: specOf(env), clientInfo, log, ...patience })),
    });
  });
}

function textOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/** The launch as a tape knows it: no path of this machine, which the live transport puts in. */
function specOf(env: string[]): CodexRuntimeOptions['specFor'] {
  return ({ ref, cwd, provider }) => ({ provider, agentSessionId: ref.agentSessionId, rootAgentSessionId: ref.agentSessionId, command: ['codex', 'app-server'], env, cwd, protocolCwd: cwd });
}

// Constant: Codex is told it, so it stands on every tape and must not change with our version.
const clientInfo = { name: 'playhead-desktop', title: 'Playhead desktop', version: '1' };
