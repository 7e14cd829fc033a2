/** Why a daemon did not start: a stable code for whoever started it (issue "first light", bad input and faults). */

export type StartErrorCode = 'boot_invalid' | 'state_dir_taken' | 'state_dir_unusable';

export class StartError extends Error {
  override readonly name = 'StartError';
  readonly code: StartErrorCode;

  constructor(code: StartErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** Code and sentence of whatever kept a daemon from starting: the store's and the mode's own codes are kept, `database_corrupt` among them. */
export function startCauseOf(error: unknown): { code: string; message: string } {
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof Error && 'code' in error && isOurs(error.code)) return { code: error.code, message };
  return { code: 'daemon_start_failed', message: `Cannot start the daemon: ${message}, no error was expected` };
}

// Note: Node's own codes are in capitals.
function isOurs(code: unknown): code is string {
  return typeof code === 'string' && /^[a-z]+(_[a-z]+)*$/.test(code);
}
