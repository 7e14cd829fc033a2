/**
 * What one connection tells the store. What a turn cannot do without, its identity and its end, is kept where the store refused it and
 * told again: nobody else knows of it, and the store takes it twice (agent-host 1.2, D3).
 */

import type { ActivitySink } from '../../../core/agent/report.ts';
import type { SessionRef } from '../../../core/agent/views.ts';
import type { InputUnit } from '../../../core/ports.ts';
import { hasRows, type Rows } from './session-state.ts';

type ReporterOptions = {
  ref: SessionRef;
  sink: ActivitySink;
  /** Until then nothing of the session may be stored (initialization barrier). */
  isPublished: boolean;
  onRefused: (error: unknown) => void;
  /** The ends of these turns were refused, and are stored now. */
  onEnded: (turnIds: readonly string[]) => void;
};

/** `endedTurnIds`: turns whose end is among the rows. */
type Told = { unit: InputUnit | null; rows: Rows; endedTurnIds: readonly string[] };

export class Reporter {
  readonly #options: ReporterOptions;
  readonly #published = Promise.withResolvers<void>();
  #isPublished: boolean;
  /** In the order of the provider; a turn at a time, so they are few. */
  #owed: Told[] = [];
  #retrying: Promise<void> | null = null;

  constructor(options: ReporterOptions) {
    this.#options = options;
    this.#isPublished = options.isPublished;
  }

  /** Releases the first report that has something to say, and with it all behind it. */
  publish(): void {
    this.#isPublished = true;
    this.#published.resolve();
  }

  /** Whether it is stored. One for each unit, also an empty one: observers count units by it. */
  async report(told: Told): Promise<boolean> {
    if (this.#owed.length > 0) await this.retry();
    if (hasRows(told.rows) && !this.#isPublished) await this.#published.promise;
    try {
      await this.#store(told);
      return true;
    } catch (error) {
      this.#options.onRefused(error);
      if (isNeeded(told.rows)) this.#owed.push({ ...told, unit: null });
      return false;
    }
  }

  /** Tells again what is owed, up to the first that is refused once more. */
  retry(): Promise<void> {
    this.#retrying ??= this.#retry().finally(() => (this.#retrying = null));
    return this.#retrying;
  }

  async #retry(): Promise<void> {
    for (let told = this.#owed[0]; told; told = this.#owed[0]) {
      try {
        await this.#store(told);
      } catch {
        // Said when it was refused first.
        return;
      }
      this.#owed.shift();
      this.#options.onEnded(told.endedTurnIds);
    }
  }

  async #store({ unit, rows }: Told): Promise<void> {
    await this.#options.sink.report({ ref: this.#options.ref, unit, ...rows });
  }
}

function isNeeded({ turn, rootProviderTurn }: Rows): boolean {
  return rootProviderTurn !== undefined || turn?.accepted !== undefined || turn?.phase !== undefined;
}
