/** Numbers from 1 without a gap, judged so that one fault is found once: behind a wrong number either it or the old count goes on. */

export class Sequence {
  #expected = 1;
  /** The number after the wrong one, if that one was right and something is missing before it. */
  #afterJump: number | null = null;
  /** The number that stands one place too late, if two were swapped. */
  #swapped: number | null = null;
  #missing = 0;
  /** How many of the missing ones the next number may still deny. */
  #doubtful = 0;

  get expected(): number {
    return this.#expected;
  }

  /** How far a number is from where it should be, 0 where it fits. `NaN` stands for one that was found wrong already. */
  take(value: number): number {
    const expected = this.#expected;
    const [afterJump, swapped, doubtful] = [this.#afterJump, this.#swapped, this.#doubtful];
    this.#afterJump = this.#swapped = null;
    this.#doubtful = 0;
    if (value === afterJump) return this.#fit(value + 1);
    if (!Number.isNaN(value)) this.#missing -= doubtful;
    if (value === swapped) return this.#fit(value + 2);
    this.#fit(expected + 1);
    if (value === expected || Number.isNaN(value)) return 0;
    this.#afterJump = value + 1;
    this.#swapped = value === expected + 1 ? expected : null;
    if (value > expected) this.#missing += this.#doubtful = value - expected;
    return value - expected;
  }

  /** Something stood here that could not be read. */
  skip(): void {
    this.take(Number.NaN);
    this.miss();
  }

  /** A number that others may miss has been seen where it does not show. */
  miss(): void {
    this.#missing++;
  }

  /** Whether so many are known to be missing and explain nothing else yet. */
  explains(gap: number): boolean {
    if (gap <= 0 || gap > this.#missing) return false;
    this.#missing -= gap;
    this.#doubtful = Math.min(this.#doubtful, this.#missing);
    return true;
  }

  #fit(next: number): 0 {
    this.#expected = next;
    return 0;
  }
}
