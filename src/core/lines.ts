/** Splits a byte stream into lines whatever the reads were; bytes are kept, never decoded in halves. */
export class LineSplitter {
  #parts: Buffer[] = [];
  #partBytes = 0;

  /** Complete lines, newline included. */
  push(read: Buffer): Buffer[] {
    const lines: Buffer[] = [];
    let start = 0;
    for (let at = read.indexOf(10); at >= 0; at = read.indexOf(10, start)) {
      const piece = read.subarray(start, at + 1);
      lines.push(this.#parts.length > 0 ? Buffer.concat([...this.#parts, piece]) : piece);
      this.#parts = [];
      this.#partBytes = 0;
      start = at + 1;
    }
    if (start < read.length) {
      this.#parts.push(read.subarray(start));
      this.#partBytes += read.length - start;
    }
    return lines;
  }

  /** The unfinished line. */
  take(): Buffer {
    const rest = Buffer.concat(this.#parts);
    this.#parts = [];
    this.#partBytes = 0;
    return rest;
  }

  get pendingBytes(): number {
    return this.#partBytes;
  }
}

/** The messages of one send: its lines, blank ones left out; a last line without an end counts (design ruling 1). */
export function messagesOf(send: Buffer): Buffer[] {
  const lines = new LineSplitter();
  return [...lines.push(send), lines.take()].filter((line) => !isBlank(line));
}

/** Whether a line carries no message. */
export function isBlank(line: Buffer): boolean {
  return line.toString().trim() === '';
}
