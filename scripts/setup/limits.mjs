/** Every limit of set-up and test run in one place. */

export const PROBE_MS_MAX = 10_000;
export const STEP_MS_MAX = 15 * 60_000;
export const PART_MS_MAX = 30 * 60_000;
/** What is kept of a command's output, and how many lines of its start and end a fault shows. */
export const TAIL_CHARS_MAX = 64_000;
export const EXCERPT_LINES = 20;
/** How much a lost step shows of what its command said last. */
export const REASON_LINES = 3;
/** After Ctrl-C: time to close browsers, then the group is killed. */
export const INTERRUPT_GRACE_MS = 5_000;
export const POLL_MS = 50;
/** After a program's exit: time to read the rest of its output. */
export const PIPE_GRACE_MS = 1_000;
