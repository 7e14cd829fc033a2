/** The clock of a real run, for rooms above the runner. */

export { nodeClock } from '../tape/node-clock.ts';
