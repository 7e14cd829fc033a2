/** Frames between a stand-in and its tape server over a Unix socket: one byte kind, four bytes length (big endian), payload. */

export const wireKinds = {
  hello: 1,
  stdin: 2,
  stdinEnd: 3,
  signal: 4,
  written: 5,
  stdout: 6,
  stderr: 7,
  exit: 8,
  accept: 9,
  refuse: 10,
} as const;

export type WireKind = (typeof wireKinds)[keyof typeof wireKinds];

/** What a stand-in says first. `answered` holds the ids of requests it has answered itself while it had no route (stand-in b7). */
export type Hello = {
  provider: string;
  argv: string[];
  cwd: string;
  pid: number;
  env: { [name: string]: string };
  answered: string[];
};

export type Accept = { mode: 'replay' } | { mode: 'record'; program: string; env: { [name: string]: string }; path: string };
export type Refusal = { message: string; exitCode: number };
export type ExitNotice = { code: number; message: string | null };

/** The other end is no stand-in of ours: a frame that breaks the protocol, as opposed to an error of ours while handling one. */
export class MalformedFrameError extends Error {
  override readonly name = 'MalformedFrameError';
}

/** The JSON payload of a frame. */
export function readPayload<T>(payload: Buffer): T {
  try {
    return JSON.parse(payload.toString()) as T;
  } catch (error) {
    throw new MalformedFrameError(`Cannot read stand-in frame: its ${payload.length} bytes are no JSON, one JSON value was expected`, { cause: error });
  }
}

export const headerBytes = 5;
export const payloadBytesMax = 67_108_864;

export function writeHeader(kind: WireKind, length: number): Buffer {
  const header = Buffer.allocUnsafe(headerBytes);
  header.writeUInt8(kind, 0);
  header.writeUInt32BE(length, 1);
  return header;
}

export function writeFrame(kind: WireKind, payload: Buffer | object | string | null = null): Buffer {
  const body = payload === null ? Buffer.alloc(0) : Buffer.isBuffer(payload) ? payload : Buffer.from(typeof payload === 'string' ? payload : JSON.stringify(payload));
  return Buffer.concat([writeHeader(kind, body.length), body]);
}

/**
 * Reads frames from arbitrary reads. Small frames come whole; the payload of stream kinds (stdin, stdout, stderr) is handed
 * on slice by slice as it arrives, because joining it first halves the throughput (stand-in c12).
 */
export class FrameReader {
  #rest: Buffer = Buffer.alloc(0);
  #streaming: { kind: WireKind; left: number } | null = null;
  readonly #onFrame: (kind: WireKind, payload: Buffer) => void;

  constructor(onFrame: (kind: WireKind, payload: Buffer) => void) {
    this.#onFrame = onFrame;
  }

  push(read: Buffer): void {
    let at = 0;
    if (this.#rest.length > 0) {
      read = Buffer.concat([this.#rest, read]);
      this.#rest = Buffer.alloc(0);
    }
    while (at < read.length) {
      if (this.#streaming) {
        const slice = read.subarray(at, at + this.#streaming.left);
        at += slice.length;
        const { kind } = this.#streaming;
        this.#streaming.left -= slice.length;
        if (this.#streaming.left === 0) this.#streaming = null;
        this.#onFrame(kind, slice);
        continue;
      }
      if (read.length - at < headerBytes) break;
      const kind = read.readUInt8(at) as WireKind;
      const length = read.readUInt32BE(at + 1);
      if (length > payloadBytesMax) throw new MalformedFrameError(`Cannot read stand-in frame: it has ${length} bytes, at most ${payloadBytesMax} were expected`);
      if (isStream(kind) && length > 0) {
        this.#streaming = { kind, left: length };
        at += headerBytes;
        continue;
      }
      if (read.length - at < headerBytes + length) break;
      this.#onFrame(kind, read.subarray(at + headerBytes, at + headerBytes + length));
      at += headerBytes + length;
    }
    // Copied: the reader of a socket may read into the same memory again.
    if (at < read.length) this.#rest = Buffer.from(read.subarray(at));
  }
}

function isStream(kind: WireKind): boolean {
  return kind === wireKinds.stdin || kind === wireKinds.stdout || kind === wireKinds.stderr;
}
