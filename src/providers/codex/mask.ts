/** What two recordings of one scenario may differ in (stand-in d): ids that were minted, times, process ids, delta cuts. */

import { isObject, member, setMember, writeJson, type Json, type JsonObject } from '../../core/json/exact.ts';
import { isNamed } from '../../core/projection/rules.ts';
import { codexRules } from './rules.ts';

/** The message without volatile values; minted ids become one placeholder each, so equal shapes compare equal. */
export function maskCodex(message: Json): Json {
  return mask(message, [], isUserMessage(message));
}

/** Minted ids in the order of their places; equal places of two masked-equal messages name the same thing. */
export function generatedIdsOfCodex(message: Json): string[] {
  const found: string[] = [];
  collect(message, [], isUserMessage(message), found);
  return found;
}

export function deltaOfCodex(message: Json): { item: string; text: string } | null {
  const method = member(message, 'method');
  if (typeof method !== 'string' || !/([dD]elta)$/.test(method)) return null;
  const params = member(message, 'params');
  const text = member(params, 'delta');
  const item = member(params, 'itemId') ?? null;
  return { item: `${method} ${typeof item === 'string' ? item : writeJson(item)}`, text: typeof text === 'string' ? text : '' };
}

function mask(value: Json, path: string[], isUser: boolean): Json {
  if (Array.isArray(value)) return value.map((item) => mask(item, path, isUser));
  if (!isObject(value)) return value;
  const copy: JsonObject = {};
  for (const key of Object.keys(value)) {
    const item = value[key] as Json;
    const here = [...path, key];
    if (typeof item === 'string' && isMinted(item, here, isUser)) setMember(copy, key, '<id>');
    else if (isVolatile(here)) setMember(copy, key, item === null ? null : '<volatile>');
    else setMember(copy, key, mask(item, here, isUser));
  }
  return copy;
}

function collect(value: Json, path: string[], isUser: boolean, found: string[]): void {
  if (Array.isArray(value)) return value.forEach((item) => collect(item, path, isUser, found));
  if (!isObject(value)) return;
  for (const key of Object.keys(value).sort()) {
    const item = value[key] as Json;
    const here = [...path, key];
    if (typeof item === 'string' && isMinted(item, here, isUser)) found.push(item);
    else if (!isVolatile(here)) collect(item, here, isUser, found);
  }
}

// A client mints an id for each prompt too; what stands for an operation instead is the same in every recording.
function isMinted(id: string, path: readonly string[], isUser: boolean): boolean {
  const key = path.at(-1) as string;
  if (isNamed(codexRules.generatedIdentityFields, key)) return codexRules.generatedRequestField === null || !id.startsWith(codexRules.generatedRequestField.prefix);
  return isId(path, isUser) || (isUser && key === 'clientId' && path.at(-2) === 'item');
}

function isId(path: readonly string[], isUser: boolean): boolean {
  const key = path.at(-1) as string;
  const parent = path.at(-2);
  if (key === 'threadId' || key === 'turnId' || key === 'sessionId' || key === 'rootTurnId' || key === 'expectedTurnId') return true;
  if (key === 'id' && (parent === 'thread' || parent === 'turn' || parent === 'data')) return true;
  return key === 'id' && parent === 'item' && isUser;
}

function isVolatile(path: readonly string[]): boolean {
  const key = path.at(-1) as string;
  return volatileFields.has(key) || (key === 'path' && (path.at(-2) === 'thread' || path.at(-2) === 'data'));
}

function isUserMessage(message: Json): boolean {
  return member(member(member(message, 'params'), 'item'), 'type') === 'userMessage';
}

const volatileFields = new Set([
  'emittedAtMs', 'startedAtMs', 'completedAtMs', 'startedAt', 'completedAt', 'createdAt', 'updatedAt', 'recencyAt',
  'durationMs', 'processId', 'revision',
]);
