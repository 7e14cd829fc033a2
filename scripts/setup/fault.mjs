/** Faults of the set-up: the world failed, said with the fact, the need and one thing to do. */

/**
 * Creates the error that ends a set-up.
 * `exitCode` is 3 where the machine failed and 1 where the repository's own code did.
 */
export function createFault({ code, message, next, output = '', exitCode = EXIT_ENVIRONMENT }) {
  return Object.assign(new Error(message), { isFault: true, code, next, output, exitCode });
}

/** The fault as it is printed: what the command said, what is so, one thing to do. */
export function renderFault(fault) {
  const said = fault.output.trimEnd();
  return [...(said === '' ? [] : [said, '']), fault.message, `  Next: ${fault.next}`].join('\n');
}

export const EXIT_ENVIRONMENT = 3;
export const EXIT_INTERRUPTED = 130;
