/** Images of a prompt are stored inside the event: their files belong to the recording machine (cassette-contract 3.10). */

import { isObject, setMember, type Json, type JsonObject } from '../json/exact.ts';
import { isBlank, textAt, trim } from '../json/read.ts';
import { restBelow } from './path-places.ts';

export type PromptAssets = {
  folder: string;
  /** A path with its symlinks resolved. */
  resolvePath(path: string): string;
  /** The bytes of a regular file, or null where there is none or it is larger than `bytesMax`. */
  read(path: string, bytesMax: number): { toString(encoding: 'base64'): string } | null;
};

export type AssetRefusal = { path: string; is: string; needed: string };

/** The payload with its images inlined, or the first image that cannot be taken in; the event is then not accepted (3.10). */
export function inlineAssets(payload: JsonObject, assets: PromptAssets): { payload: JsonObject } | { refusal: AssetRefusal } {
  const copy: JsonObject = {};
  for (const key of Object.keys(payload)) {
    const value = payload[key] as Json;
    const blocks = contentMembers.has(key) && Array.isArray(value) ? value.map((block) => inlineBlock(block, assets)) : null;
    const refused = blocks?.indexOf(null) ?? -1;
    if (refused >= 0) return { refusal: refusalAt(`$.payload.${key}[${refused}].path`) };
    setMember(copy, key, blocks ? blocks.map((block) => block?.value ?? null) : value);
  }
  return { payload: copy };
}

function inlineBlock(block: Json, assets: PromptAssets): { value: Json } | null {
  const path = textAt(block, 'path');
  if (!isObject(block) || textAt(block, 'type') !== 'image' || path === undefined || isBlank(path)) return { value: block };
  const resolved = assets.resolvePath(trim(path));
  // Only below the folder, symlinks resolved on both sides: else a prompt could carry any file of the machine into a cassette.
  const bytes = restBelow(resolved, assets.resolvePath(assets.folder)) ? assets.read(resolved, assetBytesMax) : null;
  if (bytes === null) return null;
  const inlined: JsonObject = {};
  for (const key of Object.keys(block)) if (key !== 'path' && key !== 'data') setMember(inlined, key, block[key] as Json);
  inlined.data = bytes.toString('base64');
  return { value: inlined };
}

function refusalAt(path: string): AssetRefusal {
  return { path, is: 'it is no prompt asset of this product that can be read', needed: `a regular file among the prompt assets, of at most ${assetBytesMax} bytes, was needed` };
}

const contentMembers = new Set(['content', 'runtimeContent', 'initialContent']);
const assetBytesMax = 20_971_520;
