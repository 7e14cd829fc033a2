/** The stand-in's side of the socket: frames out, frames in, and what to do when the runner is gone. */

import { connect, type Socket } from 'node:net';
import { FrameReader, writeFrame, writeHeader, wireKinds, type Accept, type ExitNotice, type Hello, type Refusal, type WireKind } from '../core/shim/wire.ts';

export type LinkHandlers = {
  onAccept: (accept: Accept) => void;
  onRefuse: (refusal: Refusal) => void;
  onStdout: (bytes: Buffer) => void;
  onStderr: (bytes: Buffer) => void;
  onExit: (exit: ExitNotice) => void;
  /** Everything of one read was handed on; what was handed on is overwritten by the next read, unless it is paused. */
  onReadEnd: () => void;
  /** The socket ended or never opened. */
  onLost: (why: string) => void;
};

export type Link = {
  send: (kind: WireKind, payload?: Buffer | object | string | null) => boolean;
  onDrain: (listener: () => void) => void;
  pause: () => void;
  resume: () => void;
  end: (done: () => void) => void;
};

export function openLink(options: { socketPath: string; hello: Hello; handlers: LinkHandlers }): Link {
  const { socketPath, hello, handlers } = options;
  const reader = new FrameReader((kind, payload) => dispatch(kind, payload, handlers));
  const memory = Buffer.allocUnsafe(readBytesMax);
  const take = (byteCount: number): boolean => {
    reader.push(memory.subarray(0, byteCount));
    handlers.onReadEnd();
    return true;
  };
  // One piece of memory for all reads: a fresh one each time costs 20 MB and the time to collect them.
  const socket: Socket = connect({ path: socketPath, onread: { buffer: memory, callback: take } });
  let ended = false;
  socket.on('error', (error) => !ended && handlers.onLost(error.message));
  socket.on('close', () => !ended && handlers.onLost('the runner closed the socket'));
  socket.write(writeFrame(wireKinds.hello, hello));
  return {
    send(kind, payload = null) {
      if (!Buffer.isBuffer(payload)) return socket.write(writeFrame(kind, payload));
      socket.cork();
      socket.write(writeHeader(kind, payload.length));
      const isOpen = socket.write(payload);
      socket.uncork();
      return isOpen;
    },
    onDrain: (listener) => void socket.once('drain', listener),
    pause: () => void socket.pause(),
    resume: () => void socket.resume(),
    end(done) {
      ended = true;
      if (socket.destroyed) return done();
      socket.end(done);
    },
  };
}

const readBytesMax = 131_072;

function dispatch(kind: WireKind, payload: Buffer, handlers: LinkHandlers): void {
  switch (kind) {
    case wireKinds.stdout:
      return handlers.onStdout(payload);
    case wireKinds.stderr:
      return handlers.onStderr(payload);
    case wireKinds.accept:
      return handlers.onAccept(JSON.parse(payload.toString()) as Accept);
    case wireKinds.refuse:
      return handlers.onRefuse(JSON.parse(payload.toString()) as Refusal);
    case wireKinds.exit:
      return handlers.onExit(JSON.parse(payload.toString()) as ExitNotice);
    case wireKinds.hello:
    case wireKinds.stdin:
    case wireKinds.stdinEnd:
    case wireKinds.signal:
    case wireKinds.written:
      return;
  }
}
