/** What a blob manifest says of one blob, and where that blob belongs (cassette-contract 8.2 to 8.4). */

import { trim } from '../json/read.ts';

export type BlobKind = 'agent-prompt-attachment' | 'agent-generated-image';

/** Members without the white space around them; `null` is what could not be read or may not be used, and was reported. */
export type BlobFacts = {
  /** Place in the manifest. */
  index: number;
  kind: BlobKind | null;
  /** Lower case. */
  sha256: string;
  sizeBytes: number | null;
  agentSessionId: string | null;
  attachmentId: string | null;
  relativePath: string | null;
  mimeType: BlobMimeType | null;
};

export type BlobMimeType = 'image/png' | 'image/jpeg' | 'image/webp';

const extensions: { readonly [mime in BlobMimeType]: string } = { 'image/png': '.png', 'image/jpeg': '.jpg', 'image/webp': '.webp' };

export function blobMimeType(text: string): BlobMimeType | null {
  return Object.hasOwn(extensions, text) ? (text as BlobMimeType) : null;
}

/** `.png`, `.jpg` or `.webp`; other spellings are other types (8.2). */
export function extensionOf(mimeType: BlobMimeType): string {
  return extensions[mimeType];
}

/** From the last dot of the last name on, the dot included; empty where there is none. */
export function pathExtension(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const dot = name.lastIndexOf('.');
  return dot < 0 ? '' : name.slice(dot);
}

/** Whether the text, without the space around it, is the name of one file or folder (8.2). No file may have a NUL in its name. */
export function isSafeSegment(text: string): boolean {
  const name = trim(text);
  return name !== '' && name !== '.' && name !== '..' && !/[/\\\0]/.test(name);
}

/** Whether the text is the path of a generated image in its only form (8.2). */
export function isGeneratedImagePath(text: string): boolean {
  const path = trim(text);
  return path.startsWith(generatedImagesFolder) && !/[\\\0]/.test(path) && path.split('/').every((name) => name !== '' && name !== '.' && name !== '..');
}

/** Kind, session and place of a blob as one text; `null` where one of them could not be read. */
export function targetKey({ kind, agentSessionId, attachmentId, relativePath }: BlobFacts): string | null {
  const place = attachmentId ?? relativePath;
  return kind === null || agentSessionId === null || place === null ? null : JSON.stringify([kind, agentSessionId, place]);
}

const generatedImagesFolder = 'generated_images/';
export const attachmentKind = 'agent-prompt-attachment';
export const imageKind = 'agent-generated-image';
