/** The content of blobs: is it what its name says, and is it a picture of its type and of a size that can be shown (cassette-contract 1.3, 8.4). */

import type { Buffer } from 'node:buffer';
import { blobPathOf, cassettePolicy } from '../cassette/policy.ts';
import type { Report } from '../issue.ts';
import type { BlobFacts } from './facts.ts';
import { ImageHead } from './image-head.ts';
import { blobLimits } from './limits.ts';

/** Takes the content of one file below `blobs/sha256/` while it is read once by whoever also hashes it. */
export class BlobContentCheck {
  readonly #head = new ImageHead();
  readonly #digest: string;
  readonly #blobs: readonly BlobFacts[];
  readonly #report: Report;

  /** `blobs` are those of the manifest with this digest. */
  constructor(options: { digest: string; blobs: readonly BlobFacts[]; report: Report }) {
    this.#digest = options.digest;
    this.#blobs = options.blobs;
    this.#report = options.report;
  }

  update(piece: Buffer): void {
    this.#head.update(piece);
  }

  /** Where the inventory has another hash than the content, that is the finding, and nothing more is said of the content. */
  finish(content: { sha256: string; inventorySha256: string | null }): void {
    const { sha256, inventorySha256 } = content;
    if (inventorySha256 !== null && inventorySha256.toLowerCase() !== sha256) return;
    const file = blobPathOf(this.#digest);
    if (sha256 !== this.#digest) this.#report({ code: 'blob_content_mismatch', file, is: `the SHA-256 of the content is ${sha256}`, needed: 'the digest in its name was needed' });
    else this.#checkImage(file);
  }

  #checkImage(file: string): void {
    const image = this.#head.image;
    const declared = [...new Set(this.#blobs.flatMap((blob) => blob.mimeType ?? []))];
    for (const mimeType of declared)
      if (image?.mimeType !== mimeType) this.#report({ code: 'blob_image_invalid', file, is: image ? `it is ${image.mimeType}` : 'its first bytes are no PNG, JPEG or WebP', needed: `the blob manifest says ${mimeType}` });
    if (image && (Math.max(image.width, image.height) > blobLimits.imageSideMax || image.width * image.height > blobLimits.imagePixelsMax))
      this.#report({ code: 'blob_pixels_exceeded', file, is: `it has ${image.width} × ${image.height} pixels`, needed: `at most ${blobLimits.imageSideMax} a side and ${blobLimits.imagePixelsMax} in all were allowed` });
  }
}

/** Reports each blob whose content nobody has: neither the inventory lists it nor is it in the folder (1.3, 8.4). */
export function checkBlobsPresent(blobs: readonly BlobFacts[], paths: Iterable<string>, report: Report): void {
  const told = new Set(paths);
  for (const { index, sha256 } of blobs) {
    const path = blobPathOf(sha256);
    if (told.has(path)) continue;
    told.add(path);
    report({ code: 'blob_missing', file: cassettePolicy.files.blobManifest.path, path: `$.blobs[${index}].sha256`, is: `"${path}" is not there`, needed: 'the content of each blob was needed' });
  }
}
