/** What a recording or the store of cassettes refuses, as a value (cassette-contract 9.4). */

import type { Issue } from '../issue.ts';

export type RefusalCode =
  | 'recording_busy'
  | 'recording_not_found'
  | 'recording_state_invalid'
  | 'recording_active'
  | 'cassette_not_found'
  | 'cassette_name_invalid'
  | 'cassette_invalid'
  | 'batch_invalid'
  | 'import_invalid'
  | 'import_conflict'
  | 'import_failed'
  | 'target_unsupported'
  | 'blob_conflict'
  | 'blob_source_invalid';

/** `issues` are those of the cassette that was refused. */
export type Refusal = { code: RefusalCode; message: string; issues: Issue[] };
export type Result<T> = { ok: true; value: T } | { ok: false; refusal: Refusal };

export function refuse(code: RefusalCode, message: string, issues: Issue[] = []): Result<never> {
  return { ok: false, refusal: { code, message, issues } };
}
