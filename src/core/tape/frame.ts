/** Reads one stored line of `frames.jsonl` (cassette-contract 5.4): at once where it is written as usual, by its members otherwise. */

import { Buffer } from 'node:buffer';
import type { Finding, Report } from '../issue.ts';
import { readJson } from '../json/document.ts';
import { isObject, member, parseJson, type Json } from '../json/exact.ts';
import { shown } from '../json/read.ts';
import { decodeBase64, decodeBase64Bytes, decodedBytesMax } from './base64.ts';
import type { ChunkKind } from './chunk.ts';
import { membersOf, type Members } from './members.ts';

export const framesFile = 'provider/frames.jsonl';

export type Frame = {
  connectionId: string;
  /** 0 where it is absent, `NaN` where it was found wrong; likewise the next two. */
  chunkSeq: number;
  globalSeq: number;
  elapsedMs: number;
  /** `null` where it is absent or none that is known. */
  kind: ChunkKind | null;
  /** Good until the next line is read; `null` where it is no base64. */
  data: Buffer | null;
  exitCode: number | null;
  message: string | null;
  /** Whether it could not be told where this frame belongs or what it holds. */
  isBroken: boolean;
};

/** Sees what a line says beside what its data stands for. */
export type FrameText = (place: { line: number }, text: string) => void;

/** Reads line after line and uses one buffer for what they hold. */
export class FrameReader {
  readonly #report: Report;
  readonly #text: FrameText | null;
  #bytes: Buffer = Buffer.allocUnsafeSlow(1024);
  readonly #saidIds = new Set<string>();
  #lastId = '';
  #brokenCount = 0;
  readonly #counts = new Map<string, number>();

  /** `text` is called with each new connection id, and with every line that says more than a chunk does. */
  constructor(report: Report, text: FrameText | null = null) {
    this.#report = report;
    this.#text = text;
  }

  /** The frame and every finding about its own members; `null` where the line is no object, or one of very many that are broken. */
  read(line: Buffer, lineNumber: number): Frame | null {
    const usual = this.#readUsual(line);
    if (usual) {
      this.#sayId(usual.connectionId, lineNumber);
      return usual;
    }
    if (line.length < streamLineBytesMin && this.#isToldOfEmpty() && this.#isEmpty(line, lineNumber)) return emptyFrame;
    // So many are refused by every reader, and nobody is told of more.
    return this.#brokenCount < brokenCountMax ? this.#readMembers(line, lineNumber) : null;
  }

  // Exactly what our writer and the reference's write: the same members in the same order, without white space or escapes.
  #readUsual(line: Buffer): Frame | null {
    const end = line.length - 2;
    if (line[end] !== quote || line[end + 1] !== closeBrace) return null;
    const cursor = { at: 0 };
    if (!passes(line, cursor, connectionStart)) return null;
    const idStart = cursor.at;
    while (isPlain(line[cursor.at])) cursor.at++;
    const idEnd = cursor.at;
    if (!passes(line, cursor, chunkSeqStart)) return null;
    const chunkSeq = passNumber(line, cursor);
    if (chunkSeq < 0 || !passes(line, cursor, globalSeqStart)) return null;
    const globalSeq = passNumber(line, cursor);
    if (globalSeq < 0 || !passes(line, cursor, elapsedStart)) return null;
    const elapsedMs = passNumber(line, cursor);
    if (elapsedMs < 0 || !passes(line, cursor, kindStart)) return null;
    const kind = streamKinds.find((one) => passes(line, cursor, one.bytes))?.kind;
    if (kind === undefined || !passes(line, cursor, dataStart) || cursor.at > end) return null;
    const bytes = this.#decode(line.toString('latin1', cursor.at, end), decodeBase64Bytes);
    if (bytes === null) return null;
    return { connectionId: line.toString('latin1', idStart, idEnd), chunkSeq, globalSeq, elapsedMs, kind, data: bytes, exitCode: null, message: null, isBroken: false };
  }

