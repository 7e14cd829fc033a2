/** One Host on SQLite with a scripted runtime, a clock that counts and ids that count. */

import type { CommittedDelta } from '../../../src/core/agent/delta.ts';
import { HostError, type AgentHost, type CreateInput, type SendInput } from '../../../src/core/agent/host.ts';
import type { ActivitySink } from '../../../src/core/agent/report.ts';
import { createHost, type HostOptions } from '../../../src/daemon/host/host.ts';
import { createFakeRuntime, createWorld, type World } from './fake-runtime.ts';

export const workspaceId = 'workspace';
export const ref = { workspaceId, agentSessionId: 'session-a' };

export type Desk = { host: AgentHost; world: World; deltas: CommittedDelta[]; logged: string[]; sink: ActivitySink };

export function createOptions(world: World, prefix = 'id'): HostOptions & { logged: string[] } {
  let now = 1_000;
  let id = 0;
  const logged: string[] = [];
  return {
    databasePath: ':memory:',
    runtime: (sink) => createFakeRuntime(world, sink),
    clock: { nowUnixMs: () => (now += 7) },
    ids: { uuid: () => `${prefix}-${++id}` },
    log: (text, error) => void logged.push(`${text}: ${error instanceof Error ? error.message : String(error)}`),
    logged,
  };
}

export function createDesk(change: Partial<World> = {}, options: Partial<HostOptions> = {}): Desk {
  const world = createWorld(change);
  const own = createOptions(world);
  const host = createHost({ ...own, ...options });
  const deltas: CommittedDelta[] = [];
  host.observe((delta) => deltas.push(delta));
  return { host, world, deltas, logged: own.logged, sink: host.sink };
}

export function createInput(change: Partial<CreateInput> = {}): CreateInput {
  return { ref, agentTargetId: 'local:codex', provider: 'codex', cwd: '/work/project', settings: { model: 'scripted', permissionModeId: 'ask' }, ...change };
}

export const prompted = (change: Partial<CreateInput> = {}): CreateInput => createInput({ initialContent: [{ type: 'text', text: 'Say hello' }], clientSubmitId: 'submit-1', ...change });

export const sendInput = (change: Partial<SendInput> = {}): SendInput => ({ ref, content: [{ type: 'text', text: 'Once more' }], clientSubmitId: 'submit-2', ...change });

export function countOf({ calls }: World, name: string): number {
  return calls.filter((call) => call.name === name).length;
}

/** `start 1 exec 0` and so on, of the calls that a scenario speaks of. */
export function countsOf(world: World, ...names: string[]): string {
  return names.map((name) => `${name} ${countOf(world, name)}`).join(' ');
}

export async function codeOf(promise: Promise<unknown>): Promise<string> {
  try {
    await promise;
    return 'no error';
  } catch (error) {
    return error instanceof HostError ? error.code : `${(error as Error).name}: ${(error as Error).message}`;
  }
}

/** A turn of the provider ends, with an answer. */
export async function finishTurn({ sink }: Pick<Desk, 'sink'>, turnId: string, { text = 'Hello', outcome = 'completed' as const } = {}): Promise<void> {
  await sink.report({
    ref, unit: null,
    messages: [{ messageId: `answer:${turnId}`, turnId, role: 'assistant', kind: 'text', status: 'completed', payload: { text } }],
    rootProviderTurn: { turnId, providerTurnId: `provider:${turnId}`, phase: 'completed', outcome },
  });
}

/** A turn waits for an approval. */
export async function askApproval({ sink }: Pick<Desk, 'sink'>, turnId: string, requestId = 'request-1'): Promise<void> {
  await sink.report({
    ref, unit: null,
    interactions: [{ turnId, requestId, kind: 'approval', status: 'pending', toolName: 'command', input: { toolCall: { toolCallId: `call:${requestId}`, title: 'ls' } }, metadata: { options: ['approve', 'deny'] } }],
    turn: { turnId, phase: 'waiting' },
  });
}

export const approve = { action: 'approve', optionId: null, payload: null };
export const deny = { action: 'deny', optionId: null, payload: null };
