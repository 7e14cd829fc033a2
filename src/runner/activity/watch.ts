/** Follows a daemon's status: every wait of a replay ends by what comes here, or by nothing coming (design ruling 5). */

import type { ReplayDaemon, ReplayStatus } from '../../core/control/daemon.ts';
import type { Clock } from '../../core/ports.ts';
import { Change } from '../../core/signal.ts';
import type { Divergence } from '../../core/verdict/divergence.ts';

export class DaemonWatch {
  readonly moved = new Change();
  readonly #daemon: Pick<ReplayDaemon, 'status' | 'changed'>;
  readonly #clock: Clock;
  readonly #stop = new AbortController();
  readonly #done: Promise<void>;
  #status: ReplayStatus;
  #lastMs: number;
  #lost: string | null = null;
  #onDivergence: ((divergence: Divergence) => void) | null = null;

  private constructor(options: { daemon: Pick<ReplayDaemon, 'status' | 'changed'>; clock: Clock; status: ReplayStatus }) {
    this.#daemon = options.daemon;
    this.#clock = options.clock;
    this.#status = options.status;
    this.#lastMs = options.clock.now();
    this.#done = this.#follow();
  }

  static async open(options: { daemon: Pick<ReplayDaemon, 'status' | 'changed'>; clock: Clock }): Promise<DaemonWatch> {
    return new DaemonWatch({ ...options, status: await options.daemon.status() });
  }

  get status(): ReplayStatus {
    return this.#status;
  }

  /** Why the daemon cannot be asked any more; null while it can. */
  get lost(): string | null {
    return this.#lost;
  }

  get idleMs(): number {
    return this.#clock.now() - this.#lastMs;
  }

  /** Hears the first difference as soon as the daemon tells it, also between two plays (design ruling 8). */
  onDivergence(listener: (divergence: Divergence) => void): void {
    this.#onDivergence = listener;
    if (this.#status.divergence) listener(this.#status.divergence);
  }

  /** Something happened that the daemon does not know of: the window answered, a picture was taken. */
  progress(): void {
    this.#lastMs = this.#clock.now();
    this.moved.announce();
  }

  /** The daemon ended, and not by us. */
  lose(why: string): void {
    if (this.#stop.signal.aborted) return;
    this.#lost ??= why;
    this.moved.announce();
  }

  /** The status as it is now, and not as it was last told. */
  async refresh(): Promise<ReplayStatus> {
    this.#take(await this.#daemon.status());
    return this.#status;
  }

  async close(): Promise<void> {
    this.#stop.abort();
    await this.#done;
  }

  async #follow(): Promise<void> {
    const { signal } = this.#stop;
    while (!signal.aborted && this.#lost === null) {
      try {
        const status = await this.#daemon.changed(this.#status.revision, signal);
        // Who was told to stop gives whatever there is, which need not be a whole status.
        if (!signal.aborted) this.#take(status);
      } catch (error) {
        this.lose(error instanceof Error ? error.message : String(error));
      }
    }
  }

  #take(status: ReplayStatus): void {
    const { revision } = this.#status;
    // One of the same revision is newer in what only time moves.
    if (status.revision < revision) return;
    this.#status = status;
    if (status.divergence) this.#onDivergence?.(status.divergence);
    if (status.revision > revision) this.progress();
  }
}
