/**
 * The JSON values of one direction of one connection, from chunks that were cut anywhere (cassette-contract 5.7 A3). Nearly all
 * of them are whole lines and are parsed as such; only a line that is no value by itself is looked at byte by byte.
 */

import { Buffer } from 'node:buffer';
import { limits } from '../limits.ts';
import type { Json } from '../json/exact.ts';
import { isSpace, ValueScanner } from './value-scanner.ts';

/** `unfinished` ends inside one line, `unfinished_lines` inside a value of several. */
export type StreamFailure = 'invalid' | 'unfinished' | 'unfinished_lines' | 'empty' | 'too_deep' | 'too_long';

export type ValueStreamOptions = {
  parse: (text: string) => Json | undefined;
  take: (value: Json, text: string) => void;
  /** Called once. Behind a failure the values that a line begins with are still taken, unless `isLenient`. */
  fail: (failure: StreamFailure) => void;
  /** A value that shares its line with another one, or fills several. */
  odd: () => void;
  /** Text is expected where no JSON comes: nothing is read behind a failure. */
  isLenient: boolean;
};

export class ValueStream {
  readonly #options: ValueStreamOptions;
  readonly #scanner = new ValueScanner();
  /** What was not taken yet, and has been scanned if `#isScanning`. */
  #pending: Buffer = Buffer.alloc(0);
  #pendingBytes = 0;
  #isScanning = false;
  /** The rest of the line belongs to something broken. */
  #isSkipping = false;
  #hasFailed = false;
  #valueCount = 0;
  #lineValueCount = 0;
  #retryAtBytes = 0;

  constructor(options: ValueStreamOptions) {
    this.#options = options;
  }

  get hasFailed(): boolean {
    return this.#hasFailed;
  }

  /** Bytes behind the last value. */
  get pendingBytes(): number {
    return this.#pendingBytes;
  }

