/** Recorded inbound bytes as the live product must see them (replay-runtime 2.6, step 4). */

import { parseJson, writeJson, type Json } from '../core/json/exact.ts';
import { replaceTokensInText } from '../core/projection/roots.ts';
import type { Root } from '../core/projection/rules.ts';
import type { MatchState } from '../core/provider/adapter.ts';
import { endsInChangingLine, holdsChangingLine, type Lane } from '../core/tape/lane.ts';
import { LaneReader } from './lane-reader.ts';

export class InboundResolver {
  readonly #folder: string;
  readonly #answered: Set<string>;
  #lane: Lane;
  #reader: LaneReader;
  #roots: readonly Root[];
  /** Id on the lane bound now → id that the live product knows. */
  #toLive: ReadonlyMap<string, string> = new Map();
  /** The beginning of a line that may have to be rewritten. */
  #held: Buffer[] = [];
  #suppressed = new Set<string>();

  constructor(options: { lane: Lane; folder: string; roots: readonly Root[]; answered: readonly string[] }) {
    this.#folder = options.folder;
    this.#lane = options.lane;
    this.#reader = new LaneReader(options);
    this.#roots = options.roots;
    this.#answered = new Set(options.answered);
  }

  /** Goes on with another lane. */
  bind(options: { lane: Lane; roots: readonly Root[]; toLive: ReadonlyMap<string, string> }): void {
    this.#reader.close();
    this.#reader = new LaneReader({ lane: options.lane, folder: this.#folder });
    this.#lane = options.lane;
    this.#roots = options.roots;
    this.#toLive = options.toLive;
    this.#held = [];
    this.#suppressed.clear();
  }

  /** The recorded answer to a request that was not sent live stays away, once. */
  suppressAnswer(id: Json): void {
    this.#suppressed.add(writeJson(id));
  }

  close(): void {
    this.#reader.close();
  }

  /** One chunk; most pass as they are: only lines with a token, a response id or a generated identity are read (stand-in b17). */
  read(chunkIndex: number, state: MatchState): Buffer {
    const data = this.#reader.read(chunkIndex);
    const { flags, kind } = this.#lane.chunks[chunkIndex]!;
    if (kind === 'stderr' || !this.#lane.speaksProtocol) return (flags & holdsChangingLine) === 0 ? data : Buffer.from(replaceTokensInText(data.toString(), this.#roots));
    if (flags === 0 && this.#toLive.size === 0) return data;
    const text = Buffer.concat([...this.#held, data]);
    this.#held = [];
    const out: Buffer[] = [];
    let start = 0;
    for (let at = text.indexOf(10); at >= 0; at = text.indexOf(10, start)) {
      out.push(this.#resolveLine(text.subarray(start, at + 1), state));
      start = at + 1;
    }
    const rest = text.subarray(start);
    if ((flags & endsInChangingLine) !== 0 || this.#toLive.size > 0) this.#held = rest.length > 0 ? [Buffer.from(rest)] : [];
    else out.push(rest);
    return Buffer.concat(out);
  }

  #resolveLine(line: Buffer, state: MatchState): Buffer {
    const text = line.toString();
    const { adapter } = this.#lane;
    if (!adapter.mayChange(text) && this.#toLive.size === 0) return line;
    const message = parseJson(text);
    if (message === undefined) return line;
    const shape = adapter.shapeOf(message);
    if (shape.type === 'response' && this.#suppressed.delete(writeJson(shape.id))) return Buffer.alloc(0);
    const resolved = translate(adapter.resolve({ message, roots: this.#roots, state }), this.#toLive);
    const live = adapter.shapeOf(resolved);
    if (live.type === 'response' && this.#answered.delete(writeJson(live.id))) return Buffer.alloc(0);
    return resolved === message ? line : Buffer.from(`${writeJson(resolved)}\n`);
  }
}

/** Ids exchanged wherever a string equals one; nothing else is touched. */
export function translate(value: Json, ids: ReadonlyMap<string, string>): Json {
  if (ids.size === 0) return value;
  if (typeof value === 'string') return ids.get(value) ?? value;
  if (Array.isArray(value)) return value.map((item) => translate(item, ids));
  if (typeof value !== 'object' || value === null || 'rawJSON' in value) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, translate(item, ids)]));
}
