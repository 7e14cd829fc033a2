/** One Electron process with one window and a user data folder of its own, reached by its debugging port (design rulings 17 and 22). */

import { spawn, type ChildProcess } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import type { WindowBoot } from '../../core/agent/wire.ts';
import { Fault } from '../../core/fault.ts';
import { limits } from '../../core/limits.ts';
import type { Clock } from '../../core/ports.ts';
import { endsWithin } from '../../core/within.ts';
import { signalGroup } from '../group.ts';
import type { Workroom } from '../workroom.ts';
import { createTail, untilGroupGone } from './process-end.ts';

export type ElectronOptions = {
  executable: string;
  /** The product's own; they end with its app's folder, as an absolute path. */
  args: string[];
  /** A promise lets Electron come up first, beside the daemon or until its port was attached to (desktop-order c11); where it rejects, the window says that it got no boot. */
  boot: WindowBoot | Promise<WindowBoot>;
  env: NodeJS.ProcessEnv;
  /** Made where it is not there, and removed at the end; also the working folder, so that nothing is left elsewhere. */
  userDataDir: string;
  /** From `startDisplay`. */
  display: string | null;
  workroom: Workroom;
  clock: Clock;
  size: { width: number; height: number };
};

/** `why` is a sentence's end: what the window said itself, else how its process ended. */
export type ElectronEnd = { code: number | null; signal: NodeJS.Signals | null; why: string };

export type StartedElectron = {
  /** For `connectOverCDP`; the window is there a moment after its boot. */
  endpoint: string;
  pid: number;
  exited: Promise<ElectronEnd>;
  /** To be called after the context was closed, or a trace is lost (desktop-order b11). */
  stop: () => Promise<void>;
};

/** Starts Electron and resolves when it can be debugged; `window_not_ready` where that fails or takes longer than `limits.windowMs`. */
export async function startElectron(options: ElectronOptions): Promise<StartedElectron> {
  mkdirSync(options.userDataDir, { recursive: true, mode: 0o700 });
  const { executable, args, userDataDir, workroom, clock } = options;
  const child = spawn(executable, [...switchesOf(options), ...args], { cwd: userDataDir, env: envOf(options), stdio: ['ignore', 'ignore', 'pipe', 'pipe'], detached: true });
  const { pid } = child;
  if (pid !== undefined) workroom.guardGroup(pid);
  hand(child.stdio[3] as Writable, options.boot);
  const output = readOutput(child);
  const exited = watchEnd({ child, output, clock, executable });
  let stopping: Promise<void> | null = null;
  const stop = () => (stopping ??= stopElectron({ child, exited, userDataDir, workroom, clock }));
  const endpoint = await untilListening({ output, exited, clock });
  if ('endpoint' in endpoint && pid !== undefined) return { endpoint: endpoint.endpoint, pid, exited, stop };
  await stop();
  throw notReady(endpoint, output);
}

/** A sandbox needs another user than root. The rest makes pictures the same on every machine. */
function switchesOf({ userDataDir, size }: ElectronOptions): string[] {
  return [
    '--remote-debugging-port=0',
    `--user-data-dir=${userDataDir}`,
    `--window-size=${size.width}x${size.height}`,
    '--force-device-scale-factor=1',
    '--force-color-profile=srgb',
    // Tiles that are painted anew in part differ at round corners, by how changes fell into frames.
    '--disable-partial-raster',
    // Pictures must not depend on a graphics card, and one that is absent costs a process that fails, and time.
    '--disable-gpu',
    '--lang=en-US',
    // The shared memory of a container has 64 MB, with which a page crashes.
    '--disable-dev-shm-usage',
    ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
  ];
}

function envOf({ env, display, userDataDir }: ElectronOptions): NodeJS.ProcessEnv {
  // A switch of Node or Electron that was meant for us would turn the window into something else.
  const kept = Object.entries(env).filter(([name]) => !/^(NODE_|ELECTRON_|PLAYHEAD_DESKTOP_BOOT_)/.test(name));
  // Without an address libdbus starts a bus of its own, which outlives us.
  const ours = display === null ? {} : { DISPLAY: display, DBUS_SESSION_BUS_ADDRESS: 'disabled:', DBUS_SYSTEM_BUS_ADDRESS: 'disabled:' };
  // GTK, Mesa and PulseAudio leave files in all of these.
  const folders = Object.fromEntries((display === null ? [] : ['TMPDIR', 'XDG_CONFIG_HOME', 'XDG_CACHE_HOME', 'XDG_RUNTIME_DIR']).map((name) => [name, userDataDir]));
  return { ...Object.fromEntries(kept), ...ours, ...folders, PLAYHEAD_DESKTOP_BOOT_FD: '3' };
}

