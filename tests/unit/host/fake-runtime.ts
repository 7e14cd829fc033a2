/** A scripted provider runtime: it counts every call, may say anything, and may never answer. */

import type { ActivityReport, ActivitySink } from '../../../src/core/agent/report.ts';
import type { CancelResult, ExecInput, ExecResult, InteractiveDisposition, Runtime, RuntimeResumeInput, RuntimeStartInput, RuntimeStartResult } from '../../../src/core/agent/runtime.ts';
import type { SessionRef, Settings } from '../../../src/core/agent/views.ts';

export type Call = { name: string; id: string };
type Asked = Parameters<Runtime['respond']>[0];

/** What outlives a Host: the provider as it saw the calls. A script replaces what a method does by default. */
export type World = {
  calls: Call[];
  /** The process of the Host has died: nothing answers any more, and nothing is counted. */
  isDead: boolean;
  live: Set<string>;
  connected: boolean;
  start: (input: RuntimeStartInput, runtime: Fake) => Promise<RuntimeStartResult> | RuntimeStartResult;
  resume: (input: RuntimeResumeInput, runtime: Fake) => Promise<RuntimeStartResult> | RuntimeStartResult;
  exec: (input: ExecInput, runtime: Fake) => Promise<ExecResult> | ExecResult;
  validate: Runtime['validate'];
  respond: (input: Asked, runtime: Fake) => Promise<InteractiveDisposition> | InteractiveDisposition;
  cancel: (input: { ref: SessionRef; turnId: string }, runtime: Fake) => Promise<CancelResult> | CancelResult;
  settings: (settings: Settings) => Settings;
  publish: (ref: SessionRef, runtime: Fake) => void;
  disposition: InteractiveDisposition;
};

export type Fake = { report: (report: Omit<ActivityReport, 'unit'> & Partial<Pick<ActivityReport, 'unit'>>) => Promise<unknown> };

export function providerTurnOf(turnId: string): string {
  return `provider:${turnId}`;
}

export const threadOf = ({ agentSessionId }: SessionRef): string => `thread:${agentSessionId}`;

/** Accepts everything at once. */
export function createWorld(change: Partial<World> = {}): World {
  return {
    calls: [],
    isDead: false,
    live: new Set(),
    connected: true,
    start: ({ ref }) => ({ isCreated: true, providerSessionId: threadOf(ref), model: 'scripted', resumeCheckpoint: null }),
    resume: ({ providerSessionId }) => ({ isCreated: true, providerSessionId, model: 'scripted', resumeCheckpoint: null }),
    exec: acceptTurn,
    validate: () => {},
    respond: () => 'answered',
    cancel: async ({ ref, turnId }, { report }) => {
      await report({ ref, rootProviderTurn: { turnId, providerTurnId: providerTurnOf(turnId), phase: 'completed', outcome: 'canceled' } });
      return { state: 'settled' };
    },
    settings: (settings) => settings,
    publish: () => {},
    disposition: 'unknown',
    ...change,
  };
}

export async function acceptTurn({ ref, turnId }: ExecInput, { report }: Fake): Promise<ExecResult> {
  const providerTurnId = providerTurnOf(turnId);
  await report({ ref, turn: { turnId, accepted: { providerSessionId: threadOf(ref), providerTurnId } } });
  await report({ ref, rootProviderTurn: { turnId, providerTurnId, phase: 'running' } });
  return { disposition: 'applied', providerTurnId, error: null };
}

export function createFakeRuntime(world: World, sink: ActivitySink): Runtime {
  const fake: Fake = { report: (report) => sink.report({ unit: null, ...report }) };
  const key = ({ workspaceId, agentSessionId }: SessionRef) => `${workspaceId}/${agentSessionId}`;
  const call = async <Value>(name: string, id: string, run: () => Promise<Value> | Value): Promise<Value> => {
    if (world.isDead) return new Promise(() => {});
    world.calls.push({ name, id });
    return run();
  };
  const begin = (ref: SessionRef) => world.live.add(key(ref));
  return {
    start: async (input) => {
      const result = await call('start', input.ref.agentSessionId, () => world.start(input, fake));
      begin(input.ref);
      return result;
    },
    publishInitialization: (ref) => {
      world.calls.push({ name: 'publish', id: ref.agentSessionId });
      world.publish(ref, fake);
    },
    resume: async (input) => {
      const result = await call('resume', `${input.ref.agentSessionId} ${JSON.stringify([input.recreateIfMissing, input.resumeCheckpoint])}`, () => world.resume(input, fake));
      begin(input.ref);
      return result;
    },
    has: (ref) => world.live.has(key(ref)),
    isLive: (ref) => world.live.has(key(ref)) && world.connected,
    validate: (ref, content) => world.validate(ref, content),
    exec: (input) => call('exec', `${input.clientSubmitId ?? input.turnId}`, () => world.exec(input, fake)),
    cancel: (input) => call('cancel', input.turnId, () => world.cancel(input, fake)),
    respond: (input) => call('respond', `${input.turnId}/${input.requestId}/${input.answer.action}`, () => world.respond(input, fake)),
    dispositionOf: () => world.disposition,
    updateSettings: (ref, settings) => call('settings', ref.agentSessionId, () => world.settings(settings)),
    setTitle: (ref, title) => void world.calls.push({ name: 'title', id: `${ref.agentSessionId} ${title}` }),
    close: async (ref, { preserveCanonical }) => {
      await call('close', `${ref.agentSessionId} ${preserveCanonical ? 'preserve' : 'discard'}`, () => {});
      world.live.delete(key(ref));
    },
    closeAll: async () => world.live.clear(),
  };
}
