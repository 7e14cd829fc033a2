/** The world failed: thrown at the edge, with a stable code, facts as fields and one thing to do. */

import { faultCatalogue, type FaultCode, type FaultEntry } from './fault-catalogue.ts';

export type FaultFacts = { [name: string]: string | number | boolean | null | string[] };

export type FaultOptions = {
  code: FaultCode;
  /** Line 1, "Cannot <verb> <thing>: <what is so>, <what was needed>". */
  message: string;
  /** Where: a file, a connection, a case. */
  at?: string | null;
  facts?: FaultFacts;
  /** One thing to do; default from the catalogue. */
  next?: string[];
  cause?: unknown;
};

export class Fault extends Error {
  override readonly name = 'Fault';
  readonly code: FaultCode;
  readonly at: string | null;
  readonly facts: FaultFacts;
  readonly next: string[];

  constructor(options: FaultOptions) {
    super(options.message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = options.code;
    this.at = options.at ?? null;
    this.facts = options.facts ?? {};
    this.next = options.next ?? [faultCatalogue[options.code].next];
  }

  /** 2 for wrong usage or a refusal by policy, 3 where the environment failed (interface.md, exit codes). */
  get exitCode(): FaultEntry['exitCode'] {
    return faultCatalogue[this.code].exitCode;
  }
}

export function isFault(error: unknown): error is Fault {
  return error instanceof Error && error.name === 'Fault' && 'code' in error && 'exitCode' in error;
}

export function isFaultCode(code: string): code is FaultCode {
  return Object.hasOwn(faultCatalogue, code);
}

/** Gives any thrown value as a Fault; what is not ours becomes `internal_error` with the cause kept. */
export function toFault(error: unknown, doing: string): Fault {
  if (isFault(error)) return error;
  const text = error instanceof Error ? error.message : String(error);
  return new Fault({ code: 'internal_error', message: `Cannot ${doing}: ${text}, no error was expected`, cause: error });
}
