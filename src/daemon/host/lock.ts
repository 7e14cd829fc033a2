/** One command at a time for a session, in the order they came (agent-host 4.2, session lock). */

import type { SessionRef } from '../../core/agent/views.ts';

export type SessionLock = <Value>(ref: SessionRef, run: () => Promise<Value>) => Promise<Value>;

export function createSessionLock(): SessionLock {
  const tails = new Map<string, Promise<unknown>>();
  return (ref, run) => {
    const key = `${ref.workspaceId}\0${ref.agentSessionId}`;
    const turn = (tails.get(key) ?? Promise.resolve()).then(run, run);
    const tail = turn.then(noop, noop).then(() => {
      if (tails.get(key) === tail) tails.delete(key);
    });
    tails.set(key, tail);
    return turn;
  };
}

function noop(): void {}
