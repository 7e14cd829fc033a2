/** Ids that follow from what they name, so that a repeated command finds its operation (agent-host 1.4, 2.6). */

import { Buffer } from 'node:buffer';
import { createHash } from 'node:crypto';
import type { SessionRef } from '../../core/agent/views.ts';
import type { OperationKind } from '../store/operations.ts';

/** UUID version 5 over workspace, session, kind and what the operation is about. */
export function operationId(ref: SessionRef, kind: OperationKind, subject: readonly string[]): string {
  return uuidOf([ref.workspaceId, ref.agentSessionId, kind, ...subject].join('\0'));
}

/** RFC 9562, section 5.5, in the namespace of URLs. */
export function uuidOf(name: string): string {
  const hash = createHash('sha1').update(urlNamespace).update(name).digest().subarray(0, 16);
  hash[6] = (hash[6]! & 0x0f) | 0x50;
  hash[8] = (hash[8]! & 0x3f) | 0x80;
  return hash.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

const urlNamespace = Buffer.from('6ba7b8119dad11d180b400c04fd430c8', 'hex');
