/**
 * The process around a daemon: boot document in, one line of JSON out, and an end with its input or a signal (replay-runtime 4.3,
 * desktop-order c8).
 */

import type { Readable } from 'node:stream';
import type { DaemonBoot } from '../../core/control/boot.ts';
import { limits } from '../../core/limits.ts';
import type { Clock } from '../../core/ports.ts';
import type { RunningDaemon } from '../start.ts';
import { readBoot } from './read-boot.ts';
import { startCauseOf } from './start-error.ts';

/** What a daemon sees of its process. */
export type DaemonProcess = {
  input: Readable;
  /** Writes a line and calls when it is out. */
  print: (line: string, then: () => void) => void;
  /** A line for whoever looks for the cause of a crash. */
  complain: (line: string) => void;
  onSignal: (call: () => void) => void;
  onCrash: (call: (error: unknown) => void) => void;
  exit: (code: number) => void;
  clock: Clock;
};

/** Prints `{"url"}` and ends with the process, or prints `{"error":{"code","message"}}` and leaves with 1. */
export async function runDaemon(world: DaemonProcess, start: (boot: DaemonBoot) => Promise<RunningDaemon>): Promise<void> {
  const { boot, ended } = readBoot(world.input);
  const leave = new Promise<void>((resolve) => {
    world.onSignal(resolve);
    void ended.then(resolve);
  });
  // A step that hangs, of the start too, must not keep a process alive that nobody wants any more.
  void leave.then(() => world.clock.after(limits.daemonStopMs, () => world.exit(1)));
  const fail = (error: unknown) => world.print(JSON.stringify({ error: startCauseOf(error) }), () => world.exit(1));
  let daemon: RunningDaemon | null = null;
  world.onCrash((error) => (daemon ? crash(world, daemon, error) : fail(error)));
  try {
    daemon = await start(await boot);
  } catch (error) {
    return fail(error);
  }
  world.print(JSON.stringify({ url: daemon.url }), () => {});
  await leave;
  await end(world, daemon);
}

function crash(world: DaemonProcess, daemon: RunningDaemon, error: unknown): void {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  daemon.log('the daemon crashed', { error: text });
  world.complain(text);
  world.exit(1);
}

async function end(world: DaemonProcess, daemon: RunningDaemon): Promise<void> {
  try {
    await daemon.stop();
    world.exit(0);
  } catch (error) {
    world.complain((error as Error).message);
    world.exit(1);
  }
}

/** The process we are in. */
export function nodeProcess(clock: Clock): DaemonProcess {
  // Whoever started us may have stopped listening.
  process.stdout.on('error', () => {});
  return {
    input: process.stdin,
    print: (line, then) => void process.stdout.write(`${line}\n`, then),
    complain: (line) => void process.stderr.write(`${line}\n`),
    // Not once: a second signal that finds no handler ends the process, and nothing would kill what it started.
    onSignal: (call) => void process.on('SIGTERM', call).on('SIGINT', call).on('SIGHUP', call),
    onCrash: (call) => void process.on('uncaughtException', call),
    exit: (code) => process.exit(code),
    clock,
  };
}
