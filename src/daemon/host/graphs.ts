/** A settled graph out of the store, and back into an empty one (agent-host 1.10, cassette-contract 7.3). */

import { HostError } from '../../core/agent/host.ts';
import type { SessionRef } from '../../core/agent/views.ts';
import type { Finding } from '../../core/issue.ts';
import type { Json } from '../../core/json/exact.ts';
import { isBlank, listAt, objectAt, textAt } from '../../core/json/read.ts';
import { checkShape } from '../../core/schema/check-shape.ts';
import { checkGraph } from '../../core/state/check-graph.ts';
import { needSession, type HostContext } from './context.ts';
import { textOf } from './errors.ts';

export function capture(host: HostContext, root: SessionRef): Json {
  const { kind } = needSession(host, root, 'capture session');
  if (kind !== 'root') throw new HostError('invalid_argument', `Cannot capture session "${root.agentSessionId}": it is a child, its root was needed`);
  if (!host.store.isSettled(root)) throw new HostError('historical_state_unavailable', `Cannot capture session "${root.agentSessionId}": a turn has not settled, a settled graph was needed`);
  return host.store.capture(root);
}

export type RestoreInput = { workspaceId: string; userId: string; state: Json };

export function restore(host: HostContext, { workspaceId, userId, state }: RestoreInput): void {
  if (isBlank(workspaceId) || isBlank(userId)) throw new HostError('invalid_argument', 'Cannot restore state: the workspace or the user is blank, both were needed');
  check(state);
  switch (write(host, { workspaceId, userId, state })) {
    case 'inserted':
    case 'same':
      return;
    case 'partial':
      throw conflict('some of its sessions are there and some are not');
    case 'different':
      throw conflict('its sessions are there with other content');
    case 'foreign':
      throw conflict('its sessions belong to another user');
  }
}

function write({ store }: HostContext, { workspaceId, userId, state }: RestoreInput) {
  try {
    return store.restore({ workspaceId, userId }, state);
  } catch (error) {
    // What a check of the whole does not see, a constraint of a row does; nothing was written.
    throw new HostError('historical_state_conflict', `Cannot restore state: the store refuses it (${textOf(error)})`, { cause: error });
  }
}

function check(state: Json): void {
  const found: Finding[] = [];
  const report = (finding: Finding) => found.push(finding);
  const agent = objectAt(state, 'agent');
  const sessions = listAt(agent, 'sessions') ?? [];
  const isShaped = checkShape('state', state, { file: 'initial-state.json' }, report);
  if (isShaped && sessions.length === 0) throw new HostError('invalid_argument', 'Cannot restore state: it holds no session, a root was needed');
  if (isShaped) checkGraph({ root: textAt(agent, 'rootSessionId'), sessions }, (finding) => report({ file: 'initial-state.json', ...finding }));
  const first = found[0];
  if (first) throw new HostError(conflicts.has(first.code) ? 'historical_state_conflict' : 'invalid_argument', `Cannot restore state: at ${first.path ?? '$'} ${first.is}, ${first.needed}`);
  if (sessions.some((session) => objectAt(session, 'goal'))) throw new HostError('invalid_argument', 'Cannot restore state: it holds a goal, and this store keeps none');
}

function conflict(is: string): HostError {
  return new HostError('historical_state_conflict', `Cannot restore state: ${is}, an empty place or an equal graph was needed`);
}

const conflicts = new Set<string>(['state_not_settled', 'state_session_repeated', 'state_turn_repeated', 'state_child_detached', 'state_turn_unknown', 'state_root_invalid']);
