/** Heads of pictures of any size, for tests. */

import { Buffer } from 'node:buffer';

export function png(width: number, height: number): Buffer {
  const head = Buffer.alloc(33);
  Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13]).copy(head);
  head.write('IHDR', 12, 'latin1');
  head.writeUInt32BE(width, 16);
  head.writeUInt32BE(height, 20);
  return head;
}

export function jpeg(width: number, height: number, options: { marker?: number; before?: number[]; beforeMarker?: number; fillBytes?: number } = {}): Buffer {
  const { marker = 0xc0, before = [], beforeMarker = 0xfe, fillBytes = 0 } = options;
  const fill = Buffer.alloc(fillBytes, 0xff);
  // The remarks hold what looks like a frame header.
  const segments = before.map((length) => Buffer.concat([fill, Buffer.from([0xff, beforeMarker, (length + 2) >> 8, (length + 2) & 0xff]), Buffer.alloc(length, Buffer.from([0xff, 0xc0, 0, 11, 8, 0, 1, 0, 1]))]));
  const frame = Buffer.from([0xff, marker, 0, 11, 8, height >> 8, height & 0xff, width >> 8, width & 0xff, 1, 1, 0x11, 0]);
  return Buffer.concat([Buffer.from([0xff, 0xd8]), ...segments, fill, frame]);
}

export function webpLossy(width: number, height: number): Buffer {
  const body = Buffer.from([0x10, 0, 0, 0x9d, 0x01, 0x2a, 0, 0, 0, 0]);
  body.writeUInt16LE(width, 6);
  body.writeUInt16LE(height, 8);
  return webp('VP8 ', body);
}

export function webpLossless(width: number, height: number): Buffer {
  const body = Buffer.alloc(5);
  body[0] = 0x2f;
  body.writeUInt32LE((width - 1) | ((height - 1) << 14), 1);
  return webp('VP8L', body);
}

export function webpExtended(width: number, height: number): Buffer {
  const body = Buffer.alloc(10);
  body.writeUIntLE(width - 1, 4, 3);
  body.writeUIntLE(height - 1, 7, 3);
  return webp('VP8X', body);
}

function webp(chunk: string, body: Buffer): Buffer {
  const head = Buffer.alloc(20);
  head.write('RIFF', 0, 'latin1');
  head.writeUInt32LE(12 + body.length, 4);
  head.write(`WEBP${chunk}`, 8, 'latin1');
  head.writeUInt32LE(body.length, 16);
  return Buffer.concat([head, body]);
}
