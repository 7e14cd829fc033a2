/** One live connection behind the recorder: forwards first and records after, receives, records, then hands over (replay-runtime 1.3). */

import { messagesOf } from '../core/lines.ts';
import { emptyStamp, type FrameStamp, type InputUnit, type ProcessConnection, type ProcessFrame, type ProcessSpec } from '../core/ports.ts';
import type { Capture } from './capture.ts';

type Attached = { recordingId: string; capture: Capture };
type Sending = { bytes: Buffer; isRecorded: boolean };

export type RecordedConnectionOptions = {
  spec: ProcessSpec;
  base: ProcessConnection;
  onClosed: (connection: RecordedConnection) => void;
  onUnit: (unit: InputUnit) => void;
};

export class RecordedConnection implements ProcessConnection {
  readonly spec: ProcessSpec;
  readonly #base: ProcessConnection;
  readonly #options: RecordedConnectionOptions;
  #attached: Attached | null = null;
  #sending: Sending[] = [];
  /** What the product did to end the process, if it did. */
  #endedBy: string | null = null;

  constructor(options: RecordedConnectionOptions) {
    this.#options = options;
    this.spec = options.spec;
    this.#base = options.base;
  }

  attach(attached: Attached): void {
    this.#attached = attached;
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
    const frame = await this.#base.recv(signal);
    if (!frame) return null;
    // An answer may overtake the word that its request went out: what is on its way stands before it on the tape.
    for (const sending of this.#sending) this.#record(sending);
    return { ...frame, stamp: this.#stamp(frame) };
  }

  async close(): Promise<void> {
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

  #record(sending: Sending): void {
    if (sending.isRecorded) return;
    sending.isRecorded = true;
    for (const message of messagesOf(sending.bytes)) this.#attached?.capture.outbound(message);
  }

  #stamp(frame: ProcessFrame): FrameStamp {
    if (!this.#attached) return emptyStamp;
    const { recordingId, capture } = this.#attached;
    return { recordingId, connectionId: capture.connectionId, chunkSeq: this.#keep(frame, capture) };
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
