import { expect, test } from 'vitest';
import { createHost } from '../../../src/daemon/host/host.ts';
import type { CommittedDelta } from '../../../src/core/agent/delta.ts';
import { ended, FakeClock, FakeProcess, note, settle, thread } from '../../../src/providers/codex/live/fixtures/fake-process.ts';
import { createCodexRuntime } from '../../../src/providers/codex/live/runtime.ts';
import { codeOf, createOptions, prompted, ref, sendInput } from './desk.ts';
import { createWorld } from './fake-runtime.ts';

/** The Host on its store with the adapter of Codex, whose processes are scripted. */
function openDesk() {
  const processes = [new FakeProcess([]), new FakeProcess([])] as const;
  let started = 0;
  const store: { refuses: (delta: CommittedDelta) => boolean } = { refuses: () => false };
  const host = createHost({
    ...createOptions(createWorld()),
    runtime: (sink) =>
      createCodexRuntime({
        sink,
        clock: new FakeClock(),
        transport: { tracksProviderInputUnits: true, start: async () => processes[started++] as FakeProcess },
        specFor: ({ ref: { agentSessionId }, cwd, provider }) => ({ provider, agentSessionId, rootAgentSessionId: '', command: ['codex'], env: [], cwd, protocolCwd: cwd }),
        clientInfo: { name: 'desk', title: 'Desk', version: '1' },
      }),
    participant: (delta) => {
      if (store.refuses(delta)) throw new Error('the disk is full');
    },
  });
  return { host, processes, store, turns: () => host.graph(ref)?.turns.map(({ phase, outcome, error }) => [phase, outcome, error?.code ?? null]) };
}

const accepts = (process: FakeProcess, id: number, turn: string) => process.say({ id, result: { turn: { id: turn } } }, note('turn/started', { turn: { id: turn } }));

async function idleDesk() {
  const desk = openDesk();
  const [process] = desk.processes;
  process.open();
  accepts(process, 3, 'u1');
  await desk.host.create(prompted());
  process.say(ended('completed'));
  await settle();
  return { ...desk, process };
}

test('a session whose Codex died before it answered a prompt goes on with the next one, and the lost one is not sent twice', async () => {
  const { host, process, processes, turns } = await idleDesk();
  const lost = codeOf(host.send(sendInput()));
  await process.hasSent(5);
  process.exit(1);
  expect(await lost).toBe('submit_delivery_unknown');
  expect([turns(), host.session(ref)?.activeTurnId]).toEqual([[['settled', 'completed', null], ['settled', 'failed', 'provider_exited']], null]);
  expect(await codeOf(host.send(sendInput()))).toBe('submit_delivery_unknown');
  processes[1].say({ id: 1, result: {} });
  processes[1].say({ id: 2, result: { thread, model: 'scripted' } });
  accepts(processes[1], 3, 'u2');
  await host.send(sendInput({ clientSubmitId: 'submit-3' }));
  await settle();
  expect(turns()?.at(-1)).toEqual(['running', null, null]);
});

test('a prompt with a permission mode that Codex does not have is refused, and nothing of it stays', async () => {
  const { host, process, turns } = await idleDesk();
  expect(await codeOf(host.send(sendInput({ settings: { permissionModeId: 'wild' } })))).toBe('provider_rejected');
  expect([turns()?.length, host.session(ref)?.settings['permissionModeId'], process.sent.length]).toEqual([1, 'ask', 4]);
  accepts(process, 4, 'u2');
  await host.send(sendInput({ settings: { permissionModeId: 'auto' } }));
  expect(turns()?.length).toBe(2);
});

test('the end of a turn that the store refused once is stored with the cancel of the turn', async () => {
  const desk = openDesk();
  const [process] = desk.processes;
  process.open();
  accepts(process, 3, 'u1');
  const { turnId } = await desk.host.create(prompted());
  desk.store.refuses = ({ turns }) => turns.some(({ after }) => after?.phase === 'settled');
  process.say(ended('completed'));
  await settle();
  expect(desk.turns()).toEqual([['running', null, null]]);
  desk.store.refuses = () => false;
  expect(await desk.host.cancel(ref, turnId as string)).toMatchObject({ state: 'settled', outcome: 'completed' });
});