// The token goes by a descriptor, which nobody else can read (design ruling 16).
function hand(pipe: Writable, boot: WindowBoot | Promise<WindowBoot>): void {
  // A process that is gone reads nothing, and its end is told elsewhere.
  pipe.on('error', () => {});
  Promise.resolve(boot).then(
    (known) => pipe.end(JSON.stringify(known)),
    () => pipe.end(),
  );
}

type Output = { listening: Promise<string>; tail: () => string; said: () => string | null };

function readOutput(child: ChildProcess): Output {
  const tail = createTail();
  let said: string | null = null;
  const listening = new Promise<string>((resolve) => {
    createInterface({ input: child.stderr as Readable }).on('line', (line) => {
      tail.keep(line);
      said ??= readError(line);
      const [, endpoint] = /^DevTools listening on (ws:\/\/\S+)/.exec(line) ?? [];
      if (endpoint !== undefined) resolve(endpoint);
    });
  });
  return { listening, tail: tail.text, said: () => said };
}

// `{"error":{"code":…,"message":…}}`, the one line of a window that fails.
function readError(line: string): string | null {
  if (!line.startsWith('{"error":')) return null;
  try {
    const { error } = JSON.parse(line) as { error: { code: string; message?: string } };
    return error.message ?? error.code;
  } catch {
    // Another program's line.
    return null;
  }
}

function watchEnd({ child, output, clock, executable }: { child: ChildProcess; output: Output; clock: Clock; executable: string }): Promise<ElectronEnd> {
  return new Promise((resolve) => {
    child.once('error', (error: NodeJS.ErrnoException) => resolve({ code: null, signal: null, why: `"${executable}" could not be run (${error.code ?? error.message})` }));
    child.once('exit', (code, signal) => {
      const tell = () => resolve({ code, signal, why: output.said() ?? `its process ended with ${code === null ? signal : `code ${code}`}` });
      // Its last line may be on its way; a child that lives on may hold the pipe.
      const cancel = clock.after(lastLineMs, tell);
      child.once('close', () => {
        cancel();
        tell();
      });
    });
  });
}

const lastLineMs = 200;

type NotListening = { why: string };

async function untilListening({ output, exited, clock }: { output: Output; exited: Promise<ElectronEnd>; clock: Clock }): Promise<{ endpoint: string } | NotListening> {
  let cancel = () => {};
  const late = new Promise<NotListening>((resolve) => (cancel = clock.after(limits.windowMs, () => resolve({ why: `it was not ready within ${limits.windowMs} ms` }))));
  try {
    return await Promise.race([output.listening.then((endpoint) => ({ endpoint })), exited.then(({ why }) => ({ why })), late]);
  } finally {
    cancel();
  }
}

function notReady(reached: { endpoint: string } | NotListening, output: Output): Fault {
  const why = 'why' in reached ? reached.why : 'it has no process';
  const text = output.tail();
  return new Fault({ code: 'window_not_ready', message: `Cannot open the window: ${why}, a running Electron was needed`, cause: text === '' ? undefined : new Error(text) });
}

type EndOptions = { child: ChildProcess; exited: Promise<ElectronEnd>; userDataDir: string; workroom: Workroom; clock: Clock };

// Every wait has its limit, so that a process that cannot be killed does not hold the verdict.
async function stopElectron({ child, exited, userDataDir, workroom, clock }: EndOptions): Promise<void> {
  const { pid } = child;
  if (pid !== undefined) {
    // The first process alone, which ends the others: signalled together, it takes their ends for crashes and starts new ones.
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM');
    await endsWithin(exited, limits.windowStopMs, clock);
    signalGroup(pid, 'SIGKILL');
    await untilGroupGone(pid, limits.windowStopMs, clock);
  }
  for (const stream of [child.stderr, child.stdio[3] as Readable | null]) stream?.destroy();
  await rm(userDataDir, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
  if (pid !== undefined) workroom.releaseGroup(pid);
}
