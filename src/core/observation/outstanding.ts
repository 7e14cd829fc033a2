/** Which accepted intents still wait for what they cause (cassette-contract 6.7, design ruling 4). */

import { intentRule } from '../activity/contract.ts';
import type { ActivityEvent } from '../activity/event.ts';
import { trim } from '../json/read.ts';

/** An intent with declared effects is outstanding until it has one, whether the contract requires one or not (6.7). */
export class OutstandingIntents {
  readonly #waiting = new Map<string, ActivityEvent>();
  readonly #started = new Map<string, number>();

  /** Whether a boundary may be cut: it would part what is outstanding from its effects. */
  get areNone(): boolean {
    return this.#waiting.size === 0 && this.#started.size === 0;
  }

  /** A command of an intent has begun, so that another effect will come. */
  begin(causedByEventId: string): void {
    const id = trim(causedByEventId);
    this.#started.set(id, (this.#started.get(id) ?? 0) + 1);
  }

  /** Takes a batch; gives it back with the earlier intents in front that it released. */
  take(batch: readonly ActivityEvent[]): ActivityEvent[] {
    const released: ActivityEvent[] = [];
    for (const event of batch) {
      if (event.kind === 'intent' && (intentRule(event.type)?.effects.length ?? 0) > 0) this.#waiting.set(trim(event.eventId), event);
      const cause = event.kind === 'effect' ? this.#release(event) : null;
      if (cause && !batch.includes(cause)) released.push(cause);
    }
    return [...released, ...batch];
  }

  #release(effect: ActivityEvent): ActivityEvent | null {
    const id = trim(effect.causedByEventId ?? '');
    const started = this.#started.get(id) ?? 0;
    if (started > 1) this.#started.set(id, started - 1);
    else this.#started.delete(id);
    const cause = this.#waiting.get(id);
    if (!cause || !isReleasedBy(cause, effect)) return null;
    this.#waiting.delete(id);
    return cause;
  }
}

// A submission that cancels a turn first still has its prompt to send; the first effect of any other intent is enough (b5).
function isReleasedBy(cause: ActivityEvent, effect: ActivityEvent): boolean {
  return trim(cause.type) !== 'submit/requested' || trim(effect.type) !== 'turn/cancel';
}