  /** Takes a chunk; its bytes may be written over afterwards. */
  push(bytes: Buffer): void {
    let start = 0;
    while (start < bytes.length && !(this.#hasFailed && this.#options.isLenient)) {
      if (this.#isScanning) return this.#scan(bytes, start);
      const newline = bytes.indexOf(10, start);
      const end = newline < 0 ? bytes.length : newline + 1;
      if (this.#isSkipping) this.#isSkipping = newline < 0;
      else if (newline < 0 && this.#isText(bytes, start, end)) this.#isSkipping = true;
      else if (newline < 0) this.#hold(bytes, start, end);
      else this.#takeLine(bytes, start, end);
      start = end;
    }
  }

  /** The end of a chunk that should hold whole values: one without an end of line is taken now. */
  settle(): void {
    const last = this.#pending[this.#pendingBytes - 1];
    if (this.#pendingBytes < Math.max(1, this.#retryAtBytes) || this.#isScanning || this.#hasFailed || (last !== closeBrace && last !== closeBracket)) return;
    // Doubled, so that values that only seem to end cost no more than their length.
    this.#retryAtBytes = this.#pendingBytes * 2;
    if (this.#takeWhole(this.#pending, 0, this.#pendingBytes)) this.#pendingBytes = this.#retryAtBytes = 0;
  }

  /** The end of the stream. */
  finish(): void {
    if (!this.#isScanning && this.#takeWhole(this.#pending, 0, this.#pendingBytes)) this.#pendingBytes = 0;
    if (!this.#isScanning) this.#scanPending();
    if (this.#pendingBytes > 0) {
      if (this.#scanner.end()) this.#emit();
      else {
        const lastLine = this.#fail(this.#pending.subarray(0, this.#pendingBytes).includes(10) ? 'unfinished_lines' : 'unfinished');
        if (lastLine) this.#takeParts(lastLine, 0, lastLine.length);
      }
    }
    if (this.#valueCount === 0) this.#fail('empty');
  }

  #takeLine(bytes: Buffer, start: number, end: number): void {
    if (this.#pendingBytes > 0) {
      this.#hold(bytes, start, end);
      // So much was held that it has been scanned.
      if (this.#isScanning || this.#isSkipping) return this.#endLine();
      if (this.#takeWhole(this.#pending, 0, this.#pendingBytes)) this.#pendingBytes = 0;
      else this.#scanPending();
    } else if (!this.#takeWhole(bytes, start, end)) this.#scan(bytes, start, end);
    this.#endLine();
  }

  #endLine(): void {
    this.#isSkipping = false;
    this.#lineValueCount = 0;
    this.#retryAtBytes = 0;
  }

  /** Whether the bytes are one value, or white space alone. */
  #takeWhole(bytes: Buffer, start: number, end: number): boolean {
    let from = start;
    while (from < end && isSpace(bytes[from])) from++;
    if (from === end) return true;
    if (this.#hasFailed) {
      this.#takeParts(bytes, from, end);
      return true;
    }
    const text = bytes.toString('utf8', from, end);
    const value = this.#options.parse(text);
    if (value === undefined) return false;
    this.#take(value, text);
    return true;
  }

  // Behind a failure each line stands for itself. It may be text, so nothing is parsed before its end is known.
  #takeParts(bytes: Buffer, start: number, end: number): void {
    const scanner = new ValueScanner();
    for (let from = start; from < end; ) {
      if (isSpace(bytes[from])) {
        from++;
        continue;
      }
      // Scalars hold nothing that anybody looks for.
      if (!isOpening(bytes[from])) return;
      const scanned = scanner.feed(bytes, from, end);
      if (scanned.kind !== 'end' && scanned.kind !== 'too_deep') return;
      const to = scanned.kind === 'end' ? scanned.at : end;
      const text = bytes.toString('utf8', from, to);
      const value = this.#options.parse(text);
      if (value === undefined) return;
      this.#options.take(value, text);
      from = to;
    }
  }

  /** Whether a line that begins here is text, which need not be held. */
  #isText(bytes: Buffer, start: number, end: number): boolean {
    if (!this.#hasFailed || this.#pendingBytes > 0) return false;
    let from = start;
    while (from < end && isSpace(bytes[from])) from++;
    return from < end && !isOpening(bytes[from]);
  }

  #take(value: Json, text: string): void {
    this.#valueCount++;
    if (this.#lineValueCount++ > 0) this.#options.odd();
    this.#options.take(value, text);
  }

  #hold(bytes: Buffer, start: number, end: number): void {
    this.#append(bytes, start, end);
    if (this.#pendingBytes <= (this.#hasFailed ? limits.messageBytesMax : scannedFromBytes) || this.#isScanning) return;
    if (this.#hasFailed) {
      this.#takeParts(this.#pending, 0, this.#pendingBytes);
      this.#pendingBytes = 0;
      this.#isSkipping = true;
    } else this.#scanPending();
  }

  #append(bytes: Buffer, start: number, end: number): void {
    const needed = this.#pendingBytes + end - start;
    if (needed > this.#pending.length) {
      const grown = Buffer.allocUnsafeSlow(Math.max(needed, this.#pending.length * 2, 1024));
      this.#pending.copy(grown, 0, 0, this.#pendingBytes);
      this.#pending = grown;
    }
    bytes.copy(this.#pending, this.#pendingBytes, start, end);
    this.#pendingBytes = needed;
  }

  #scanPending(): void {
    const bytes = this.#pending.subarray(0, this.#pendingBytes);
    this.#pending = Buffer.alloc(0);
    this.#pendingBytes = 0;
    this.#scan(bytes, 0);
  }

  // Value by value; what is left stays pending, and scanned.
  #scan(bytes: Buffer, start: number, end = bytes.length): void {
    if (this.#hasFailed) return;
    this.#isScanning = true;
    let from = start;
    while (from < end) {
      if (this.#scanner.isIdle && isSpace(bytes[from])) {
        if (bytes[from++] === 10) this.#lineValueCount = 0;
        continue;
      }
      const scanned = this.#scanner.feed(bytes, from, end);
      const to = scanned.kind === 'more' ? end : scanned.at;
      this.#append(bytes, from, to);
      if (scanned.kind === 'end') this.#emit();
      else if (this.#pendingBytes > limits.messageBytesMax) return this.#failAt(bytes, to, end, 'too_long');
      else if (scanned.kind !== 'more') return this.#failAt(bytes, to, end, scanned.kind);
      from = to;
    }
    this.#isScanning = !this.#scanner.isIdle;
  }

  #emit(): void {
    const text = this.#pending.toString('utf8', 0, this.#pendingBytes);
    this.#pendingBytes = 0;
    const value = this.#options.parse(text);
    if (value === undefined) return void this.#fail('invalid');
    if (text.includes('\n')) this.#options.odd();
    this.#take(value, text);
  }

  // The line that broke is passed over, unless it is a later one of its value.
  #failAt(bytes: Buffer, at: number, end: number, failure: StreamFailure): void {
    const lastLine = this.#fail(failure);
    this.#isSkipping = lastLine === null;
    if (lastLine) this.#append(lastLine, 0, lastLine.length);
    if (at < end) this.push(bytes.subarray(at, end));
  }

  /** Takes the whole lines of what was broken off; gives the rest behind them. */
  #fail(failure: StreamFailure): Buffer | null {
    if (!this.#hasFailed) this.#options.fail(failure);
    this.#hasFailed = true;
    this.#isScanning = false;
    const broken = this.#pending.subarray(0, this.#pendingBytes);
    this.#pending = Buffer.alloc(0);
    this.#pendingBytes = 0;
    const restStart = broken.lastIndexOf(10) + 1;
    if (restStart === 0 || this.#options.isLenient) return null;
    this.push(broken.subarray(0, restStart));
    return broken.subarray(restStart);
  }
}

// A line of that length is scanned while it comes, since it may be many values in one.
const scannedFromBytes = 1_048_576;
function isOpening(c: number | undefined): boolean {
  return c === openBrace || c === openBracket;
}

const openBracket = 91;
const closeBracket = 93;
const openBrace = 123;
const closeBrace = 125;
