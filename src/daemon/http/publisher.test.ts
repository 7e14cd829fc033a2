import { expect, test } from 'vitest';
import { workspaceId } from '../../core/control/boot.ts';
import type { LanePlaceView } from '../../core/control/lanes.ts';
import type { InputUnit } from '../../core/ports.ts';
import { changeOf, fakeHost, graph, message, session } from './fixtures/fake-host.ts';
import { createPublisher } from './publisher.ts';

const unitAt = (connectionId: string, chunkSeq: number): InputUnit => ({ position: { connectionId, chunkSeq, unitIndex: 1 }, kind: 'protocol-message' });
const placeAt = (connectionId: string, chunkSeq: number): LanePlaceView => ({ connectionId, chunkSeq, unitIndex: 1 });

function openWindow(lanes: LanePlaceView[] = []) {
  const host = fakeHost();
  const publisher = createPublisher({ host, workspaceId, lanes: () => lanes });
  const events: unknown[] = [];
  const open = () => publisher.open({ write: (bytes) => events.push(JSON.parse(bytes.toString().replace(/^data: /, ''))), end: () => events.push('end') });
  return { host, publisher, events, open };
}

test('a window starts from a snapshot and hears every later change', () => {
  const { host, events, open } = openWindow();
  host.commit(changeOf({ revision: 4 }));
  open();
  host.commit(changeOf({ revision: 5, sessions: [{ before: null, after: session }] }));
  expect(events).toEqual([
    { type: 'snapshot', revision: 4, lanes: [], sessions: [graph] },
    { type: 'change', revision: 5, sessions: [session], turns: [], messages: [], appends: [], interactions: [] },
  ]);
});

test('what a message grew by goes out alone', () => {
  const { host, events, open } = openWindow();
  open();
  host.commit(changeOf({ messages: [{ before: message, after: { ...message, version: 2, payload: { text: 'Hello' } }, appended: 'lo' }] }));
  expect(events[1]).toMatchObject({ messages: [], appends: [{ agentSessionId: 's1', messageId: 'm1', version: 2, text: 'lo' }] });
});

test('what was taken back goes out by its ids', () => {
  const { host, events, open } = openWindow();
  open();
  host.commit(changeOf({ removed: { sessionIds: [], turnIds: ['t1'] } }));
  host.commit(changeOf({}));
  expect(events.slice(1).map((event) => (event as { removed?: unknown }).removed)).toEqual([{ sessionIds: [], turnIds: ['t1'] }, undefined]);
});

test('a change of a unit carries all lanes, a command none', () => {
  const { host, events, open } = openWindow();
  open();
  host.commit(changeOf({ unit: unitAt('b', 3) }));
  host.commit(changeOf({ unit: unitAt('a', 2) }));
  host.commit(changeOf({}));
  expect(events.slice(1).map((event) => (event as { lanes?: unknown }).lanes)).toEqual([[placeAt('b', 3)], [placeAt('a', 2), placeAt('b', 3)], undefined]);
});

test('a snapshot starts from the lanes of the mode, raised by what was committed', () => {
  const { host, events, open } = openWindow([placeAt('a', 7), placeAt('b', 1)]);
  host.commit(changeOf({ unit: unitAt('b', 3) }));
  open();
  expect(events[0]).toMatchObject({ lanes: [placeAt('a', 7), placeAt('b', 3)] });
});

test('a connection without a name stands in no lane', () => {
  const { host, events, open } = openWindow();
  open();
  host.commit(changeOf({ unit: unitAt('', 0) }));
  expect(events[1]).toMatchObject({ lanes: [] });
});

test('a window that left hears nothing, and closing ends the others', () => {
  const { host, publisher, events, open } = openWindow();
  open()();
  open();
  publisher.close();
  host.commit(changeOf({}));
  expect(events.map((event) => (event as { type?: string }).type ?? event)).toEqual(['snapshot', 'snapshot', 'end']);
});
