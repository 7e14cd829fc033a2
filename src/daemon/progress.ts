/** Counts everything that happens, so that a wait ends by lack of it and not by duration (design ruling 5). */

import type { Clock } from '../core/ports.ts';
import { Change } from '../core/signal.ts';

export class Progress {
  readonly #clock: Clock;
  readonly #change = new Change();
  #revision = 0;
  #isClosed = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Rises with whatever happens. */
  get revision(): number {
    return this.#revision;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  readonly bump = (): void => {
    this.#revision++;
    this.#change.announce();
  };

  /** The next thing that happens, or the end. */
  next(): Promise<void> {
    return this.#isClosed ? Promise.resolve() : this.#change.next();
  }

  /** Whether something has happened since `after`, at the latest after `ms`, at the end, or when the signal aborts. */
  async since(after: number, ms: number, signal?: AbortSignal): Promise<boolean> {
    if (this.#revision > after || ms <= 0) return this.#revision > after;
    const stop = new AbortController();
    const giveUp = () => stop.abort();
    const cancel = this.#clock.after(ms, giveUp);
    signal?.addEventListener('abort', giveUp, { once: true });
    if (signal?.aborted) giveUp();
    while (this.#revision <= after && !stop.signal.aborted && !this.#isClosed) await this.#change.next(stop.signal);
    cancel();
    signal?.removeEventListener('abort', giveUp);
    return this.#revision > after;
  }

  /** Whether the condition came true before nothing happened for `stallMs`. */
  async until(isSo: () => boolean, stallMs: number): Promise<boolean> {
    for (;;) {
      if (isSo()) return true;
      // Asked once more at the end: what was awaited may have happened without a word.
      if (!(await this.since(this.#revision, stallMs))) return isSo();
    }
  }

  /** Ends every wait. */
  close(): void {
    this.#isClosed = true;
    this.#change.announce();
  }
}
