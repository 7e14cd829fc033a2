/** Where a session stands in the list of sessions: chosen once, at its creation (agent-host 1.3, rail placement). */

import { HostError, type CreateInput } from '../../core/agent/host.ts';

export type Rail = { kind: 'project' | 'conversations'; projectPath: string; key: string };

export const conversations: Rail = { kind: 'conversations', projectPath: '', key: 'conversations' };

/** Null where the caller chose none. `normalisePath` resolves symlinks where it can. */
export function readRail(placement: CreateInput['railPlacement'], normalisePath: (path: string) => string): Rail | null {
  if (!placement) return null;
  if (placement.version !== 1) throw invalid(`version ${String(placement.version)} is unknown, version 1 was needed`);
  if (placement.kind === 'conversations') return conversations;
  const path = placement.projectPath ?? '';
  if (placement.kind !== 'project' || !path.startsWith('/')) throw invalid(`project path "${path}" is not absolute, an absolute one was needed`);
  const projectPath = normalisePath(path);
  return { kind: 'project', projectPath, key: `project:${projectPath}` };
}

function invalid(is: string): HostError {
  return new HostError('invalid_argument', `Cannot place session: ${is}`);
}
