/** JSON whose numbers keep their source text, so that `1.0`, `1e3` and 2^63 survive and compare as written (replay-runtime 2.5). */

// An interface, so that it is not taken for an object with members.
export interface RawNumber {
  readonly rawJSON: string;
}
export type Json = null | boolean | number | string | RawNumber | Json[] | JsonObject;
export type JsonObject = { [key: string]: Json };

type SourceReviver = (this: unknown, key: string, value: unknown, context: { source?: string }) => unknown;
const withSource = JSON as unknown as {
  parse(text: string, reviver: SourceReviver): unknown;
  rawJSON(text: string): RawNumber;
  isRawJSON(value: unknown): value is RawNumber;
};

/** Parses one JSON text, or gives `undefined` where it is none. */
export function parseJson(text: string): Json | undefined {
  try {
    const value = JSON.parse(text) as Json;
    return hasUnusualNumber.test(text) ? (withSource.parse(text, keepSource) as Json) : value;
  } catch {
    return undefined;
  }
}

/** Parses JSON values that follow one another, with or without white space between; `undefined` where a part is no JSON. */
export function parseJsonSequence(text: string): Json[] | undefined {
  const whole = parseJson(text);
  if (whole !== undefined) return [whole];
  const values: Json[] = [];
  for (const part of splitValues(text)) {
    const value = parseJson(part);
    if (value === undefined) return undefined;
    values.push(value);
  }
  return values.length > 0 ? values : undefined;
}

export function writeJson(value: Json): string {
  return JSON.stringify(value);
}

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !withSource.isRawJSON(value);
}

export function isRawNumber(value: Json | undefined): value is RawNumber {
  return typeof value === 'object' && withSource.isRawJSON(value);
}

/** The member of an object, or `undefined` for anything else. Own members only, so `__proto__` is an ordinary name. */
export function member(value: Json | undefined, key: string): Json | undefined {
  return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

/** Sets a member as an own property whatever its name is. */
export function setMember(target: JsonObject, key: string, value: Json): void {
  if (key === '__proto__') Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
  else target[key] = value;
}

function keepSource(this: unknown, _key: string, value: unknown, context: { source?: string }): unknown {
  const source = context.source;
  return typeof value === 'number' && source !== undefined && String(value) !== source ? withSource.rawJSON(source) : value;
}

// A number that may not survive a float: a fraction, an exponent, a negative zero or sixteen digits and more.
const hasUnusualNumber = /\d[.eE]|\d{16}|-0/;

function* splitValues(text: string): Generator<string> {
  let depth = 0;
  let inString = false;
  let start = -1;
  for (let i = 0; i < text.length; i++) {
    const c = text[i] as string;
    if (inString) {
      if (c === '\\') i++;
      else if (c === '"') inString = false;
    } else if (c === '"') {
      inString = true;
      if (start < 0) start = i;
    } else if (c === '{' || c === '[') {
      if (start < 0) start = i;
      depth++;
    } else if (c === '}' || c === ']') depth--;
    else if (/\s/.test(c)) {
      if (depth === 0 && start >= 0) {
        yield text.slice(start, i);
        start = -1;
      }
      continue;
    } else if (start < 0) start = i;
    if (depth === 0 && !inString && (c === '}' || c === ']') && start >= 0) {
      yield text.slice(start, i + 1);
      start = -1;
    }
  }
  if (start >= 0) yield text.slice(start);
}
