/** A divergence as an error that a test runner shows. */

import type { Divergence } from './divergence.ts';
import { firstScreen, type ScreenOptions } from './first-screen.ts';

export class DivergenceError extends Error {
  override readonly name = 'DivergenceError';
  readonly divergence: Divergence;

  constructor(divergence: Divergence, options: ScreenOptions) {
    super(firstScreen(divergence, options));
    this.divergence = divergence;
    // The place is in the product, not in the code that noticed.
    this.stack = `${this.name}: ${this.message}`;
  }
}
