/** Settings, title and pin of a session (agent-host 1.9). */

import type { SessionRef, SessionView, Settings } from '../../core/agent/views.ts';
import { needSession, type HostContext } from './context.ts';
import { toHostError } from './errors.ts';
import { readTitle } from './title.ts';

/** Live: the runtime first, and what it made of them is stored. Otherwise they wait in the store. */
export function updateSettings(host: HostContext, ref: SessionRef, patch: Settings): Promise<Settings> {
  return host.lock(ref, async () => {
    const { settings } = needSession(host, ref, 'change settings');
    const merged = { ...settings, ...patch };
    const isLive = host.runtime.has(ref) && host.runtime.isLive(ref);
    try {
      const next = isLive ? await host.runtime.updateSettings(ref, merged) : merged;
      return host.store.patch(ref, { settings: next }).settings;
    } catch (error) {
      throw toHostError(error);
    }
  });
}

export function updateTitle(host: HostContext, ref: SessionRef, title: string): Promise<SessionView> {
  const wanted = readTitle(title);
  return host.lock(ref, async () => {
    needSession(host, ref, 'change title');
    host.store.patch(ref, { title: wanted });
    if (host.runtime.has(ref)) host.runtime.setTitle(ref, wanted);
    return host.store.view(ref)!;
  });
}

export async function updatePin(host: HostContext, ref: SessionRef, isPinned: boolean): Promise<SessionView> {
  needSession(host, ref, 'pin session');
  host.store.patch(ref, { isPinned });
  return host.store.view(ref)!;
}
