/** Reads stored chunks of one lane when they are needed, a block ahead, so that playing needs little memory (issue: player-rss). */

import { closeSync, openSync, readSync } from 'node:fs';
import { assert } from '../core/assert.ts';
import { parseChunkLine } from '../core/tape/chunk.ts';
import type { Lane, LaneChunk } from '../core/tape/lane.ts';

export class LaneReader {
  readonly #lane: Lane;
  readonly #path: string;
  #descriptor: number | null = null;
  #block: { offset: number; bytes: Buffer } = { offset: 0, bytes: Buffer.alloc(0) };

  constructor(options: { lane: Lane; folder: string }) {
    this.#lane = options.lane;
    this.#path = `${options.folder}/frames.jsonl`;
  }

  /** The payload of one chunk. */
  read(chunkIndex: number): Buffer {
    const chunk = this.#lane.chunks[chunkIndex];
    assert(chunk, 'a chunk beyond the end of its lane was read');
    const line = this.#line(chunk);
    const start = line.indexOf(dataStart);
    // A foreign writer may put white space between name and value.
    if (start < 0) return line.includes('"data"') ? dataOf(line.toString()) : Buffer.alloc(0);
    const from = start + dataStart.length;
    const text = line.toString('latin1', from, line.indexOf(quote, from));
    return Buffer.from(text.includes('\\') ? (JSON.parse(`"${text}"`) as string) : text, 'base64');
  }

  close(): void {
    if (this.#descriptor !== null) closeSync(this.#descriptor);
    this.#descriptor = null;
  }

  #line(chunk: LaneChunk): Buffer {
    let at = chunk.offset - this.#block.offset;
    if (at < 0 || at + chunk.lineBytes > this.#block.bytes.length) {
      this.#descriptor ??= openSync(this.#path, 'r');
      const wanted = Math.max(chunk.lineBytes, blockBytes);
      const bytes = this.#block.bytes.buffer.byteLength === wanted ? this.#block.bytes : Buffer.allocUnsafeSlow(wanted);
      const whole = Buffer.from(bytes.buffer, 0, wanted);
      const read = readSync(this.#descriptor, whole, 0, wanted, chunk.offset);
      this.#block = { offset: chunk.offset, bytes: whole.subarray(0, read) };
      at = 0;
    }
    return this.#block.bytes.subarray(at, at + chunk.lineBytes);
  }
}

function dataOf(line: string): Buffer {
  const chunk = parseChunkLine(line);
  assert(typeof chunk !== 'string', 'a chunk that was loaded cannot be read again');
  return chunk.data;
}

const blockBytes = 524_288;
const dataStart = '"data":"';
const quote = 0x22;
