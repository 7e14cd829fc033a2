/**
 * Playback time of one cassette (replay-runtime 2.7): elapsed time is the integral of the speed, frozen while paused or
 * fast-forwarding. Timing changes how long a wait takes, never the order.
 */

import { Fault } from '../core/fault.ts';
import type { Clock } from '../core/ports.ts';
import { Change } from '../core/signal.ts';
import type { Timing } from '../core/verdict/verdict.ts';

export const playbackSpeeds: readonly number[] = [0.25, 0.5, 1, 2, 4];

export class PlaybackClock {
  readonly #clock: Clock;
  readonly #change = new Change();
  #speed = 1;
  #isPaused = false;
  #isFast = false;
  #elapsedMs = 0;
  #sinceMs: number;
  #waitCount = 0;

  constructor(clock: Clock, timing: Timing = 'recorded') {
    this.#clock = clock;
    this.#sinceMs = clock.now();
    this.setTiming(timing);
  }

  get elapsedMs(): number {
    this.#advance();
    return this.#elapsedMs;
  }

  get speed(): number {
    return this.#speed;
  }

  get isPaused(): boolean {
    return this.#isPaused;
  }

  get isFastForward(): boolean {
    return this.#isFast;
  }

  /** Whether a lane waits for its recorded time, which then goes by. */
  get isWaiting(): boolean {
    return this.#waitCount > 0;
  }

  setTiming(timing: Timing): void {
    this.setFastForward(timing === 'instant');
    if (typeof timing === 'number') this.setSpeed(timing);
    else this.setSpeed(1);
  }

  setSpeed(speed: number): void {
    checkSpeed(speed);
    this.#alter(() => (this.#speed = speed));
  }

  setFastForward(isFast: boolean): void {
    this.#alter(() => (this.#isFast = isFast));
  }

  pause(): void {
    this.#alter(() => (this.#isPaused = true));
  }

  resume(): void {
    this.#alter(() => (this.#isPaused = false));
  }

  /** One connection's position; it starts where playback time stands now. */
  createCursor(): PlaybackCursor {
    return new PlaybackCursor(this);
  }

  /** Waits until playback time allows `dueMs`, or the signal aborts; fast-forward overrides pause for provider frames. */
  async waitUntil(isDue: () => number, signal?: AbortSignal): Promise<void> {
    while (!signal?.aborted) {
      if (this.#isFast) return;
      const leftMs = isDue();
      if (this.#isPaused) {
        await this.#change.next(signal);
        continue;
      }
      if (leftMs <= 0) return;
      await this.#wait(Math.ceil(leftMs / this.#speed), signal);
    }
  }

  #wait(ms: number, signal?: AbortSignal): Promise<void> {
    this.#waitCount++;
    const stop = new AbortController();
    const cancel = this.#clock.after(ms, () => stop.abort());
    const either = signal ? AbortSignal.any([signal, stop.signal]) : stop.signal;
    return this.#change.next(either).finally(() => {
      cancel();
      this.#waitCount--;
    });
  }

  #alter(change: () => void): void {
    this.#advance();
    change();
    this.#change.announce();
  }

  #advance(): void {
    const now = this.#clock.now();
    if (!this.#isPaused && !this.#isFast) this.#elapsedMs += (now - this.#sinceMs) * this.#speed;
    this.#sinceMs = now;
  }
}

/** Recorded position of one connection: it moves with playback time and jumps forward, never back, at each consumed outbound. */
export class PlaybackCursor {
  readonly #clock: PlaybackClock;
  #anchorMs: number;

  constructor(clock: PlaybackClock) {
    this.#clock = clock;
    this.#anchorMs = clock.elapsedMs;
  }

  get positionMs(): number {
    return this.#clock.elapsedMs - this.#anchorMs;
  }

  jumpTo(recordedMs: number): void {
    const ahead = recordedMs - this.positionMs;
    if (ahead > 0) this.#anchorMs -= ahead;
  }

  async waitUntil(recordedMs: number, signal?: AbortSignal): Promise<void> {
    await this.#clock.waitUntil(() => recordedMs - this.positionMs, signal);
    if (!signal?.aborted) this.jumpTo(recordedMs);
  }
}

/** Throws where a speed is none that a playback has. */
export function checkSpeed(speed: number): void {
  if (playbackSpeeds.includes(speed)) return;
  throw new Fault({ code: 'option_invalid', message: `Cannot set playback speed: it is ${speed}, one of ${playbackSpeeds.join(', ')} was expected` });
}
