/**
 * Finds the ends of JSON values in a stream of bytes, whatever the reads were (cassette-contract 5.7 A3). It knows the whole
 * grammar, so that a broken value is found where it breaks and not at the end of everything behind it.
 */

import type { Buffer } from 'node:buffer';
import { limits } from '../limits.ts';

export type Scanned = { kind: 'end'; at: number } | { kind: 'more' } | { kind: 'invalid'; at: number } | { kind: 'too_deep'; at: number };

type State =
  | 'value' | 'first_item' | 'first_key' | 'key' | 'colon' | 'after'
  | 'string' | 'escape' | 'hex' | 'word' | 'minus' | 'zero' | 'integer' | 'point' | 'fraction' | 'exponent' | 'exponent_sign' | 'exponent_digits';

export class ValueScanner {
  #state: State = 'value';
  /** The closing brackets that are still to come. */
  #closers: number[] = [];
  #isKey = false;
  /** What is left of a word or of the digits of an escape. */
  #rest = '';
  #hexLeft = 0;

  /** Between two values. */
  get isIdle(): boolean {
    return this.#state === 'value' && this.#closers.length === 0;
  }

  /** Goes on to the end of the value; `at` is the first byte behind it. White space before it is passed over. */
  feed(bytes: Buffer, from: number, to: number): Scanned {
    for (let at = from; at < to; at++) {
      const c = bytes[at] as number;
      const step = this.#step(c);
      if (step === 'go') continue;
      if (step === 'invalid' || step === 'too_deep') return { kind: step, at };
      this.#reset();
      return { kind: 'end', at: step === 'end_before' ? at : at + 1 };
    }
    return { kind: 'more' };
  }

  /** Whether the end of the stream ends a value: only a number has no end of its own. */
  end(): boolean {
    const isEnd = this.#closers.length === 0 && this.#isNumberWhole();
    this.#reset();
    return isEnd;
  }

  #step(c: number): 'go' | 'end' | 'end_before' | 'invalid' | 'too_deep' {
    switch (this.#state) {
      case 'string':
        if (c === quote) return this.#endString();
        if (c === backslash) this.#state = 'escape';
        return c < space ? 'invalid' : 'go';
      case 'escape':
        this.#state = c === letterU ? 'hex' : 'string';
        this.#hexLeft = 4;
        return c === letterU || escapes.has(c) ? 'go' : 'invalid';
      case 'hex':
        if (--this.#hexLeft === 0) this.#state = 'string';
        return isHex(c) ? 'go' : 'invalid';
      case 'word':
        if (c !== this.#rest.charCodeAt(0)) return 'invalid';
        this.#rest = this.#rest.slice(1);
        return this.#rest === '' ? this.#endValue() : 'go';
      case 'value':
      case 'first_item':
      case 'first_key':
      case 'key':
      case 'colon':
      case 'after':
        return isSpace(c) ? 'go' : this.#stepBetween(c);
      default:
        return this.#stepNumber(c);
    }
  }

  #stepBetween(c: number): 'go' | 'end' | 'invalid' | 'too_deep' {
    switch (this.#state) {
      case 'first_key':
        return c === closeBrace ? this.#close() : this.#beginKey(c);
      case 'key':
        return this.#beginKey(c);
      case 'colon':
        this.#state = 'value';
        return c === colon ? 'go' : 'invalid';
      case 'after':
        if (c === this.#closers.at(-1)) return this.#close();
        this.#state = this.#closers.at(-1) === closeBrace ? 'key' : 'value';
        return c === comma ? 'go' : 'invalid';
      default:
        return this.#state === 'first_item' && c === closeBracket ? this.#close() : this.#beginValue(c);
    }
  }

  #beginKey(c: number): 'go' | 'invalid' {
    this.#state = 'string';
    this.#isKey = true;
    return c === quote ? 'go' : 'invalid';
  }

  #beginValue(c: number): 'go' | 'invalid' | 'too_deep' {
    if (c === openBrace || c === openBracket) {
      this.#closers.push(c === openBrace ? closeBrace : closeBracket);
      this.#state = c === openBrace ? 'first_key' : 'first_item';
      return this.#closers.length > limits.nestingMax ? 'too_deep' : 'go';
    }
    const word = words.get(c);
    if (word !== undefined) this.#rest = word.slice(1);
    this.#state = word !== undefined ? 'word' : c === quote ? 'string' : c === minus ? 'minus' : c === zero ? 'zero' : 'integer';
    return this.#state !== 'integer' || isDigit(c) ? 'go' : 'invalid';
  }

  #stepNumber(c: number): 'go' | 'end' | 'end_before' | 'invalid' | 'too_deep' {
    const next = nextInNumber(this.#state, c);
    if (next !== null) {
      this.#state = next;
      return 'go';
    }
    if (!this.#isNumberWhole()) return 'invalid';
    if (this.#endValue() === 'end') return 'end_before';
    return isSpace(c) ? 'go' : this.#stepBetween(c);
  }

  #isNumberWhole(): boolean {
    return this.#state === 'zero' || this.#state === 'integer' || this.#state === 'fraction' || this.#state === 'exponent_digits';
  }

  #endString(): 'go' | 'end' {
    if (!this.#isKey) return this.#endValue();
    this.#isKey = false;
    this.#state = 'colon';
    return 'go';
  }

  #close(): 'go' | 'end' {
    this.#closers.pop();
    return this.#endValue();
  }

  #endValue(): 'go' | 'end' {
    this.#state = 'after';
    return this.#closers.length === 0 ? 'end' : 'go';
  }

  #reset(): void {
    this.#state = 'value';
    this.#closers = [];
    this.#isKey = false;
  }
}

function nextInNumber(state: State, c: number): State | null {
  switch (state) {
    case 'minus':
      return c === zero ? 'zero' : isDigit(c) ? 'integer' : null;
    case 'zero':
    case 'integer':
      if (c === point) return 'point';
      if (isExponent(c)) return 'exponent';
      return state === 'integer' && isDigit(c) ? 'integer' : null;
    case 'point':
      return isDigit(c) ? 'fraction' : null;
    case 'fraction':
      return isDigit(c) ? 'fraction' : isExponent(c) ? 'exponent' : null;
    case 'exponent':
      return c === plus || c === minus ? 'exponent_sign' : isDigit(c) ? 'exponent_digits' : null;
    default:
      return isDigit(c) ? 'exponent_digits' : null;
  }
}

/** White space of JSON, which is less than Unicode's. */
export function isSpace(c: number | undefined): boolean {
  return c === space || c === 10 || c === 13 || c === 9;
}

function isDigit(c: number): boolean {
  return c >= zero && c <= 57;
}

function isExponent(c: number): boolean {
  return c === 101 || c === 69;
}

function isHex(c: number): boolean {
  return isDigit(c) || (c >= 65 && c <= 70) || (c >= 97 && c <= 102);
}

const codeOf = (text: string) => text.charCodeAt(0);
const words = new Map(['true', 'false', 'null'].map((word) => [codeOf(word), word]));
const escapes = new Set([...'"\\/bfnrt'].map(codeOf));
const space = 32;
const quote = 34;
const plus = 43;
const comma = 44;
const minus = 45;
const point = 46;
const zero = 48;
const colon = 58;
const openBracket = 91;
const backslash = 92;
const closeBracket = 93;
const letterU = 117;
const openBrace = 123;
const closeBrace = 125;
