import { expect, test } from 'vitest';
import { ImageHead } from './image-head.ts';
import { jpeg, png, webpExtended, webpLossless, webpLossy } from './fixtures.ts';

const check = (content: Buffer, pieceBytes: number) => {
  const head = new ImageHead();
  for (let at = 0; at < content.length; at += pieceBytes) head.update(content.subarray(at, at + pieceBytes));
  return head.image && `${head.image.mimeType} ${head.image.width} × ${head.image.height}`;
};
const withoutFrame = Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xda, 0, 2]), Buffer.alloc(100)]);

test.each<[string, Buffer, string | null]>([
  ['a PNG', png(640, 480), 'image/png 640 × 480'],
  ['a PNG without pixels', png(0, 480), null],
  ['a PNG that ends in its head', png(1, 1).subarray(0, 23), null],
  ['a PNG that begins with another chunk', Buffer.from(png(1, 1).toString('latin1').replace('IHDR', 'IDAT'), 'latin1'), null],
  ['a JPEG', jpeg(640, 480), 'image/jpeg 640 × 480'],
  ['a progressive JPEG', jpeg(3, 4, { marker: 0xc2 }), 'image/jpeg 3 × 4'],
  ['a JPEG whose size stands behind 120 KB of remarks', jpeg(640, 480, { before: [60_000, 60_000] }), 'image/jpeg 640 × 480'],
  ['a JPEG with filler between its segments', jpeg(640, 480, { fillBytes: 5, before: [3] }), 'image/jpeg 640 × 480'],
  ['a JPEG with tables before its frame', jpeg(7, 8, { before: [10], beforeMarker: 0xc4 }), 'image/jpeg 7 × 8'],
  ['a JPEG without height', jpeg(640, 0), null],
  ['a JPEG whose picture begins before its frame', withoutFrame, null],
  ['a JPEG of two bytes', Buffer.from([0xff, 0xd8]), null],
  ['a JPEG with a segment of no length', Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 1, 0, 0]), null],
  ['a lossy WebP', webpLossy(640, 480), 'image/webp 640 × 480'],
  ['a lossless WebP', webpLossless(16_384, 1), 'image/webp 16384 × 1'],
  ['an extended WebP', webpExtended(100_000, 3), 'image/webp 100000 × 3'],
  ['a sound in RIFF', Buffer.from('RIFF\x10\0\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0', 'latin1'), null],
  ['a GIF', Buffer.from('GIF89a\x01\0\x01\0'), null],
  ['text', Buffer.from('<svg width="1" height="1"/>'), null],
  ['nothing', Buffer.alloc(0), null],
])('ImageHead with %s', (_title, content, expected) => expect([1, 7, 1 << 20].map((pieceBytes) => check(content, pieceBytes))).toEqual([expected, expected, expected]));
