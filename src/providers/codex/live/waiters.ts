/** Who awaits what of one connection: answers to requests, and the committed begins and ends of turns. */

import type { Json } from '../../../core/json/exact.ts';
import { idKey, type RpcError } from './codec.ts';

export type Answer = { kind: 'result'; result: Json } | { kind: 'error'; error: RpcError } | { kind: 'lost' };
export type TurnEnd = 'settled' | 'lost';

export class Waiters {
  readonly #answers = new Map<string, (answer: Answer) => void>();
  readonly #begins = new Map<string, (() => void)[]>();
  readonly #ends = new Map<string, ((end: TurnEnd) => void)[]>();
  /** Turns whose end was told, and stands in no row (yet). */
  readonly #unsaved = new Map<string, 'saving' | 'refused'>();
  #isLost = false;

  get isLost(): boolean {
    return this.#isLost;
  }

  /** Resolves with the answer under that key, or when none can come any more. */
  awaitAnswer(key: string): Promise<Answer> {
    const { promise, resolve } = Promise.withResolvers<Answer>();
    if (this.#isLost) resolve({ kind: 'lost' });
    else this.#answers.set(key, resolve);
    return promise;
  }

  forget(key: string): void {
    this.#answers.delete(key);
  }

  answer(id: Json, answer: Answer): void {
    const key = idKey(id);
    this.#answers.get(key)?.(answer);
    this.#answers.delete(key);
  }

  /** Resolves when the turn has begun, has ended, or when nobody will learn of it. */
  awaitBegin(turnId: string): Promise<void> {
    if (this.#isLost) return Promise.resolve();
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#begins.set(turnId, [...(this.#begins.get(turnId) ?? []), resolve]);
    return promise;
  }

  begin(turnId: string): void {
    const waiting = this.#begins.get(turnId) ?? [];
    this.#begins.delete(turnId);
    for (const resume of waiting) resume();
  }

  /** Resolves when the turn's end is committed, or when nobody will learn of it. `isTold`: Codex has told it already. */
  awaitEnd(turnId: string, isTold: boolean): Promise<TurnEnd> {
    const unsaved = this.#unsaved.get(turnId);
    if (isTold && unsaved === undefined) return Promise.resolve('settled');
    if (this.#isLost || unsaved === 'refused') return Promise.resolve('lost');
    const { promise, resolve } = Promise.withResolvers<TurnEnd>();
    this.#ends.set(turnId, [...(this.#ends.get(turnId) ?? []), resolve]);
    return promise;
  }

  /** The ends of these turns are on their way into the store. */
  beginSaving(turnIds: readonly string[]): void {
    for (const turnId of turnIds) this.#unsaved.set(turnId, 'saving');
  }

  /** They are there, or will never be. */
  endSaving(turnIds: readonly string[], isSaved: boolean): void {
    for (const turnId of turnIds) {
      if (isSaved) this.#unsaved.delete(turnId);
      else this.#unsaved.set(turnId, 'refused');
    }
  }

  end(turnId: string, end: TurnEnd): void {
    this.begin(turnId);
    const waiting = this.#ends.get(turnId) ?? [];
    this.#ends.delete(turnId);
    for (const resume of waiting) resume(end);
  }

  /** Nobody can say any more what those who wait now wait for. */
  fail(): void {
    const answers = [...this.#answers.values()];
    this.#answers.clear();
    for (const resolve of answers) resolve({ kind: 'lost' });
    for (const turnId of [...this.#begins.keys(), ...this.#ends.keys()]) this.end(turnId, 'lost');
  }

  /** The same for whoever comes later. */
  lose(): void {
    this.#isLost = true;
    this.fail();
  }
}
