/** Where the provider lanes of a recording stand: what has arrived, and what is handled (design rulings 2 and 3, desktop-order c5). */

import { raise, reaches, type LanePlaceView } from '../../core/control/lanes.ts';
import { RecordingLanes, type StampedUnit } from '../../core/observation/lanes.ts';
import type { InputUnit } from '../../core/ports.ts';

export class LaneBook {
  /** For the cursors of checkpoints. */
  readonly cursors: RecordingLanes;
  #received: LanePlaceView[] = [];
  #handled: LanePlaceView[] = [];

  constructor(recordingId: string) {
    this.cursors = new RecordingLanes(recordingId);
  }

  /** What is handled has arrived, also where nobody said so. */
  get received(): LanePlaceView[] {
    return this.#received;
  }

  get handled(): LanePlaceView[] {
    return this.#handled;
  }

  get areHandled(): boolean {
    return reaches(this.#handled, this.#received);
  }

  isOwn(unit: InputUnit): boolean {
    return unit.position.connectionId !== '' && this.cursors.isOwn(stamped(unit));
  }

  receive(unit: InputUnit): void {
    if (!this.isOwn(unit)) return;
    this.#received = raise(this.#received, [unit.position]);
    this.cursors.receive(stamped(unit));
  }

  answer(connectionId: string): void {
    this.cursors.answer(connectionId);
  }

  handle(unit: InputUnit): void {
    if (!this.isOwn(unit)) return;
    const { connectionId, chunkSeq, unitIndex } = unit.position;
    this.#handled = raise(this.#handled, [{ connectionId, chunkSeq, unitIndex }]);
    this.#received = raise(this.#received, this.#handled);
    this.cursors.receive(stamped(unit));
    this.cursors.handle(stamped(unit));
  }

  /** Connections with something that nobody has handled, for a message. */
  backlog(): string[] {
    return this.#received.flatMap((place) => {
      const at = this.#handled.find(({ connectionId }) => connectionId === place.connectionId);
      return at && reaches([at], [place]) ? [] : [`${place.connectionId} has message ${place.chunkSeq}.${place.unitIndex} and has handled ${at ? `${at.chunkSeq}.${at.unitIndex}` : 'none'}`];
    });
  }
}

/** A unit with the numbers of checkpoints. */
export function stamped({ position: { connectionId, chunkSeq, unitIndex }, recordingId = '' }: InputUnit): StampedUnit {
  return { recordingId, connectionId, chunkSeq: BigInt(chunkSeq), unitIndex: BigInt(unitIndex) };
}
