/** What the commands of one Host share. */

import type { Runtime } from '../../core/agent/runtime.ts';
import type { SessionRef } from '../../core/agent/views.ts';
import type { StoredSession } from '../store/sessions.ts';
import type { Store } from '../store/store.ts';
import { sessionNotFound } from './errors.ts';
import type { SessionLock } from './lock.ts';

export type HostContext = {
  store: Store;
  runtime: Runtime;
  ids: { uuid: () => string };
  lock: SessionLock;
  normalisePath: (path: string) => string;
  log: (text: string, error: unknown) => void;
  /** Calls once after that time; the result cancels. Null: an operation that was put off waits for its command or a recovery. */
  after: ((ms: number, call: () => void) => () => void) | null;
};

export function needSession(host: HostContext, ref: SessionRef, doing: string): StoredSession {
  const session = host.store.session(ref);
  if (!session) throw sessionNotFound(ref, doing);
  return session;
}
