/** Which files a cassette holds, in which role and size; `cassette-policy.json` is the one source (cassette-contract 2). */

import document from './cassette-policy.json' with { type: 'json' };

export type PolicyKey = keyof typeof document.files;
export type PolicyFile = { path: string; role: string; required: boolean; inventory?: boolean };
export type CassettePolicy = {
  schemaVersion: number;
  blobManifestSchemaVersion: number;
  limits: { [name in keyof typeof document.limits]: number };
  files: { [key in PolicyKey]: PolicyFile };
};
export type AllowedFile = { role: string; required: boolean };

export const cassettePolicy: CassettePolicy = document;

/** The files an inventory may list, with what the blob manifest adds (2.3); everything else is refused. */
export function allowedFiles(blobDigests: Iterable<string>): Map<string, AllowedFile> {
  const files: PolicyFile[] = Object.values(cassettePolicy.files);
  const listed = files.filter((file) => file.inventory !== false).map(({ path, role, required }): [string, AllowedFile] => [path, { role, required }]);
  return new Map([...listed, ...[...blobDigests].map((digest): [string, AllowedFile] => [blobPathOf(digest), { role: blobRole, required: false }])]);
}

/** Where the content with this digest stands in a cassette (2.3); always in lower case. */
export function blobPathOf(digest: string): string {
  return `${blobFolder}${digest.toLowerCase()}`;
}

/** The digest in the name of a blob file, or `null` for any other path. */
export function blobDigestOf(path: string): string | null {
  const digest = path.startsWith(blobFolder) ? path.slice(blobFolder.length) : '';
  return lowerDigest.test(digest) ? digest : null;
}

/** Hex of a SHA-256 in lower case, whatever the letters and the space around it were; `null` where it is none (1.3, 8.2). */
export function digestOf(trimmed: string): string | null {
  const lower = trimmed.toLowerCase();
  return lowerDigest.test(lower) ? lower : null;
}

export const blobRole = 'referenced-blob';
export const finderFileName = '.DS_Store';
export const recordingFolder = '.recording';
const blobFolder = 'blobs/sha256/';
const lowerDigest = /^[0-9a-f]{64}$/;
