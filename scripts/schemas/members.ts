/** The words from which every document is built: what a writer must write, and in a symbol what a reader tells apart. */

import { Type, type TProperties, type TSchema } from '@sinclair/typebox';

/** How a reader understands a number; JSON Schema alone cannot say it. */
export const range = Symbol('range');
/** A member of ours that other checks judge whole: a reader of the contract does not know it. */
export const isOurs = Symbol('isOurs');

export type Range = 'u64' | 'i64';
type About = { [key: string | symbol]: unknown };

export const text = (description: string, about: About = {}) => Type.String({ description, ...about });
export const filled = (description: string, about: About = {}) => text(description, { pattern: '\\S', ...about });
export const choice = (description: string, values: readonly string[]) => Type.Unsafe<string>({ description, type: 'string', enum: [...values] });
export const flag = (description: string) => Type.Boolean({ description });
export const sha256 = (description: string) => text(description, { pattern: '^[0-9a-f]{64}$' });
export const fingerprint = (description: string) => text(description, { pattern: '^sha256:[0-9a-f]{64}$' });

/** From 0 to 2^64-1. The upper end is no float, so the description has to name it. */
export const u64 = (description: string, about: About = {}) => Type.Integer({ description, minimum: 0, [range]: 'u64', ...about });
/** From -2^63 to 2^63-1. */
export const i64 = (description: string, about: About = {}) => Type.Integer({ description, [range]: 'i64', ...about });
export const version = (value: number, of: string) => i64(`Schema version of ${of}.`, { const: value });

/** An object that the contract does not look into. */
export const free = (description: string, about: About = {}) => Type.Unsafe<object>({ description, type: 'object', ...about });
/** Members that nobody reads are kept, so they may stand. */
export const object = (description: string, members: TProperties, about: About = {}) => Type.Object(members, { description, ...about });
export const list = (description: string, items: TSchema, about: About = {}) => Type.Array(items, { description, ...about });
export const shared = (name: string) => Type.Ref(`#/definitions/${name}`);
export const optional = Type.Optional;

/** Null where nothing is to be said; such a member may as well be absent. */
export function nullable({ description, ...schema }: TSchema): TSchema {
  return Type.Union([schema, Type.Null()], { ...(typeof description === 'string' && { description }) });
}
export const maybe = (schema: TSchema) => optional(nullable(schema));

/** The rule that a member with one of these values brings for its neighbours. */
export function when(member: string, values: readonly string[], consequence: About): About {
  return implies({ properties: { [member]: { enum: [...values] } }, required: [member] }, consequence);
}

export function implies(condition: About, consequence: About): About {
  // oxlint-disable-next-line unicorn/no-thenable -- It is a word of JSON Schema, and nobody awaits it.
  return { if: condition, then: consequence };
}

export const refused = (...names: string[]): About => ({ not: { anyOf: names.map((name) => ({ required: [name] })) } });

/** A whole file or line: what `$schema` of a document names. */
export function document(name: string, title: string, description: string, members: TProperties, about: About = {}): TSchema {
  return Type.Object(members, { $schema: 'http://json-schema.org/draft-07/schema#', $id: `${name}.schema.json`, title, description, ...about });
}
