/**
 * Projection of a byte stream line by line, without moving unchanged bytes between chunks: an unchanged line keeps its byte
 * ranges, a changed line stands wholly in the chunk with its last byte (replay-runtime 1.5). A chunk is released as soon as
 * every line that touches it is complete, so a flood without an end of line at the end of a read needs no memory.
 */

export type ProjectLine = (line: Buffer) => Buffer;

type Held<T> = { chunk: T; bytes: Buffer; out: Buffer[] };

export class StreamProjector<T> {
  readonly #projectLine: ProjectLine;
  #held: Held<T>[] = [];

  constructor(projectLine: ProjectLine) {
    this.#projectLine = projectLine;
  }

  /** Takes one chunk; gives the chunks that are final now, in order. */
  push(chunk: T, bytes: Buffer): { chunk: T; bytes: Buffer }[] {
    this.#held.push({ chunk, bytes, out: [] });
    const end = bytes.lastIndexOf(10) + 1;
    if (end === 0) return [];
    const last = this.#held.at(-1) as Held<T>;
    const rest = bytes.subarray(end);
    this.#projectHeld(Buffer.concat([...this.#held.slice(0, -1).map((held) => held.bytes), bytes.subarray(0, end)]));
    const done = rest.length > 0 ? this.#held.slice(0, -1) : this.#held;
    this.#held = rest.length > 0 ? [{ chunk: last.chunk, bytes: rest, out: last.out }] : [];
    return done.map(release);
  }

  /** The end of the stream: an unfinished tail counts as a line. */
  flush(): { chunk: T; bytes: Buffer }[] {
    this.#projectHeld(Buffer.concat(this.#held.map((held) => held.bytes)));
    const done = this.#held;
    this.#held = [];
    return done.map(release);
  }

  #projectHeld(text: Buffer): void {
    let start = 0;
    while (start < text.length) {
      const newline = text.indexOf(10, start);
      const end = newline < 0 ? text.length : newline + 1;
      const line = text.subarray(start, end);
      const projected = this.#projectLine(line);
      if (projected === line || projected.equals(line)) this.#keep(text, start, end);
      else this.#heldAt(end - 1).out.push(projected);
      start = end;
    }
  }

  #keep(text: Buffer, start: number, end: number): void {
    let at = 0;
    for (const held of this.#held) {
      const from = Math.max(start, at);
      const to = Math.min(end, at + held.bytes.length);
      if (from < to) held.out.push(text.subarray(from, to));
      at += held.bytes.length;
    }
  }

  #heldAt(offset: number): Held<T> {
    let at = 0;
    for (const held of this.#held) {
      at += held.bytes.length;
      if (offset < at) return held;
    }
    return this.#held.at(-1) as Held<T>;
  }
}

function release<T>(held: Held<T>): { chunk: T; bytes: Buffer } {
  return { chunk: held.chunk, bytes: held.out.length === 1 ? (held.out[0] as Buffer) : Buffer.concat(held.out) };
}
