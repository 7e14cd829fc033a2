/** What one connection of a tape must hold to: its sequence, its streams, its end, and the audit of every message (cassette-contract 5.4, 5.7). */

import type { Buffer } from 'node:buffer';
import type { Finding, Report } from '../issue.ts';
import { parseJson, type Json } from '../json/exact.ts';
import { limits } from '../limits.ts';
import { isAllowedResidue, type AllowedResidue } from '../projection/allow.ts';
import { auditMessage, isClean } from '../projection/audit.ts';
import type { Observation, Observer } from '../provider/adapter.ts';
import type { ChunkKind } from './chunk.ts';
import { framesFile, type Frame } from './frame.ts';
import { isPlain, wrapSessionId, type TapeConnection } from './manifest.ts';
import { Sequence } from './sequence.ts';
import { ValueStream, type StreamFailure } from './value-stream.ts';

export type StreamKind = Exclude<ChunkKind, 'exit'>;

/** A message that a product sent or was told, parsed once for all who need it. */
export type TapeMessage = { connectionId: string; kind: 'outbound' | 'stdout'; value: Json; text: string; observations: Observation[] };

export type ConnectionCheckOptions = {
  connection: Pick<TapeConnection, 'connectionId' | 'agentSessionId'>;
  credentialMethods: readonly string[];
  allow: readonly AllowedResidue[];
  observer: Observer | null;
  streamBytesMax: number;
  report: Report;
  onMessage: ((message: TapeMessage) => void) | null;
  /** Whether the tape is a stand-in's recording by itself, which may hold what no cassette may. */
  isAlone: boolean;
  /** Of the whole tape; they come to light while it is read. */
  losses: TapeLosses;
};

/** What is missing without anybody knowing whose it was. */
export type TapeLosses = {
  /** Bytes, for which there is a finding: what follows from that is none. */
  hasLostBytes: boolean;
  /** Chunks: a reader of messages alone does not know, but a session may lack its end. */
  hasLostChunks: boolean;
};

type Stream = { kind: StreamKind; values: ValueStream; bytes: number; line: number; held: Finding[]; isOdd: boolean };

export class ConnectionCheck {
  readonly sequence = new Sequence();
  readonly #options: ConnectionCheckOptions;
  readonly #streams = new Map<StreamKind, Stream>();
  /** Speaks no protocol, which is ours to allow. */
  readonly #isLog: boolean;
  #line = 0;
  #exit: { message: string | null } | null = null;
  #isBehindExit = false;
  #isFinishing = false;
  #hasLostBytes = false;
  #hasLostChunks = false;

  constructor(options: ConnectionCheckOptions) {
    this.#options = options;
    this.#isLog = options.isAlone && isPlain(options.connection);
  }

  /** Chunks of this connection are missing. */
  lack(): void {
    this.#hasLostChunks = true;
  }

