/**
 * One live connection behind the recorder: forwards first and records after; receives by itself, records, and keeps for whoever
 * reads (replay-runtime 1.3). What the product is told is numbered when it arrives, not when an adapter reads (desktop-order c5).
 */

import { messagesOf } from '../core/lines.ts';
import { limits } from '../core/limits.ts';
import { emptyStamp, type FrameStamp, type InputUnit, type ProcessConnection, type ProcessFrame, type ProcessSpec } from '../core/ports.ts';
import { Change } from '../core/signal.ts';
import type { Capture } from './capture.ts';
import { UnitCounter } from './unit-counter.ts';

type Attached = { recordingId: string; capture: Capture; units: UnitCounter };
type Sending = { bytes: Buffer; isRecorded: boolean };
/** What waits for the reader: a frame, or why the recording has no place for it. */
type Received = { frame: ProcessFrame } | { error: Error };

export type RecordedConnectionOptions = {
  spec: ProcessSpec;
  base: ProcessConnection;
  onClosed: (connection: RecordedConnection) => void;
  /** A message was handled completely. */
  onUnit: (unit: InputUnit) => void;
  /** A message has arrived under a recording, and nobody has read it yet. */
  onReceived?: (unit: InputUnit) => void;
  /** A chunk was written to the connection and stands on the tape. */
  onAnswered?: (connectionId: string) => void;
};

export class RecordedConnection implements ProcessConnection {
  readonly spec: ProcessSpec;
  readonly #base: ProcessConnection;
  readonly #options: RecordedConnectionOptions;
  readonly #received: Received[] = [];
  readonly #arrival = new Change();
  /** Read from the process and not yet by us: beyond the limit its output waits, as it would without a recorder. */
  #unreadBytes = 0;
  readonly #room = new Change();
  #isClosing = false;
  #end: { error: Error | null } | null = null;
  #attached: Attached | null = null;
  #sending: Sending[] = [];
  /** What the product did to end the process, if it did. */
  #endedBy: string | null = null;

  constructor(options: RecordedConnectionOptions) {
    this.#options = options;
    this.spec = options.spec;
    this.#base = options.base;
    void this.#pump();
  }

  attach({ recordingId, capture }: { recordingId: string; capture: Capture }): void {
    this.#attached = { recordingId, capture, units: new UnitCounter() };
  }

  detach(): void {
    this.#attached?.capture.detach();
    this.#attached = null;
  }

  async send(bytes: Buffer): Promise<void> {
    const sending: Sending = { bytes, isRecorded: false };
    this.#sending.push(sending);
    try {
      await this.#base.send(bytes);
      this.#record(sending);
    } catch (error) {
      // It was kept because an answer came first, and then it failed: the tape would tell a story that did not happen.
      if (sending.isRecorded) this.#attached?.capture.fail(error as Error);
      throw error;
    } finally {
      this.#sending = this.#sending.filter((other) => other !== sending);
    }
  }

  async recv(signal?: AbortSignal): Promise<ProcessFrame | null> {
    for (;;) {
      const received = this.#received.shift();
      if (received && 'frame' in received) {
        this.#unreadBytes -= sizeOf(received.frame);
        this.#room.announce();
        return received.frame;
      }
      if (received) throw received.error;
      if (this.#end?.error) throw this.#end.error;
      if (this.#end || signal?.aborted) return null;
      await this.#arrival.next(signal);
    }
  }

  async close(): Promise<void> {
    // Its end must not wait for a reader.
    this.#isClosing = true;
    this.#room.announce();
    try {
      await this.#base.close();
    } finally {
      this.detach();
      this.#options.onClosed(this);
    }
  }

  closeInput(): void {
    this.#endInput('stdin-eof');
    this.#base.closeInput?.();
  }

  terminate(): void {
    this.#endInput('signal:SIGTERM');
    this.#base.terminate?.();
  }

  kill(): void {
    this.#endInput('signal:SIGKILL');
    this.#base.kill?.();
  }

  async completeProviderInputUnit(unit: InputUnit): Promise<void> {
    if (unit.position.connectionId !== '') this.#options.onUnit(unit);
    await this.#base.completeProviderInputUnit?.(unit);
  }

  captureOrigin(): 'process-start' | 'attached-live-connection' {
    return this.#base.captureOrigin?.() ?? 'process-start';
  }

  // Runs from the start to the end of the process: a reader that is slow must not make what has arrived look later.
  async #pump(): Promise<void> {
    while (!this.#end) {
      while (this.#unreadBytes >= limits.providerUnreadBytesMax && !this.#isClosing) await this.#room.next();
      try {
        const frame = await this.#base.recv();
        if (frame) this.#keepUnread(frame);
        else this.#end = { error: null };
      } catch (error) {
        this.#end = { error: error as Error };
      }
      this.#arrival.announce();
    }
  }

  #keepUnread(frame: ProcessFrame): void {
    const received = this.#take(frame);
    if ('frame' in received) this.#unreadBytes += sizeOf(frame);
    this.#received.push(received);
  }

  #take(frame: ProcessFrame): Received {
    try {
      // An answer may overtake the word that its request went out: what is on its way stands before it on the tape.
      for (const sending of this.#sending) this.#record(sending);
      const stamp = this.#stamp(frame);
      this.#tellUnits(frame, stamp);
      return { frame: { ...frame, stamp } };
    } catch (error) {
      return { error: error as Error };
    }
  }

  #record(sending: Sending): void {
    if (sending.isRecorded) return;
    sending.isRecorded = true;
    const attached = this.#attached;
    if (!attached) return;
    for (const message of messagesOf(sending.bytes)) {
      attached.capture.outbound(message);
      this.#options.onAnswered?.(attached.capture.connectionId);
    }
  }

  #stamp(frame: ProcessFrame): FrameStamp {
    if (!this.#attached) return emptyStamp;
    const { recordingId, capture } = this.#attached;
    return { recordingId, connectionId: capture.connectionId, chunkSeq: this.#keep(frame, capture) };
  }

  #tellUnits(frame: ProcessFrame, { recordingId, connectionId, chunkSeq }: FrameStamp): void {
    const { onReceived } = this.#options;
    if (!onReceived || !this.#attached || frame.kind !== 'stdout') return;
    const unitCount = this.#attached.units.count(frame.bytes);
    for (let unitIndex = 1; unitIndex <= unitCount; unitIndex++) onReceived({ recordingId, position: { connectionId, chunkSeq, unitIndex }, kind: 'protocol-message' });
  }

  #keep(frame: ProcessFrame, capture: Capture): number {
    switch (frame.kind) {
      case 'stdout':
        return capture.stdout(frame.bytes);
      case 'stderr':
        return capture.stderr(frame.bytes);
      case 'exit':
        return capture.exit(frame.exitCode, this.#endedBy ?? frame.message);
    }
  }

  #endInput(cause: string): void {
    this.#endedBy ??= cause;
    this.#attached?.capture.inputEnded();
  }
}

function sizeOf(frame: ProcessFrame): number {
  return frame.kind === 'exit' ? 0 : frame.bytes.length;
}
