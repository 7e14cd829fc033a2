/** What a product sees of its provider, the same over every transport: lines, a log, an end. */

import { Change } from '../../../src/core/signal.ts';

export type Product = {
  say: (message: object) => void;
  /** Bytes as they are, for messages that are cut or joined. */
  write: (text: string) => void;
  /** The next message. */
  hear: () => Promise<unknown>;
  hearLog: () => Promise<string>;
  closeInput: () => void;
  terminate: () => void;
  exit: Promise<number>;
  /** Messages that nobody has heard yet. */
  unheard: () => unknown[];
};

/** Lines that come in pieces and are taken one by one. */
export class Inbox {
  #text = '';
  readonly #lines: string[] = [];
  readonly #change = new Change();

  push(text: string): void {
    const lines = (this.#text + text).split('\n');
    this.#text = lines.pop() ?? '';
    this.#lines.push(...lines);
    this.#change.announce();
  }

  async next(): Promise<string> {
    while (this.#lines.length === 0) await this.#change.next();
    return this.#lines.shift() ?? '';
  }

  rest(): string[] {
    return [...this.#lines];
  }
}
