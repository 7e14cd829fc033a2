/** A display for windows: the machine's own, or one Xvfb for a whole worker, which ends after every window on it (design ruling 22, desktop-order b12). */

import { spawn, type ChildProcess } from 'node:child_process';
import { lstatSync, rmSync } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { Fault } from '../../core/fault.ts';
import { limits } from '../../core/limits.ts';
import type { Clock } from '../../core/ports.ts';
import { endsWithin } from '../../core/within.ts';
import { signalGroup } from '../group.ts';
import type { Workroom } from '../workroom.ts';
import { createTail } from './process-end.ts';

/** `name` is what DISPLAY has to be; null where the platform needs none. `stop` ends only what was started here. */
export type Display = { name: string | null; stop: () => Promise<void> };

type DisplayOptions = {
  workroom: Workroom;
  clock: Clock;
  /** Default: the environment of this process. */
  env?: NodeJS.ProcessEnv;
  platform?: NodeJS.Platform;
  /** Default `Xvfb`, looked for on PATH. */
  program?: string;
};

/** Gives DISPLAY where it is set, and else the one Xvfb of this workroom, started when it is first asked for. */
export async function startDisplay(options: DisplayOptions): Promise<Display> {
  const { workroom, env = process.env, platform = process.platform } = options;
  if (platform !== 'linux') return { name: null, stop: async () => {} };
  if (env['DISPLAY']) return { name: env['DISPLAY'], stop: async () => {} };
  const started = displays.get(workroom) ?? startXvfb({ ...options, env, forget: () => displays.delete(workroom) });
  displays.set(workroom, started);
  return started;
}

/** Ends the server of a workroom, if it has one: its socket goes with it, which a kill would leave (desktop-order b12). */
export async function stopDisplay(workroom: Workroom): Promise<void> {
  const display = await displays.get(workroom)?.catch(() => null);
  await display?.stop();
}

const displays = new WeakMap<Workroom, Promise<Display>>();

type XvfbOptions = DisplayOptions & { env: NodeJS.ProcessEnv; forget: () => void };

async function startXvfb(options: XvfbOptions): Promise<Display> {
  const { workroom, clock, env, forget, program = 'Xvfb' } = options;
  // So large that its middle, where the pointer stands, lies beside a window in the corner.
  const child = spawn(program, ['-displayfd', '3', '-screen', '0', '3840x2400x24', '-nolisten', 'tcp'], { env: { PATH: env['PATH'] }, stdio: ['ignore', 'ignore', 'pipe', 'pipe'], detached: true });
  if (child.pid !== undefined) workroom.guardGroup(child.pid, 'last');
  const exited = new Promise<string>((resolve) => {
    child.once('error', (error: NodeJS.ErrnoException) => resolve(`"${program}" could not be run (${error.code ?? error.message})`));
    child.once('exit', (code, signal) => resolve(`"${program}" ended with ${code === null ? signal : `code ${code}`}`));
  });
  void exited.then(forget);
  const number = await readNumber(child, exited, options);
  letGo(child);
  const socket = identifySocket(number);
  return { name: `:${number}`, stop: () => stopXvfb({ child, exited, socket, workroom, clock }) };
}

// The server writes the number when it takes connections: nothing else needs to be waited for.
async function readNumber(child: ChildProcess, exited: Promise<string>, { workroom, clock }: XvfbOptions): Promise<number> {
  const tail = createTail();
  createInterface({ input: child.stderr as Readable }).on('line', tail.keep);
  let cancel = () => {};
  const told = new Promise<number>((resolve) => void createInterface({ input: child.stdio[3] as Readable }).once('line', (line) => resolve(Number(line))));
  const late = new Promise<string>((resolve) => (cancel = clock.after(limits.windowMs, () => resolve(`Xvfb gave no display within ${limits.windowMs} ms`))));
  const first = await Promise.race([told, exited, late]);
  cancel();
  if (typeof first === 'number') return first;
  if (child.pid !== undefined) {
    signalGroup(child.pid, 'SIGKILL');
    workroom.releaseGroup(child.pid);
  }
  throw new Fault({ code: 'no_display', message: `Cannot open a window: DISPLAY is empty and ${first}, a display was needed`, cause: tail.text() === '' ? undefined : new Error(tail.text()) });
}

// It lives as long as its worker, and must not keep that alive.
function letGo(child: ChildProcess): void {
  child.unref();
  for (const stream of [child.stderr, child.stdio[3]]) (stream as unknown as { unref?: () => void } | null)?.unref?.();
}

type XvfbEnd = { child: ChildProcess; exited: Promise<string>; socket: SocketFile; workroom: Workroom; clock: Clock };

async function stopXvfb({ child, exited, socket, workroom, clock }: XvfbEnd): Promise<void> {
  const pid = child.pid ?? 0;
  signalGroup(pid, 'SIGTERM');
  if (!(await endsWithin(exited, limits.windowStopMs, clock))) {
    signalGroup(pid, 'SIGKILL');
    await endsWithin(exited, limits.windowStopMs, clock);
    removeStale(socket);
  }
  workroom.releaseGroup(pid);
}

/** Which file a socket is: another server that took the number over has made a new one. */
export type SocketFile = { path: string; inode: number; changedMs: number } | null;

/** The socket of a display, where it is a file of this user. */
export function identifySocket(number: number, folder = socketFolder): SocketFile {
  const path = `${folder}/X${number}`;
  const found = lstatSync(path, { throwIfNoEntry: false });
  return found === undefined || found.uid !== process.getuid?.() ? null : { path, inode: found.ino, changedMs: found.ctimeMs };
}

/** Removes the socket that a killed server left, only where it is still the same file. Note: with `-displayfd` Xvfb makes no lock file. */
export function removeStale(socket: SocketFile): void {
  const found = socket && lstatSync(socket.path, { throwIfNoEntry: false });
  if (found && found.ino === socket.inode && found.ctimeMs === socket.changedMs) rmSync(socket.path, { force: true });
}

// Note: X has this folder built in; TMPDIR does not move it.
const socketFolder = '/tmp/.X11-unix';
