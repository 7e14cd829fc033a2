/** Projection of one message: the portable copy that is stored, and the same again at replay (design ruling 12). */

import { isObject, isRawNumber, member, setMember, type Json, type JsonObject } from '../json/exact.ts';
import { fromToken, toToken } from './roots.ts';
import { accountPlaceholder, type ProjectionRules, type Root } from './rules.ts';

/** The projected message; the same object where nothing changed. */
export function projectMessage(message: Json, rules: ProjectionRules, roots: readonly Root[]): Json {
  return mapPaths(projectHostFacts(projectRequestField(message, rules), rules), rules, (value) => toToken(value, roots));
}

/** Tokens back to live folders, in path members and in member names. */
export function resolveMessage(message: Json, rules: ProjectionRules, live: readonly Root[]): Json {
  return mapPaths(message, rules, (value) => fromToken(value, live));
}

/** Only `result.account.email`, and only where it is a name: the answer to the provider's account read (replay-runtime 1.5). */
export function projectAccount(message: Json): Json {
  const result = member(message, 'result');
  const account = member(result, 'account');
  const email = member(account, 'email');
  if (!isObject(message) || !isObject(result) || !isObject(account)) return message;
  if (typeof email !== 'string' || email.trim() === '') return message;
  return { ...message, result: { ...result, account: { ...account, email: accountPlaceholder } } };
}

function projectRequestField(message: Json, rules: ProjectionRules): Json {
  const field = rules.generatedRequestField;
  const params = member(message, 'params');
  if (!field || !isObject(message) || !isObject(params) || member(message, 'method') !== field.method) return message;
  const value = params[field.parameter];
  if (typeof value !== 'string' || !value.startsWith(field.prefix) || value === field.portable) return message;
  return { ...message, params: { ...params, [field.parameter]: field.portable } };
}

function projectHostFacts(message: Json, rules: ProjectionRules): Json {
  const method = member(message, 'method');
  return rules.hostFacts.reduce((current, fact) => (fact.method === method ? replaceAt(current, fact.path, fact.value) : current), message);
}

function replaceAt(value: Json, path: readonly string[], replacement: string): Json {
  const [key, ...rest] = path;
  if (key === undefined) return typeof value === 'string' && value !== '' ? replacement : value;
  if (!isObject(value) || !Object.hasOwn(value, key)) return value;
  const before = value[key] as Json;
  const after = replaceAt(before, rest, replacement);
  return after === before ? value : { ...value, [key]: after };
}

function mapPaths(value: Json, rules: ProjectionRules, map: (text: string) => string): Json {
  if (Array.isArray(value)) return mapItems(value, (item) => mapPaths(item, rules, map));
  if (!isObject(value) || isRawNumber(value)) return value;
  let changed = false;
  const copy: JsonObject = {};
  for (const key of Object.keys(value)) {
    const before = value[key] as Json;
    const after = rules.pathFields.has(key.trim().toLowerCase()) ? mapPathValue(before, rules, map) : mapPaths(before, rules, map);
    const name = looksLikePath(key) ? map(key) : key;
    if (after !== before || name !== key) changed = true;
    setMember(copy, name, after);
  }
  return changed ? copy : value;
}

function mapPathValue(value: Json, rules: ProjectionRules, map: (text: string) => string): Json {
  if (typeof value === 'string') return map(value);
  if (Array.isArray(value)) return mapItems(value, (item) => mapPathValue(item, rules, map));
  return mapPaths(value, rules, map);
}

function mapItems(items: Json[], map: (item: Json) => Json): Json[] {
  const mapped = items.map(map);
  return mapped.some((item, i) => item !== items[i]) ? mapped : items;
}

function looksLikePath(key: string): boolean {
  return key.startsWith('/') || key.startsWith('${') || key.startsWith('file://') || /^[A-Za-z]:[\\/]/.test(key);
}