  get #isDoubtful(): boolean {
    return this.#hasLostBytes || this.#options.losses.hasLostBytes;
  }

  /** Whether chunks of it are missing, or may be. */
  get hasGap(): boolean {
    return this.#hasLostChunks || this.#options.losses.hasLostChunks;
  }

  take(frame: Frame, kind: ChunkKind, line: number): void {
    this.#line = line;
    if (this.#exit && !this.#isBehindExit) {
      this.#isBehindExit = true;
      this.#add({ code: 'chunk_after_exit', is: 'it follows the exit of its connection', needed: 'an exit at the end was needed' });
    }
    if (kind === 'exit') this.#exit ??= { message: frame.message };
    else if (frame.data === null) this.#hasLostBytes = true;
    else this.#takeBytes(this.#streamOf(kind), frame.data);
  }

  finish(): void {
    this.#isFinishing = true;
    const hasOpenLine = (this.#streams.get('stdout')?.values.pendingBytes ?? 0) > 0;
    for (const stream of this.#streams.values()) {
      this.#line = stream.line;
      stream.values.finish();
      if (!stream.values.hasFailed) stream.held.forEach(this.#options.report);
    }
    if (hasOpenLine && this.#exit === null && !this.#isLog && !this.#isDoubtful && !this.hasGap && !this.#streams.get('stdout')?.values.hasFailed)
      this.#add({ code: 'message_unfinished', is: 'its last message has no end of line', needed: 'whole messages were needed' });
    this.#checkOpenEnds();
  }

  #takeBytes(stream: Stream, data: Buffer): void {
    const before = stream.bytes;
    stream.bytes += data.length;
    stream.line = this.#line;
    if (stream.bytes > this.#options.streamBytesMax) {
      if (before <= this.#options.streamBytesMax)
        this.#add({ code: 'stream_too_large', is: `${stream.kind} of its connection has ${stream.bytes} bytes so far`, needed: `at most ${this.#options.streamBytesMax} were expected` });
      return;
    }
    stream.values.push(data);
    if (stream.kind !== 'outbound') return;
    stream.values.settle();
    if (!this.#isLog && !stream.values.hasFailed && (data.length === 0 || stream.values.pendingBytes > 0)) this.#addOdd(stream);
  }

  #streamOf(kind: StreamKind): Stream {
    const known = this.#streams.get(kind);
    if (known) return known;
    const values = new ValueStream({
      isLenient: kind === 'stderr',
      // Only players need numbers as they were written, which may cost a second parse.
      parse: this.#options.onMessage ? parseJson : parseAny,
      take: (value, text) => this.#takeValue(stream, value, text),
      fail: (failure) => this.#addFailure(stream, failure),
      odd: () => kind === 'stdout' && this.#addOdd(stream),
    });
    const stream: Stream = { kind, values, bytes: 0, line: this.#line, held: [], isOdd: false };
    this.#streams.set(kind, stream);
    return stream;
  }

  #takeValue(stream: Stream, value: Json, text: string): void {
    const { kind } = stream;
    if (!isClean(value, this.#options.credentialMethods) && !this.#audit(stream, value)) return;
    if (kind === 'stderr' || isPlain(this.#options.connection) || (this.#isFinishing && kind === 'stdout')) return;
    const observations = this.#options.observer?.see(kind === 'outbound' ? 'outbound' : 'inbound', value) ?? [];
    this.#options.onMessage?.({ connectionId: this.#options.connection.connectionId, kind, value, text, observations });
  }

  /** Whether the message is one that can be handed on. */
  #audit(stream: Stream, value: Json): boolean {
    const report = (finding: Omit<Finding, 'file' | 'line'>) => {
      const found = { ...finding, file: framesFile, line: this.#line };
      // What stands in a log counts only if all of the log is JSON.
      if (stream.kind !== 'stderr') this.#options.report(found);
      else if (stream.held.length < heldCountMax) stream.held.push(found);
    };
    if (isTooDeep(value)) {
      report({ code: 'json_too_deep', is: 'a message is nested too deep', needed: `at most ${limits.nestingMax} were expected` });
      return false;
    }
    for (const finding of auditMessage(value, { credentialMethods: this.#options.credentialMethods, freeTextFields: noFields }, null)) {
      if (isAllowedResidue(finding, this.#options.allow)) continue;
      const method = finding.method === null ? '' : `${finding.method.slice(0, 80)}: `;
      report({ code: finding.code, path: finding.path, is: `${method}${finding.is}`, needed: 'a portable, anonymous value was needed' });
    }
    return true;
  }

  #addFailure(stream: Stream, failure: StreamFailure): void {
    if (stream.kind === 'stderr' || this.#isDoubtful) return;
    const isText = failure !== 'too_deep' && failure !== 'too_long';
    if (this.#isLog && isText) return;
    // Our recorder keeps the line that a killed program had begun (stand-in b23); the contract knows no such end.
    if (failure === 'unfinished' && stream.kind === 'stdout' && this.#options.isAlone && this.#isOwn() && this.#isKilled()) return;
    const { code, is, needed } = failures[failure];
    this.#add({ code, is: `${stream.kind} of ${this.#name()} ${is}`, needed });
  }

  #addOdd(stream: Stream): void {
    if (stream.isOdd || this.#isLog || this.#isDoubtful || this.hasGap) return;
    stream.isOdd = true;
    const needed = stream.kind === 'outbound' ? 'players need whole messages in each outbound chunk' : 'players need one message on each line';
    this.#add({ code: 'message_framing_unsupported', is: `a message of ${stream.kind} of ${this.#name()} does not end where its ${stream.kind === 'outbound' ? 'chunk' : 'line'} ends`, needed });
  }

  // A kill ends a session anywhere; every other end must leave nothing open (stand-in b23). Other recorders promise no such thing.
  #checkOpenEnds(): void {
    if (this.#exit === null || this.#isKilled() || !this.#isOwn() || this.#isDoubtful || this.hasGap) return;
    if ([...this.#streams.values()].some((stream) => stream.kind !== 'stderr' && stream.values.hasFailed)) return;
    for (const end of this.#options.observer?.open() ?? [])
      this.#options.report({ code: end.code, file: framesFile, is: `${this.#name()}: ${end.text.slice(0, endTextMax)}`, needed: 'a complete session was needed' });
  }

  #isOwn(): boolean {
    return this.#options.connection.agentSessionId === wrapSessionId;
  }

  #isKilled(): boolean {
    return this.#exit?.message?.startsWith('signal:') ?? false;
  }

  #name(): string {
    return JSON.stringify(this.#options.connection.connectionId.slice(0, 80));
  }

  #add(finding: Omit<Finding, 'file' | 'line'>): void {
    this.#options.report({ ...finding, file: framesFile, line: this.#line });
  }
}

function parseAny(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

function isTooDeep(value: Json, depthLeft: number = limits.nestingMax): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return depthLeft === 0 || Object.values(value).some((item) => isTooDeep(item as Json, depthLeft - 1));
}

const failures = {
  invalid: { code: 'protocol_json_invalid', is: 'is no JSON here', needed: 'JSON values alone were needed' },
  unfinished: { code: 'protocol_json_invalid', is: 'ends inside a value', needed: 'whole JSON values were needed' },
  unfinished_lines: { code: 'protocol_json_invalid', is: 'ends inside a value', needed: 'whole JSON values were needed' },
  empty: { code: 'protocol_json_invalid', is: 'has chunks and no value', needed: 'a JSON value was needed' },
  too_deep: { code: 'json_too_deep', is: 'is nested too deep', needed: `at most ${limits.nestingMax} were expected` },
  too_long: { code: 'stream_too_large', is: 'has a value without end', needed: `at most ${limits.messageBytesMax} bytes were expected` },
} as const satisfies { [failure in StreamFailure]: { code: Finding['code']; is: string; needed: string } };
const noFields: ReadonlySet<string> = new Set();
const heldCountMax = 100;
// An id of a recording may be as long as its message.
const endTextMax = 200;
