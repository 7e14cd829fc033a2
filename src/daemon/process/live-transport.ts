/**
 * Live provider processes: each in a group of its own, with an environment of named variables alone (design rulings 15 and 16,
 * replay-runtime 1.1). The replaying daemon does not have this file.
 */

import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:os';
import { RuntimeError } from '../../core/agent/runtime.ts';
import type { DaemonBoot } from '../../core/control/boot.ts';
import { limits } from '../../core/limits.ts';
import { emptyStamp, type Clock, type ProcessConnection, type ProcessSpec, type ProcessTransport } from '../../core/ports.ts';
import { FrameQueue } from './frame-queue.ts';

export type LiveTransportOptions = {
  /** Provider → its program, in place of the first word of a launch; default is that word. */
  programs: NonNullable<DaemonBoot['providers']>;
  /** Where the allowed variables come from. */
  env: { [name: string]: string | undefined };
  clock: Clock;
};

export type LiveTransport = ProcessTransport & {
  /** Kills what still runs: for a daemon that is forced to leave. */
  killAll: () => void;
};

export function createLiveTransport(options: LiveTransportOptions): LiveTransport {
  const running = new Set<number>();
  return {
    tracksProviderInputUnits: false,
    start: (spec) => startProcess(spec, { ...options, running }),
    killAll: () => running.forEach((pid) => signalGroup(pid, 'SIGKILL')),
  };
}

type Start = LiveTransportOptions & { running: Set<number> };

async function startProcess(spec: ProcessSpec, { programs, env, clock, running }: Start): Promise<ProcessConnection> {
  const program = programs[spec.provider];
  const [file = '', ...args] = program ? [...program.command, ...spec.command.slice(1)] : spec.command;
  const child = spawn(file, args, { cwd: spec.cwd, env: environmentOf({ env, added: program?.env ?? {}, spec }), stdio: ['pipe', 'pipe', 'pipe'], detached: true });
  const frames = readFrames(child);
  try {
    await once(child, 'spawn');
  } catch (error) {
    throw new RuntimeError('provider_start_failed', `Cannot start provider "${spec.provider}": ${(error as Error).message}, its program was needed`, { cause: error });
  }
  const pid = child.pid as number;
  running.add(pid);
  const group = groupOf({ child, pid, clock, onEnded: () => running.delete(pid) });
  return connectionOf({ child, frames, clock, group });
}

/** What a program may know of this machine; the daemon's tokens came by its input and are in no environment. */
function environmentOf({ env, added, spec }: { env: Start['env']; added: { [name: string]: string }; spec: ProcessSpec }): { [name: string]: string } {
  const allowed = ['PATH', 'HOME', 'LANG', 'TERM', 'TMPDIR'].flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]] as const]));
  const named = spec.env.map((entry) => [entry.slice(0, entry.indexOf('=')), entry.slice(entry.indexOf('=') + 1)] as const);
  return Object.fromEntries([...allowed, ...Object.entries(added), ...named]);
}

// Note: 'close' and not 'exit', so that the last output comes before the exit (replay-runtime 1.1).
function readFrames(child: ChildProcessWithoutNullStreams): FrameQueue {
  const outputs = [child.stdout, child.stderr];
  const frames = new FrameQueue({
    bytesMax: limits.providerUnreadBytesMax,
    onFull: () => outputs.forEach((output) => output.pause()),
    onRoom: () => outputs.forEach((output) => output.resume()),
  });
  child.on('error', () => {}); // What `once` has not taken is a signal that found nobody.
  child.stdin.on('error', () => {}); // It closed its input; a send that is on its way says so, and its exit tells the rest.
  child.stdout.on('data', (bytes: Buffer) => frames.push({ stamp: emptyStamp, kind: 'stdout', bytes }));
  child.stderr.on('data', (bytes: Buffer) => frames.push({ stamp: emptyStamp, kind: 'stderr', bytes }));
  child.once('close', (code, signal) => {
    frames.push({ stamp: emptyStamp, kind: 'exit', exitCode: code ?? 128 + (signal ? constants.signals[signal] : 0), message: signal ? `signal:${signal}` : null });
    frames.end();
  });
  return frames;
}

type Group = { signal: (name: NodeJS.Signals) => void; end: () => void };

// What a program left in its group may hold its pipes, and nobody else ends it (design ruling 21). Once ended it gets no signal
// more: its number may be another's by then.
function groupOf({ child, pid, clock, onEnded }: { child: ChildProcessWithoutNullStreams; pid: number; clock: Clock; onEnded: () => void }): Group {
  let isOver = false;
  let forget = () => {};
  const signal: Group['signal'] = (name) => {
    if (!isOver) signalGroup(pid, name);
  };
  const end = () => {
    signal('SIGKILL');
    isOver = true;
    forget();
    onEnded();
  };
  child.once('exit', () => (forget = clock.after(limits.providerGraceMs, end)));
  return { signal, end };
}

function connectionOf({ child, frames, clock, group }: { child: ChildProcessWithoutNullStreams; frames: FrameQueue; clock: Clock; group: Group }): ProcessConnection {
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const kill = () => {
    group.signal('SIGKILL');
    // Somebody who left the group may hold them.
    child.stdout.destroy();
    child.stderr.destroy();
  };
  return {
    // Resolves when the bytes are in the pipe, so that a program which does not read holds its sender up.
    send: (bytes) =>
      new Promise((resolve, reject) => {
        child.stdin.write(bytes, (error) => (error ? reject(new RuntimeError('provider_disconnected', `Cannot send to the provider: ${error.message}, a running process was needed`, { cause: error })) : resolve()));
      }),
    recv: (abort) => frames.take(abort),
    closeInput: () => void child.stdin.end(),
    terminate: () => group.signal('SIGTERM'),
    kill: () => group.signal('SIGKILL'),
    captureOrigin: () => 'process-start',
    async close() {
      child.stdin.end();
      // Its end must not wait for a reader.
      frames.startClosing();
      const timers = [clock.after(limits.providerTermMs, () => group.signal('SIGTERM')), clock.after(limits.providerKillMs, kill)];
      await closed;
      for (const cancel of timers) cancel();
      group.end();
    },
  };
}

function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal);
  } catch {
    // The group is empty: nothing to end.
  }
}
