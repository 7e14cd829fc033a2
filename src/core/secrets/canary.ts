/** Facts of the recording machine that are looked for word by word: values of variables, of auth files, user and host name. */

import { isTelling } from '../projection/audit.ts';
import type { Sifted } from './sieve.ts';

/** `name` says where the value is from and is shown; the value never is. */
export type Canary = { name: string; value: string };

/** One way in which a canary can stand in sifted text. `isWord`: short ones count as whole words only. */
export type CanaryForm = { name: string; bytes: Buffer; isWord: boolean };

/** Short or common values would be found in every text, so they are not looked for. */
export function isSearchedCanary(value: string): boolean {
  const bare = value.trim();
  return isTelling(bare) && !(bare.length < 6 && /^[\d.]+$/.test(bare)) && !commonValues.has(bare.toLowerCase());
}

/** `sift` writes a value as it would stand in a text, without escapes and line ends. */
export function formsOf(canaries: readonly Canary[], sift: (bytes: Uint8Array) => Sifted): CanaryForm[] {
  return canaries.flatMap(({ name, value }) => {
    if (!isSearchedCanary(value)) return [];
    const bytes = Buffer.from(value.trim()).subarray(0, canaryBytesMax);
    const sifted = sift(bytes);
    const shown = { name: value.includes(name) || name.includes(value.trim()) ? 'a secret of the recording machine' : name };
    const plain: CanaryForm = { ...shown, bytes: Buffer.from(sifted.out.subarray(0, sifted.length)), isWord: bytes.length < wordBytesMax };
    if (plain.bytes.length < canaryBytesMin) return [];
    return [plain, ...base64Of(bytes).map((text) => ({ ...shown, bytes: Buffer.from(text), isWord: false }))];
  });
}

/** A short value in base64 is too short a run to be decoded: its three positions in a longer text, in both alphabets. */
function base64Of(bytes: Buffer): string[] {
  if (bytes.length < 6 || bytes.length > decodedBytesMin) return [];
  const texts = [0, 1, 2].map((lead) => {
    const text = Buffer.concat([Buffer.alloc(lead), bytes]).toString('base64').replace(/=+$/, '');
    // Characters that also hold bits of a neighbour are left out.
    const last = (lead + bytes.length) % 3 === 0 ? text.length : text.length - 1;
    return text.slice([0, 2, 3][lead], last);
  });
  return [...new Set([...texts, ...texts.map((text) => text.replace(/\+/g, '-').replace(/\//g, '_'))])];
}

const canaryBytesMin = 3;
const canaryBytesMax = 512;
const wordBytesMax = 8;
/** So many readable bytes in base64 are decoded anyway. */
const decodedBytesMin = 20;
const commonValues = new Set(
  'true false null none yes no on off test tests testing dummy fake example sample password passwd secret token default guest ubuntu debian docker vagrant build ci dev work home main master app web api server local desktop laptop computer max min new name unknown undefined anonymous nobody system public private local'.split(' '),
);
