/**
 * The stand-in of replay mode. It pumps stdio, signals and the exit code over the socket of the test that owns it. Nothing in
 * this program can start a process: its bundle holds no `child_process` (design ruling 15; a test reads the bundle).
 */

import { limits } from '../core/limits.ts';
import { forwardedSignals } from '../core/shim/signals.ts';
import { wireKinds } from '../core/shim/wire.ts';
import { openLink, type Link } from './link.ts';
import { findRoute, namedEnv, namedHomes, readLaunch, readRoutes, refuse, type Launch } from './start.ts';
import { createUndecided } from './undecided.ts';

const launch = readLaunch(process.argv);
const route = findRoute(launch, launch.cwd);
if (route) pump(launch, { socketPath: route.socket, answered: [], first: null });
else if (readRoutes(launch).length === 0) refuse(launch, 'no test is running');
else decide(launch);

function decide(launch: Launch): void {
  const undecided = createUndecided({ routes: readRoutes(launch), homes: namedHomes(launch), answer: (line) => void process.stdout.write(line) });
  const giveUp = () => refuse(launch, 'no message named a project folder of a running test');
  // Bounded by lack of progress: each read starts the time anew.
  let timer = setTimeout(giveUp, launch.config.stallMs);
  process.stdin.on('end', giveUp);
  for (const name of forwardedSignals) process.once(name, () => process.exit(0));
  process.stdin.on('data', function take(read: Buffer) {
    clearTimeout(timer);
    const cwd = undecided.push(read);
    if (cwd === null) {
      timer = setTimeout(giveUp, launch.config.stallMs);
      return;
    }
    process.stdin.off('data', take).off('end', giveUp).pause();
    for (const name of forwardedSignals) process.removeAllListeners(name);
    const found = findRoute(launch, cwd);
    if (!found) refuse({ ...launch, cwd }, 'the project folder belongs to no running test');
    pump(launch, { socketPath: found.socket, answered: undecided.answered, first: undecided.taken() });
  });
}

function pump(launch: Launch, to: { socketPath: string; answered: string[]; first: Buffer | null }): void {
  const { provider, argv, cwd } = launch;
  let writtenBytes = 0;
  let pendingWrites = 0;
  let corked: NodeJS.WriteStream | null = null;
  const link: Link = openLink({
    socketPath: to.socketPath,
    hello: { provider, argv, cwd, pid: process.pid, env: namedEnv(launch), answered: to.answered },
    handlers: {
      onAccept: () => {},
      onRefuse: (refusal) => {
        process.stderr.write(`${refusal.message}\n`);
        link.end(() => process.exit(refusal.exitCode));
      },
      onStdout: (bytes) => write(process.stdout, bytes),
      onStderr: (bytes) => write(process.stderr, bytes),
      onExit: (exit) => finish(exit.code),
      onReadEnd: flush,
      onLost: (why) => {
        process.stderr.write(`Cannot go on as "${provider}": ${why} (docs/errors.md#shim_lost)\n`);
        process.exit(limits.exitLost);
      },
    },
  });
  // Not after the accept: that is one more way there and back before the first byte, and a refusal takes no input anyway.
  startInput(link, to.first);
  process.stdout.on('error', ignoreClosedPipe);
  process.stderr.on('error', ignoreClosedPipe);

  // The slices of one read go out together, in one call of the system.
  function write(stream: NodeJS.WriteStream, bytes: Buffer): void {
    if (corked !== stream) {
      flush();
      corked = stream;
      stream.cork();
    }
    pendingWrites++;
    stream.write(bytes, () => {
      pendingWrites--;
      writtenBytes += bytes.length;
      if (pendingWrites > 0) return;
      link.send(wireKinds.written, String(writtenBytes));
      link.resume();
    });
  }

  // A slice that waits lies in the memory of the next read, so nothing is read before it is written.
  function flush(): void {
    const stream = corked;
    corked = null;
    stream?.uncork();
    if (process.stdout.writableLength + process.stderr.writableLength > 0) link.pause();
  }

  // Ends stdout, then the socket, then the process: the other way round loses the last frames (stand-in c13).
  function finish(code: number): void {
    const leave = () => link.end(() => process.exit(code));
    process.stdout.write('', () => process.stderr.write('', leave));
  }
}

function startInput(link: Link, first: Buffer | null): void {
  const forward = (read: Buffer) => {
    if (link.send(wireKinds.stdin, read)) return;
    process.stdin.pause();
    link.onDrain(() => process.stdin.resume());
  };
  if (first) forward(first);
  process.stdin.on('data', forward);
  process.stdin.on('end', () => link.send(wireKinds.stdinEnd));
  process.stdin.on('error', () => link.send(wireKinds.stdinEnd));
  process.stdin.resume();
  for (const name of forwardedSignals) process.on(name, () => link.send(wireKinds.signal, name));
}

function ignoreClosedPipe(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error; // The product stopped reading; the tape server sees what it lacks.
}