  #readMembers(line: Buffer, lineNumber: number): Frame | null {
    const place = { file: framesFile, line: lineNumber };
    const found = { any: false, broken: false };
    const report: Report = (finding) => {
      found.any = true;
      found.broken ||= brokenCodes.has(finding.code);
      const count = (this.#counts.get(finding.code) ?? 0) + 1;
      this.#counts.set(finding.code, count);
      if (count <= findingCountMax) this.#report(finding);
    };
    const value = readJson(line, place, report);
    const frame = value === undefined ? null : this.#readValue(value, place, report);
    if (found.broken) this.#brokenCount++;
    if (found.any || !isChunkAlone(value)) this.#text?.({ line: lineNumber }, textBeside(line.toString(), frame?.data ? member(value, 'data') : ''));
    else this.#sayId(frame?.connectionId ?? '', lineNumber);
    return frame;
  }

  #readValue(value: Json, place: { file: string; line: number }, report: Report): Frame | null {
    if (value === null || isObject(value)) return this.#frameOf(value, membersOf(value, '$', { code: 'frame_invalid', ...place, report }));
    report({ code: 'frame_invalid', ...place, path: '$', is: `it is ${Array.isArray(value) ? 'a list' : shown(value)}`, needed: 'a recorded chunk was needed' });
    return null;
  }

  #isToldOfEmpty(): boolean {
    return (this.#counts.get('frame_kind_unknown') ?? 0) > findingCountMax && (this.#counts.get('frame_elapsed_invalid') ?? 0) > findingCountMax;
  }

  // Against which nothing stands but what was said of very many.
  #isEmpty(line: Buffer, lineNumber: number): boolean {
    const text = line.toString();
    const value = parseJson(text);
    if (value === null) return true;
    if (!isObject(value)) return false;
    const names = Object.keys(value);
    if (names.some((name) => chunkMembers.has(name) || name === 'message')) return false;
    if (names.length > 0) this.#text?.({ line: lineNumber }, text);
    return true;
  }

  #sayId(id: string, line: number): void {
    if (this.#text === null || id === this.#lastId || this.#saidIds.has(id)) return;
    this.#lastId = id;
    if (this.#saidIds.size < saidIdCountMax) this.#saidIds.add(id);
    this.#text({ line }, id);
  }

  #frameOf(value: Json, members: Members): Frame {
    const connectionId = members.text('connectionId') ?? '';
    const [chunkSeq, globalSeq] = [numberAt(members, 'chunkSeq'), numberAt(members, 'globalSeq')];
    const kind = kindOf(members);
    const exitCode = members.integer('exitCode', true);
    if (kind === 'exit' && exitCode === undefined && !members.isWrong('exitCode'))
      members.refuse({ code: 'frame_exit_code_missing', key: 'exitCode', is: 'it is absent', needed: 'the exit code was needed' });
    const data = this.#dataOf(members, kind);
    const frame = { connectionId, chunkSeq, globalSeq, elapsedMs: elapsedOf(members), kind, data, exitCode: exitCode === undefined ? null : Number(exitCode), message: members.text('message') ?? null };
    return { ...frame, isBroken: value === null || ['connectionId', 'kind', 'data'].some(members.isWrong) };
  }

  #dataOf(members: Members, kind: ChunkKind | null): Buffer | null {
    const bytes = this.#decode(members.text('data') ?? '', decodeBase64);
    // Only these three are decoded by anybody.
    if (bytes === null && kind !== null && kind !== 'exit')
      members.refuse({ code: 'frame_data_invalid', key: 'data', is: 'it is no padded base64', needed: 'padded base64 was needed' });
    return bytes;
  }

  #decode(text: string, decode: typeof decodeBase64): Buffer | null {
    const most = decodedBytesMax(text.length);
    if (this.#bytes.length < most) this.#bytes = Buffer.allocUnsafeSlow(most * 2);
    const bytes = decode(text, this.#bytes);
    return bytes < 0 ? null : this.#bytes.subarray(0, bytes);
  }
}

// A connection id and what is no text.
function isChunkAlone(value: Json | undefined): boolean {
  if (!isObject(value)) return value === null;
  for (const key in value) if (!chunkMembers.has(key) && !(key === 'message' && (value[key] ?? '') === '')) return false;
  return true;
}

