/** The stand-in of record mode: starts the real program and tees its stdio, signals and exit into the recording. */

import { spawn, type ChildProcessByStdio } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { constants } from 'node:os';
import { limits } from '../core/limits.ts';
import { forwardedSignals } from '../core/shim/signals.ts';
import { wireKinds, type Accept } from '../core/shim/wire.ts';
import { openLink, type Link } from './link.ts';
import { findRoute, namedEnv, readLaunch, refuse } from './start.ts';

type Child = ChildProcessByStdio<Writable, Readable, Readable>;

const launch = readLaunch(process.argv);
const { provider, argv, cwd } = launch;
// A recording has one owner: a backend that runs elsewhere than in its project folder still belongs to it.
const route = findRoute(launch, cwd) ?? refuse(launch, 'no recording is running here');
let child: Child | null = null;
let exitCause = 'self';
let isLeaving = false;

const link: Link = openLink({
  socketPath: route.socket,
  hello: { provider, argv, cwd, pid: process.pid, env: namedEnv(launch), answered: [] },
  handlers: {
    onAccept: (accept) => accept.mode === 'record' && startProgram(accept),
    // Fail closed: a recording that cannot be kept ends the program too (replay-runtime 1.3).
    onRefuse: (refusal) => {
      process.stderr.write(`${refusal.message}\n`);
      child?.kill('SIGKILL');
      link.end(() => process.exit(refusal.exitCode));
    },
    onStdout: () => {},
    onStderr: () => {},
    onExit: () => {},
    onReadEnd: () => {},
    onLost: (why) => {
      process.stderr.write(`Cannot go on recording "${provider}": ${why} (docs/errors.md#recording_failed)\n`);
      child?.kill('SIGKILL');
      process.exit(limits.exitLost);
    },
  },
});

function startProgram(accept: Extract<Accept, { mode: 'record' }>): void {
  const env = { ...process.env, ...accept.env, PATH: accept.path };
  const started: Child = spawn(accept.program, argv, { cwd, env, stdio: ['pipe', 'pipe', 'pipe'] });
  child = started;
  started.on('error', (error) => {
    process.stderr.write(`Cannot start "${accept.program}": ${error.message}\n`);
    leave(127, 'self');
  });
  teeInput(started);
  tee(started.stdout, process.stdout, wireKinds.stdout);
  tee(started.stderr, process.stderr, wireKinds.stderr);
  for (const name of forwardedSignals)
    process.on(name, () => {
      exitCause = `signal:${name}`;
      link.send(wireKinds.signal, name);
      started.kill(name);
    });
  // Note: 'close' and not 'exit', so that the last output comes before the exit (replay-runtime 1.1).
  started.on('close', (code, signal) => leave(code ?? 128 + (signal ? constants.signals[signal] : 0), exitCause));
}

function teeInput(started: Child): void {
  started.stdin.on('error', () => {}); // The program closed its stdin; its exit tells the rest.
  process.stdin.on('data', (read: Buffer) => {
    const isOpen = started.stdin.write(read);
    link.send(wireKinds.stdin, read);
    if (isOpen) return;
    process.stdin.pause();
    started.stdin.once('drain', () => process.stdin.resume());
  });
  process.stdin.on('end', () => {
    if (exitCause === 'self') exitCause = 'stdin-eof';
    link.send(wireKinds.stdinEnd);
    started.stdin.end();
  });
}

// Recorded first, handed on second: what the product has seen is on the tape (replay-runtime 1.3).
function tee(from: Readable, to: NodeJS.WriteStream, kind: typeof wireKinds.stdout | typeof wireKinds.stderr): void {
  to.on('error', () => {});
  from.on('data', (read: Buffer) => {
    link.send(kind, read);
    if (to.write(read)) return;
    from.pause();
    to.once('drain', () => from.resume());
  });
}

// Note: a program that could not be started gives 'error' and then 'close' too; one end is one exit.
function leave(code: number, message: string): void {
  if (isLeaving) return;
  isLeaving = true;
  link.send(wireKinds.exit, { code, message });
  process.stdout.write('', () => process.stderr.write('', () => link.end(() => process.exit(code))));
}
