import { expect, test } from 'vitest';
import { workspaceId } from '../core/control/boot.ts';
import { rootAddress } from '../core/checkpoint/address.ts';
import type { EntityAddress } from '../core/checkpoint/entity.ts';
import { EntityRegistry, type EntityRef } from '../core/observation/registry.ts';
import { FakeHost, stateOf, type Write } from './replay/fixtures/fake-host.ts';
import { createReadinessView, liveStateOf } from './readiness-view.ts';
import { shownEntities } from './replay/shows.ts';

const born = (kind: EntityAddress['kind']): EntityAddress => ({ kind, origin: { source: 'provider-observation', providerObservation: { connectionId: 'c', chunkSeq: 1n, unitIndex: 1n, eventIndex: 1n } } });
const refs: EntityRef[] = [
  { kind: 'turn', sessionId: 'root', turnId: 'turn-1' },
  { kind: 'interaction', sessionId: 'root', turnId: 'turn-1', interactionKind: 'approval', requestId: 'request-1' },
  { kind: 'tool-call', sessionId: 'root', turnId: 'turn-1', callId: 'call-1' },
  { kind: 'message', sessionId: 'root', messageId: 'message-1' },
  { kind: 'attachment', sessionId: 'root', messageId: 'message-1', ordinal: 1 },
];
const rows: Write[] = [
  { session: { activeTurnId: 'turn-1', settings: { model: 'scripted', speed: 'standard' } }, turn: { turnId: 'turn-1', phase: 'running' } },
  { message: { messageId: 'message-1', payload: { content: [{ type: 'image', attachmentId: 'x' }] } } },
  { message: { messageId: 'call:1', kind: 'tool_call', status: 'running', payload: { callId: 'call-1', status: 'in_progress' } } },
  { interaction: { requestId: 'request-1' } },
];

function open({ writes = rows, settings = { model: 'scripted' }, cwd = '/project' }: { writes?: Write[]; settings?: { [name: string]: string }; cwd?: string } = {}) {
  const host = new FakeHost();
  for (const write of writes) host.commit(write);
  const registry = new EntityRegistry();
  registry.bindRoot('root');
  for (const ref of refs) registry.bind(ref, born(ref.kind));
  const live = liveStateOf(host.port, { workspaceId, registry });
  const expected = stateOf({ session: { agentSessionId: 'root', settings, cwd }, turns: [], messages: [], interactions: [] });
  return { live, view: createReadinessView(live, { expected, normalisePath: (path) => path }) };
}

test('the view reads the rows behind addresses', () => {
  const { view } = open();
  expect(view.session(rootAddress)).toEqual({ hasActiveTurn: true, hasEnded: false });
  expect(view.turn(born('turn'))).toMatchObject({ phase: 'running', outcome: '', messages: [{ status: 'running' }, { payload: { callId: 'call-1' } }] });
  expect(view.call(born('tool-call'))).toEqual({ status: 'running', payload: { callId: 'call-1', status: 'in_progress' } });
  expect(view.interaction(born('interaction'))).toMatchObject({ status: 'pending' });
  expect(view.attachment(born('attachment'))).toMatchObject({ attachmentId: 'x' });
  expect([view.areSettingsRecorded(rootAddress), view.isProjectRecorded(rootAddress)]).toEqual([true, true]);
});

test('the view knows nothing of what is not there', () => {
  const { view } = open({ writes: [] });
  expect([view.session(rootAddress), view.turn(born('turn')), view.call(born('tool-call')), view.areSettingsRecorded(rootAddress)]).toEqual([undefined, undefined, undefined, false]);
  expect(open().view.turn(born('message'))).toBe(undefined);
});

test('other settings or another folder are not the recorded ones', () => {
  const { view } = open({ settings: { model: 'other' }, cwd: '/elsewhere' });
  expect([view.areSettingsRecorded(rootAddress), view.isProjectRecorded(rootAddress)]).toEqual([false, false]);
});

const checkShown = (address: EntityAddress, writes: Write[], shown: object[]) => expect(shownEntities([address], open({ writes: [...rows, ...writes] }).live)).toEqual(shown);

test.each<[string, EntityAddress, Write[], object[]]>([
  ['a session that works', rootAddress, [], [{ kind: 'session', sessionId: 'root', id: 'root', status: 'working' }]],
  ['a session that is ready', rootAddress, [{ session: { activeTurnId: null } }], [{ kind: 'session', sessionId: 'root', id: 'root', status: 'ready' }]],
  ['a turn in its phase', born('turn'), [], [{ kind: 'turn', sessionId: 'root', id: 'turn-1', status: 'running' }]],
  ['a turn that has settled', born('turn'), [{ turn: { turnId: 'turn-1', phase: 'settled', outcome: 'canceled' } }], [{ kind: 'turn', sessionId: 'root', id: 'turn-1', status: 'canceled' }]],
  ['an interaction', born('interaction'), [], [{ kind: 'interaction', sessionId: 'root', id: 'request-1', status: 'pending' }]],
  ['a call as its message', born('tool-call'), [], [{ kind: 'message', sessionId: 'root', id: 'call:1', status: 'running' }]],
  ['a message', born('message'), [], [{ kind: 'message', sessionId: 'root', id: 'message-1', status: 'running' }]],
  ['nothing for a goal', born('goal'), [], []],
])('shownEntities() gives %s', (_title, address, writes, shown) => checkShown(address, writes, shown));

test('while a cassette is made, what there is is as recorded', () => {
  const { live } = open({ settings: { model: 'another' }, cwd: '/elsewhere' });
  const view = createReadinessView(live, null);
  expect([view.areSettingsRecorded(rootAddress), view.isProjectRecorded(rootAddress)]).toEqual([true, true]);
});
