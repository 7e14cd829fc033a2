/** A condition that others wait on: each change wakes every waiter, who then looks again. */
export class Change {
  #waiters: (() => void)[] = [];

  announce(): void {
    const waiting = this.#waiters;
    this.#waiters = [];
    for (const wake of waiting) wake();
  }

  /** Resolves at the next change, or at once when the signal is aborted. */
  next(signal?: AbortSignal): Promise<void> {
    if (signal?.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const wake = () => {
        signal?.removeEventListener('abort', giveUp);
        resolve();
      };
      // A wait that ends by its signal leaves nothing behind: with recorded timing there is one for each chunk.
      const giveUp = () => {
        this.#waiters = this.#waiters.filter((waiter) => waiter !== wake);
        resolve();
      };
      this.#waiters.push(wake);
      signal?.addEventListener('abort', giveUp, { once: true });
    });
  }
}
