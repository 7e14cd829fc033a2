/**
 * What a reader takes of a document: its types alone. Nothing is required, null counts as absent, unknown members may stand
 * (cassette-contract 0.1 J1, J4, J5, J6). The rest of a published schema is for writers; readers have checks of their own.
 */

import { createRequire } from 'node:module';
import type { KeywordCxt } from 'ajv';
import { isOurs, range, type Range } from './members.ts';

type Shape = 'object' | 'list' | 'text' | 'flag' | Range;
type Node = { [key: string | symbol]: unknown; properties?: { [name: string]: Node }; definitions?: { [name: string]: Node }; anyOf?: Node[]; items?: Node };
export type ReaderSchema = { shape?: Shape; properties?: { [name: string]: ReaderSchema }; definitions?: { [name: string]: ReaderSchema }; items?: ReaderSchema; $ref?: string };

/** The reader's variant of a published schema. */
export function readerOf(schema: object): ReaderSchema {
  const node = schema as Node;
  if (typeof node.$ref === 'string') return { $ref: node.$ref };
  const [first, second] = node.anyOf ?? [];
  if (first && second?.type === 'null') return readerOf(first);
  if (node.type === 'array') return { shape: 'list', items: readerOf(node.items ?? {}) };
  if (node.type === 'string') return { shape: 'text' };
  if (node.type === 'boolean') return { shape: 'flag' };
  if (node.type === 'integer') return { shape: node[range] as Range };
  if (node.type !== 'object' || node.additionalProperties) throw new Error(`Cannot write a reader: no rule for ${JSON.stringify(node)}`);
  return {
    shape: 'object',
    ...(node.properties && { properties: readersOf(node.properties) }),
    ...(node.definitions && { definitions: readersOf(node.definitions) }),
  };
}

function readersOf(members: { [name: string]: Node }): { [name: string]: ReaderSchema } {
  return Object.fromEntries(Object.entries(members).filter(([, member]) => !member[isOurs]).map(([name, member]) => [name, readerOf(member)]));
}

/** The module that validates: written by ajv, with one keyword that tells types apart and reports instead of collecting. */
export function validatorsModule(readers: { [name: string]: ReaderSchema }): string {
  const ajv = new Ajv({ allErrors: true, passContext: true, strict: false, validateSchema: false, inlineRefs: false, messages: false, code: { source: true, esm: true, lines: true } });
  ajv.addKeyword({ keyword: 'shape', schemaType: 'string', code: writeCheck });
  const ids = Object.entries(readers).map(([name, reader]) => {
    ajv.addSchema(reader, name);
    return [name, name] as const;
  });
  const written = standaloneCode(ajv, Object.fromEntries(ids)).replace('"use strict";', '').replace(/^const schema\d+ = .*;$/gm, '').replace(/\n{2,}/g, '\n').trim();
  return `${header}${helpers}${written}\n`;
}

/** Its declarations. */
export function validatorsDeclarations(names: readonly string[]): string {
  const wanted = Object.keys(checks).map((shape) => `'${shape}'`).join(' | ');
  return [
    header,
    "import type { Json } from '../json/exact.ts';\n",
    `export type Wanted = ${wanted};`,
    'export type Context = { wrong: (pointer: string, found: Json, wanted: Wanted) => void };',
    ...names.map((name) => `export function ${name}(this: Context, document: Json): boolean;`),
    '',
  ].join('\n');
}

// `this` is what the caller gave: no list of errors grows with a file of wrong values.
function writeCheck({ gen, data, schema, it }: KeywordCxt): void {
  const place = strConcat(new Name('instancePath'), it.errorPath);
  gen.if(_`!${new Name(checks[schema as Shape])}(${data})`, () => gen.code(_`this.wrong(${place}, ${data}, ${schema})`));
}

// Note: ajv is CommonJS, and Node sees no named exports in it.
const require = createRequire(import.meta.url);
const { Ajv, _, Name } = require('ajv') as typeof import('ajv');
const { strConcat } = require('ajv/dist/compile/codegen/code.js') as typeof import('ajv/dist/compile/codegen/code.js');
const standaloneCode = (require('ajv/dist/standalone/index.js') as typeof import('ajv/dist/standalone/index.js')).default;

const checks: { [shape in Shape]: string } = { object: 'isObject', list: 'isList', text: 'isText', flag: 'isFlag', u64: 'isU64', i64: 'isI64' };

const header = '// Written by `node scripts/schemas.mjs` from scripts/schemas with ajv; not to be changed by hand.\n';
const helpers = `
// A number that a float would change arrives as raw JSON (src/core/json/exact.ts); it is an object to typeof.
const isAbsent = (value) => value === null || value === undefined;
const isObject = (value) => isAbsent(value) || (typeof value === 'object' && !Array.isArray(value) && !JSON.isRawJSON(value));
const isList = (value) => isAbsent(value) || Array.isArray(value);
const isText = (value) => isAbsent(value) || typeof value === 'string';
const isFlag = (value) => isAbsent(value) || typeof value === 'boolean';
const isWhole = (value, digits) => typeof value === 'object' && JSON.isRawJSON(value) && value.rawJSON.length <= 20 && digits.test(value.rawJSON);
const isU64 = (value) => isAbsent(value) || (typeof value === 'number' ? Number.isInteger(value) && value >= 0 && value < 2 ** 64 : isWhole(value, /^\\d+$/) && BigInt(value.rawJSON) < 2n ** 64n);
const isI64 = (value) => isAbsent(value) || (typeof value === 'number' ? Number.isInteger(value) && value >= -(2 ** 63) && value < 2 ** 63 : isWhole(value, /^-?\\d+$/) && BigInt.asIntN(64, BigInt(value.rawJSON)) === BigInt(value.rawJSON));

`;
