/** Listens for stand-ins of one test on a Unix socket and hands each launch to a session (design: tape server). */

import { chmodSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { Fault, toFault } from '../core/fault.ts';
import { FrameReader, MalformedFrameError, readPayload, wireKinds, writeFrame, writeHeader, type Accept, type ExitNotice, type Hello, type Refusal, type WireKind } from '../core/shim/wire.ts';

/** What a session hears from its stand-in. */
export type SessionEvents = {
  stdin: (bytes: Buffer) => void;
  stdinEnd: () => void;
  signal: (name: string) => void;
  /** Total bytes the stand-in has written to the product. */
  written: (byteCount: number) => void;
  stdout: (bytes: Buffer) => void;
  stderr: (bytes: Buffer) => void;
  exit: (exit: ExitNotice) => void;
  /** The socket is closed, whatever the reason. */
  closed: () => void;
};

/** What a session can say to its stand-in. */
export type SessionLink = {
  accept: (accept: Accept) => void;
  refuse: (refusal: Refusal) => void;
  /** Resolves when the socket takes more. */
  write: (kind: typeof wireKinds.stdout | typeof wireKinds.stderr, bytes: Buffer) => Promise<void> | null;
  exit: (exit: ExitNotice) => void;
  isOpen: () => boolean;
  /** Reports an error of ours to whoever owns the server, and cuts the stand-in off: nobody would answer it any more. */
  fail: (error: unknown) => void;
};

export type OpenSession = (hello: Hello, link: SessionLink) => SessionEvents;

export type StandInServer = { close: () => Promise<void>; openCount: () => number };

export async function listenForStandIns(options: { socketPath: string; open: OpenSession; onFault: (fault: Fault) => void }): Promise<StandInServer> {
  const { socketPath, open, onFault } = options;
  if (Buffer.byteLength(socketPath) > socketPathBytesMax)
    throw new Fault({
      code: 'socket_path_too_long',
      message: `Cannot listen for stand-ins: the socket path has ${Buffer.byteLength(socketPath)} bytes, at most ${socketPathBytesMax} were expected`,
      at: socketPath,
    });
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    serve(socket, open, onFault);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(socketPath, resolve);
  });
  chmodSync(socketPath, 0o600);
  return {
    openCount: () => sockets.size,
    async close() {
      // Note: a server calls itself closed before its sockets have told their sessions so.
      const told = [...sockets].map((socket) => new Promise<void>((resolve) => socket.once('close', () => resolve())));
      for (const socket of sockets) socket.destroy();
      await Promise.all([...told, new Promise<void>((resolve) => server.close(() => resolve()))]);
    },
  };
}

function serve(socket: Socket, open: OpenSession, onFault: (fault: Fault) => void): void {
  // Told before the socket closes: that the session is lost follows from it.
  const fail = (error: unknown) => {
    onFault(toFault(error, 'serve a stand-in'));
    socket.destroy();
  };
  let events: SessionEvents | null = null;
  const reader = new FrameReader((kind, payload) => {
    if (events) dispatch(kind, payload, events);
    else if (kind === wireKinds.hello) events = open(readPayload<Hello>(payload), createLink(socket, fail));
  });
  socket.on('data', (read: Buffer) => {
    try {
      reader.push(read);
    } catch (error) {
      if (error instanceof MalformedFrameError) socket.destroy(); // Not a stand-in of ours.
      else fail(error);
    }
  });
  socket.on('error', () => {}); // 'close' follows and tells the session.
  socket.on('close', () => {
    try {
      events?.closed();
    } catch (error) {
      fail(error);
    }
  });
}

function createLink(socket: Socket, fail: (error: unknown) => void): SessionLink {
  return {
    accept: (accept) => void socket.write(writeFrame(wireKinds.accept, accept)),
    refuse: (refusal) => void socket.end(writeFrame(wireKinds.refuse, refusal)),
    write(kind, bytes) {
      if (socket.destroyed) return null;
      socket.cork();
      socket.write(writeHeader(kind, bytes.length));
      const isOpen = socket.write(bytes);
      socket.uncork();
      return isOpen ? null : drained(socket);
    },
    exit: (exit) => void socket.write(writeFrame(wireKinds.exit, exit)),
    isOpen: () => !socket.destroyed,
    fail,
  };
}

function drained(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      socket.off('drain', done).off('close', done);
      resolve();
    };
    socket.on('drain', done).on('close', done);
  });
}

function dispatch(kind: WireKind, payload: Buffer, events: SessionEvents): void {
  switch (kind) {
    case wireKinds.stdin:
      return events.stdin(payload);
    case wireKinds.stdinEnd:
      return events.stdinEnd();
    case wireKinds.signal:
      return events.signal(payload.toString());
    case wireKinds.written:
      return events.written(Number(payload.toString()));
    case wireKinds.stdout:
      return events.stdout(payload);
    case wireKinds.stderr:
      return events.stderr(payload);
    case wireKinds.exit:
      return events.exit(readPayload<ExitNotice>(payload));
    case wireKinds.hello:
    case wireKinds.accept:
    case wireKinds.refuse:
      return;
  }
}

// 108 bytes on Linux and 104 on macOS, with the closing zero (stand-in c6).
const socketPathBytesMax = process.platform === 'darwin' ? 103 : 107;
