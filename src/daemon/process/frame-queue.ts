/** Frames of one process in the order of their arrival, one reader at a time, with a limit for what nobody has read. */

import { assert } from '../../core/assert.ts';
import type { ProcessFrame } from '../../core/ports.ts';

export type FrameQueueOptions = { bytesMax: number; onFull: () => void; onRoom: () => void };

type Waiting = { resolve: (frame: ProcessFrame | null) => void };

export class FrameQueue {
  readonly #options: FrameQueueOptions;
  #frames: ProcessFrame[] = [];
  #bytes = 0;
  #waiting: Waiting | null = null;
  #isEnded = false;
  #isClosing = false;

  constructor(options: FrameQueueOptions) {
    this.#options = options;
  }

  push(frame: ProcessFrame): void {
    if (this.#waiting) return this.#give(frame);
    const isFull = this.#bytes + bytesOf(frame) > this.#options.bytesMax;
    if (isFull && this.#isClosing && frame.kind !== 'exit') return;
    this.#frames.push(frame);
    this.#bytes += bytesOf(frame);
    if (isFull && !this.#isClosing) this.#options.onFull();
  }

  /** No frame comes after this. */
  end(): void {
    this.#isEnded = true;
    if (this.#waiting) this.#give(null);
  }

  /** The next frame; null after the end. An aborted wait takes nothing. */
  take(signal?: AbortSignal): Promise<ProcessFrame | null> {
    assert(!this.#waiting, 'two readers wait for one process');
    if (signal?.aborted) return Promise.reject(signal.reason as Error);
    const frame = this.#frames.shift();
    if (frame) return Promise.resolve(this.#taken(frame));
    return this.#isEnded ? Promise.resolve(null) : this.#wait(signal);
  }

  /** From now on a full queue drops output instead of holding it up, so that the process can end; its exit is kept. */
  startClosing(): void {
    this.#isClosing = true;
    this.#options.onRoom();
  }

  #wait(signal?: AbortSignal): Promise<ProcessFrame | null> {
    return new Promise((resolve, reject) => {
      const abort = () => {
        this.#waiting = null;
        reject(signal?.reason as Error);
      };
      signal?.addEventListener('abort', abort, { once: true });
      this.#waiting = {
        resolve: (frame) => {
          signal?.removeEventListener('abort', abort);
          resolve(frame);
        },
      };
    });
  }

  #give(frame: ProcessFrame | null): void {
    const waiting = this.#waiting;
    this.#waiting = null;
    waiting?.resolve(frame);
  }

  #taken(frame: ProcessFrame): ProcessFrame {
    const wasFull = this.#bytes > this.#options.bytesMax;
    this.#bytes -= bytesOf(frame);
    if (wasFull && this.#bytes <= this.#options.bytesMax) this.#options.onRoom();
    return frame;
  }
}

function bytesOf(frame: ProcessFrame): number {
  return frame.kind === 'exit' ? 0 : frame.bytes.length;
}