// What was decoded is looked at decoded; of a repeated member that is the last.
function textBeside(line: string, data: Json | undefined): string {
  const at = typeof data === 'string' && data !== '' ? line.lastIndexOf(`"${data}"`) + 1 : 0;
  return at === 0 ? line : line.slice(0, at) + line.slice(at + (data as string).length);
}

function numberAt(members: Members, key: string): number {
  const found = members.integer(key);
  return found !== undefined ? Number(found) : members.isWrong(key) ? Number.NaN : 0;
}

function elapsedOf(members: Members): number {
  const elapsed = members.integer('elapsedMs', true);
  if (members.isWrong('elapsedMs')) return Number.NaN;
  if (elapsed !== undefined && elapsed >= 0n && elapsed <= BigInt(Number.MAX_SAFE_INTEGER)) return Number(elapsed);
  members.refuse({ code: 'frame_elapsed_invalid', key: 'elapsedMs', is: elapsed === undefined ? 'it is absent' : `it is ${elapsed}`, needed: 'milliseconds from 0 were needed' });
  return Number.NaN;
}

function kindOf(members: Members): ChunkKind | null {
  const kind = members.text('kind');
  if (kind === 'outbound' || kind === 'stdout' || kind === 'stderr' || kind === 'exit') return kind;
  if (!members.isWrong('kind'))
    members.refuse({ code: 'frame_kind_unknown', key: 'kind', is: `it is ${shown(kind)}`, needed: '"outbound", "stdout", "stderr" or "exit" was needed' });
  return null;
}

type Cursor = { at: number };

function passes(line: Buffer, cursor: Cursor, expected: Buffer): boolean {
  for (let i = 0; i < expected.length; i++) if (line[cursor.at + i] !== expected[i]) return false;
  cursor.at += expected.length;
  return true;
}

/** A natural number as JSON writes it and a float keeps it, or -1. */
function passNumber(line: Buffer, cursor: Cursor): number {
  const start = cursor.at;
  let value = 0;
  for (let c = line[cursor.at] as number; c >= zero && c <= nine; c = line[++cursor.at] as number) value = value * 10 + c - zero;
  const digits = cursor.at - start;
  return digits === 0 || digits > 15 || (digits > 1 && line[start] === zero) ? -1 : value;
}

function isPlain(c: number | undefined): boolean {
  return c !== undefined && c >= 32 && c < 127 && c !== quote && c !== backslash;
}

const connectionStart = Buffer.from('{"connectionId":"');
const chunkSeqStart = Buffer.from('","chunkSeq":');
const globalSeqStart = Buffer.from(',"globalSeq":');
const elapsedStart = Buffer.from(',"elapsedMs":');
const kindStart = Buffer.from(',"kind":"');
const dataStart = Buffer.from('","data":"');
const streamKinds = (['stdout', 'outbound', 'stderr'] as const).map((kind) => ({ kind, bytes: Buffer.from(kind) }));
const chunkMembers: ReadonlySet<string> = new Set(['connectionId', 'chunkSeq', 'globalSeq', 'elapsedMs', 'kind', 'data', 'exitCode']);
const emptyFrame: Frame = { connectionId: '', chunkSeq: 0, globalSeq: 0, elapsedMs: Number.NaN, kind: null, data: Buffer.alloc(0), exitCode: null, message: null, isBroken: false };
/** No shorter line says that it is of a stream. */
const streamLineBytesMin = '{"kind":"stdout"}'.length;
/** Refused at every level. */
const brokenCodes: ReadonlySet<Finding['code']> = new Set(['json_invalid', 'json_too_deep', 'json_too_large', 'byte_order_mark', 'frame_invalid', 'integer_invalid']);
const brokenCountMax = 1_000;
/** Of one code; whoever collects them keeps fewer. */
const findingCountMax = 1_000;
const saidIdCountMax = 10_000;
const quote = 34;
const zero = 48;
const nine = 57;
const backslash = 92;
const closeBrace = 125;
