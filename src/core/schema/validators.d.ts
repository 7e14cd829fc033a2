// Written by `node scripts/schemas.mjs` from scripts/schemas with ajv; not to be changed by hand.

import type { Json } from '../json/exact.ts';

export type Wanted = 'object' | 'list' | 'text' | 'flag' | 'u64' | 'i64';
export type Context = { wrong: (pointer: string, found: Json, wanted: Wanted) => void };
export function cassette(this: Context, document: Json): boolean;
export function activityEvent(this: Context, document: Json): boolean;
export function plan(this: Context, document: Json): boolean;
export function journalEntry(this: Context, document: Json): boolean;
export function blobManifest(this: Context, document: Json): boolean;
export function state(this: Context, document: Json): boolean;
