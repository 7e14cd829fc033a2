/** Kind and size of a picture from its first bytes, fed in pieces: PNG, JPEG and WebP, nothing decoded. */

import { Buffer } from 'node:buffer';
import type { BlobMimeType } from './facts.ts';

export type ImageFacts = { mimeType: BlobMimeType; width: number; height: number };
type Reading = ImageFacts | 'more' | 'none';

/** Takes content piece by piece until the size is known; holds a few bytes at a time, also where a JPEG hides its size far behind. */
export class ImageHead {
  #reading: Reading = 'more';
  #kept: Buffer = Buffer.alloc(0);
  #skipBytes = 0;
  #readJpeg = false;

  update(piece: Buffer): void {
    if (this.#reading !== 'more') return;
    const skipped = Math.min(this.#skipBytes, piece.length);
    this.#skipBytes -= skipped;
    if (skipped === piece.length) return;
    this.#kept = Buffer.concat([this.#kept, piece.subarray(skipped)]);
    this.#read();
  }

  /** What was seen; `null` where the content is no picture, or ends before its size. */
  get image(): ImageFacts | null {
    return typeof this.#reading === 'string' ? null : this.#reading;
  }

  #read(): void {
    if (!this.#readJpeg) {
      this.#readJpeg = isStart(this.#kept, jpegStart);
      if (this.#readJpeg) this.#kept = this.#kept.subarray(2);
      else this.#reading = readFixed(this.#kept);
    }
    while (this.#readJpeg && this.#reading === 'more') {
      const step = readSegment(this.#kept);
      if (typeof step !== 'number') {
        this.#reading = step;
        if (step === 'more') break;
        continue;
      }
      this.#skipBytes = Math.max(0, step - this.#kept.length);
      this.#kept = this.#kept.subarray(step);
    }
    // A copy, or the whole piece would live as long as its last bytes.
    this.#kept = this.#reading === 'more' ? Buffer.from(this.#kept) : Buffer.alloc(0);
  }
}

function readFixed(head: Buffer): Reading {
  if (isStart(head, pngStart)) return readPng(head);
  if (isStart(head, riffStart)) return readWebp(head);
  return [pngStart, riffStart, jpegStart].some((start) => head.length < start.length && isStart(start, head)) ? 'more' : 'none';
}

function readPng(head: Buffer): Reading {
  if (head.length < 24) return 'more';
  if (head.readUInt32BE(8) !== 13 || head.toString('latin1', 12, 16) !== 'IHDR') return 'none';
  return sized('image/png', head.readUInt32BE(16), head.readUInt32BE(20));
}

function readWebp(head: Buffer): Reading {
  if (head.length < 30) return head.length >= 12 && head.toString('latin1', 8, 12) !== 'WEBP' ? 'none' : readShortLossless(head);
  if (head.toString('latin1', 8, 12) !== 'WEBP') return 'none';
  const chunk = head.toString('latin1', 12, 16);
  if (chunk === 'VP8X') return sized('image/webp', head.readUIntLE(24, 3) + 1, head.readUIntLE(27, 3) + 1);
  if (chunk === 'VP8L') return readLossless(head);
  const isKeyFrame = chunk === 'VP8 ' && ((head[20] ?? 1) & 1) === 0 && head.readUIntBE(23, 3) === 0x9d012a;
  return isKeyFrame ? sized('image/webp', head.readUInt16LE(26) & 0x3fff, head.readUInt16LE(28) & 0x3fff) : 'none';
}

// The head of a lossless picture is five bytes shorter than that of the others, and the smallest of them end there.
function readShortLossless(head: Buffer): Reading {
  return head.length >= 25 && head.toString('latin1', 8, 16) === 'WEBPVP8L' ? readLossless(head) : 'more';
}

function readLossless(head: Buffer): Reading {
  if (head[20] !== 0x2f) return 'none';
  const bits = head.readUInt32LE(21);
  return sized('image/webp', (bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1);
}

// One segment of a JPEG: how many bytes to go on, the size where it is the frame header, `none` where the picture itself begins before it.
function readSegment(bytes: Buffer): number | Reading {
  if (bytes.length < 2) return 'more';
  if (bytes[0] !== 0xff) return 'none';
  const marker = bytes[1] ?? 0;
  if (marker === 0xff) return 1;
  if (marker === 0x01) return 2;
  if (marker === 0 || (marker >= 0xd0 && marker <= 0xda)) return 'none';
  if (bytes.length < 4) return 'more';
  const length = bytes.readUInt16BE(2);
  if (length < 2) return 'none';
  if (!isFrameHeader(marker)) return 2 + length;
  return bytes.length < 9 ? 'more' : sized('image/jpeg', bytes.readUInt16BE(7), bytes.readUInt16BE(5));
}

// SOF0 to SOF15 without the three codes between them that mean tables (C4, CC) or are reserved (C8).
function isFrameHeader(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
}

function sized(mimeType: BlobMimeType, width: number, height: number): Reading {
  return width > 0 && height > 0 ? { mimeType, width, height } : 'none';
}

function isStart(bytes: Buffer, start: Buffer): boolean {
  return bytes.length >= start.length && bytes.subarray(0, start.length).equals(start);
}

const pngStart = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const riffStart = Buffer.from('RIFF', 'latin1');
const jpegStart = Buffer.from([0xff, 0xd8]);
