/** Counts everything that happens in a replay, so that a wait can end by lack of it (design ruling 5). */

import type { Clock } from '../../core/ports.ts';
import { Change } from '../../core/signal.ts';

export class Progress {
  readonly #change = new Change();
  readonly #closing = new AbortController();
  #revision = 0;

  get revision(): number {
    return this.#revision;
  }

  get isClosed(): boolean {
    return this.#closing.signal.aborted;
  }

  readonly bump = (): void => {
    this.#revision++;
    this.#change.announce();
  };

  /** The next thing that happens, or the end of the replay. */
  next(signal?: AbortSignal): Promise<void> {
    return this.#change.next(signal ? AbortSignal.any([signal, this.#closing.signal]) : this.#closing.signal);
  }

  /** Resolves when the revision is above `after`, and at the latest after `waitMs`. */
  async changed(after: number, { waitMs, clock, signal }: { waitMs: number; clock: Clock; signal?: AbortSignal }): Promise<void> {
    const stop = new AbortController();
    const cancel = clock.after(waitMs, () => stop.abort());
    const either = signal ? AbortSignal.any([signal, stop.signal]) : stop.signal;
    while (this.#revision <= after && !either.aborted && !this.isClosed) await this.next(either);
    cancel();
  }

  close(): void {
    this.#closing.abort();
  }
}
