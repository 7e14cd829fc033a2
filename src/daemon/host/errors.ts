/** Failures of the store and of runtimes as the errors of the Host's face. */

import { HostError } from '../../core/agent/host.ts';
import { RuntimeError } from '../../core/agent/runtime.ts';
import type { SessionRef } from '../../core/agent/views.ts';
import { Refusal } from '../store/refusal.ts';

/** An error for the caller; what is nobody's word stays as it is. */
export function toHostError(error: unknown): unknown {
  if (error instanceof RuntimeError) return providerFailure(error);
  if (!(error instanceof Refusal)) return error;
  switch (error.code) {
    case 'session_unknown':
      return new HostError('session_not_found', error.message, { cause: error });
    case 'turn_unknown':
      return new HostError('turn_not_found', error.message, { cause: error });
    case 'turn_active':
      return new HostError('turn_active', error.message, { cause: error });
    case 'rail_placement_conflict':
      return new HostError('rail_placement_conflict', error.message, { cause: error });
    default:
      return error;
  }
}

export function sessionNotFound({ agentSessionId }: SessionRef, doing: string): HostError {
  return new HostError('session_not_found', `Cannot ${doing}: there is no session "${agentSessionId}" that allows it, one was needed`);
}

export function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function providerFailure(error: RuntimeError): HostError {
  const code = error.code === 'provider_start_timeout' ? 'provider_start_timeout' : 'provider_rejected';
  return new HostError(code, error.message, { cause: error, reason: error.code });
}
