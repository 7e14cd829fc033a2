/** How far each provider connection of a recording is, for cursors (cassette-contract 6.7, design ruling 3). */

import { compareUnits, type UnitPlace } from '../checkpoint/position.ts';
import { compareBytes } from '../json/go-text.ts';
import { trim } from '../json/read.ts';

/** A unit and the recording it was received under. */
export type StampedUnit = UnitPlace & { recordingId: string };

/** Furthest unit of each connection. */
export type Lane = ReadonlyMap<string, UnitPlace>;

/** The lane with the unit in it; a lane never goes back. */
export function raiseLane(lane: Lane, unit: UnitPlace): Lane {
  const known = lane.get(unit.connectionId);
  const { connectionId, chunkSeq, unitIndex } = unit;
  return known && compareUnits(known, unit) >= 0 ? lane : new Map(lane).set(connectionId, { connectionId, chunkSeq, unitIndex });
}

/** Where the lane stands to a unit; a connection that is not in it has not begun. */
export function standsAt(lane: Lane, unit: UnitPlace): 'before' | 'at' | 'past' {
  const known = lane.get(unit.connectionId);
  const order = known ? compareUnits(known, unit) : -1;
  return order < 0 ? 'before' : order === 0 ? 'at' : 'past';
}

/** As a cursor holds it: in byte order of the connections (4.4). */
export function lanePlaces(lane: Lane): UnitPlace[] {
  return [...lane.values()].sort((a, b) => compareBytes(a.connectionId, b.connectionId));
}

/** The lanes of one recording. What belongs to another generation is not counted. */
export class RecordingLanes {
  readonly #recordingId: string;
  #received: Lane = new Map();
  #observed: Lane = new Map();
  #handled: Lane = new Map();
  #answered: Lane = new Map();
  #cut: Lane = new Map();

  constructor(recordingId: string) {
    this.#recordingId = trim(recordingId);
  }

  isOwn({ recordingId }: Pick<StampedUnit, 'recordingId'>): boolean {
    return trim(recordingId) === this.#recordingId;
  }

  /** A unit has arrived, and nobody has read it yet. */
  receive(unit: StampedUnit): void {
    if (this.isOwn(unit)) this.#received = raiseLane(this.#received, unit);
  }

  /** Something was written to the connection: whoever replays must have read what came before it (ruling 3). */
  answer(connectionId: string): void {
    const before = this.#received.get(connectionId);
    if (before) this.#answered = raiseLane(this.#answered, before);
  }

  /** A unit carried an observation that a checkpoint can have. */
  observe(unit: StampedUnit): void {
    if (this.isOwn(unit)) this.#observed = raiseLane(this.#observed, unit);
  }

  /** A unit is handled: its commit has returned. */
  handle(unit: StampedUnit): void {
    if (this.isOwn(unit)) this.#handled = raiseLane(this.#handled, unit);
  }

  /** What a boundary that is cut from now on must reach. */
  get answered(): Lane {
    return this.#answered;
  }

  /** Whether the cursor of a boundary would cover all of this. */
  covers(lane: Lane): boolean {
    const reached = this.#boundaryLane();
    return [...lane.values()].every((unit) => standsAt(reached, unit) !== 'before');
  }

  /** The provider part of an observation's cursor. A boundary may have been further on another connection, and cursors do not go back (4.4). */
  observationPlaces(): UnitPlace[] {
    return lanePlaces([...this.#cut.values()].reduce(raiseLane, this.#observed));
  }

  /**
   * The provider part of a boundary's cursor: every handled unit, observed or not, because one that shows nothing can settle
   * state too (seed 001, ruling 3).
   */
  cutBoundary(): UnitPlace[] {
    this.#cut = this.#boundaryLane();
    return lanePlaces(this.#cut);
  }

  #boundaryLane(): Lane {
    return [...this.#handled.values(), ...this.#cut.values()].reduce(raiseLane, this.#observed);
  }
}
