import { expect, test } from 'vitest';
import { createDivergence } from '../../core/verdict/divergence.ts';
import { FakeClock, settle, stateOf } from '../../tape/fixtures/fake-clock.ts';
import { FakeDaemon } from './fixtures/lane-desk.ts';
import { DaemonWatch } from './watch.ts';

async function open() {
  const clock = new FakeClock();
  const daemon = new FakeDaemon({ clock, log: [] });
  return { clock, daemon, watch: await DaemonWatch.open({ daemon, clock }) };
}

test('DaemonWatch wakes whoever waits when the daemon tells of a change, and is idle from then on', async () => {
  const { clock, daemon, watch } = await open();
  await clock.advance(700);
  expect(watch.idleMs).toBe(700);
  const moved = watch.moved.next();
  daemon.tell({ accepted: [1] });
  expect(await stateOf(moved)).toMatchObject({ is: 'done' });
  expect(watch.status.accepted).toEqual([1]);
  expect(watch.idleMs).toBe(0);
});

test('DaemonWatch follows every change, also those that come in one breath', async () => {
  const { daemon, watch } = await open();
  for (const sequence of [1, 2, 3]) daemon.accept(sequence);
  await settle();
  daemon.accept(4);
  await settle();
  expect(watch.status).toMatchObject({ revision: 5, accepted: [1, 2, 3, 4] });
});

test('DaemonWatch.progress() is a change that the daemon does not know of', async () => {
  const { clock, watch } = await open();
  await clock.advance(700);
  const moved = watch.moved.next();
  watch.progress();
  expect(await stateOf(moved)).toMatchObject({ is: 'done' });
  expect(watch.idleMs).toBe(0);
});

test('DaemonWatch.refresh() gives what was not told yet', async () => {
  const { daemon, watch } = await open();
  daemon.whisper({ isDrained: true });
  expect(watch.status.isDrained).toBe(false);
  expect((await watch.refresh()).isDrained).toBe(true);
});

test('DaemonWatch.refresh() of the same revision is newer in time alone, and no progress', async () => {
  const { clock, watch } = await open();
  await clock.advance(700);
  expect((await watch.refresh()).playbackElapsedMs).toBe(700);
  expect(watch.idleMs).toBe(700);
});

test('DaemonWatch does not go back to an older answer', async () => {
  const { daemon, watch } = await open();
  const old = await daemon.status();
  daemon.accept(1);
  await settle();
  Object.defineProperty(daemon, 'status', { value: async () => old });
  expect((await watch.refresh()).accepted).toEqual([1]);
});

test('DaemonWatch is lost with the daemon, and wakes whoever waits', async () => {
  const { daemon, watch } = await open();
  const moved = watch.moved.next();
  daemon.die();
  expect(await stateOf(moved)).toMatchObject({ is: 'done' });
  expect(watch.lost).toContain('ECONNREFUSED');
  watch.lose('its process ended with code 1');
  expect(watch.lost).toContain('ECONNREFUSED');
});

test('DaemonWatch.lose() keeps the first cause', async () => {
  const { watch } = await open();
  watch.lose('its process ended with code 1');
  watch.lose('something else');
  expect(watch.lost).toBe('its process ended with code 1');
});

test('DaemonWatch.close() ends its wait, and the end of a daemon is no loss from then on', async () => {
  const { daemon, watch } = await open();
  expect(await stateOf(watch.close())).toMatchObject({ is: 'done' });
  daemon.die();
  watch.lose('its process ended with code 0');
  await settle();
  expect(watch.lost).toBeNull();
});

test('DaemonWatch.open() rejects where the daemon cannot be asked', async () => {
  const clock = new FakeClock();
  const daemon = new FakeDaemon({ clock, log: [] });
  daemon.die();
  await expect(DaemonWatch.open({ daemon, clock })).rejects.toMatchObject({ code: 'daemon_lost' });
});

test('DaemonWatch keeps its last status when it is closed, whatever the aborted question gives', async () => {
  const { daemon, watch } = await open();
  daemon.accept(1);
  await settle();
  Object.defineProperty(daemon, 'changed', { value: async (after: number, signal: AbortSignal) => {
    await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
    return { revision: after };
  } });
  daemon.tell({ isDrained: true });
  await settle();
  await watch.refresh();
  await watch.close();
  expect(watch.status).toMatchObject({ accepted: [1], isDrained: true, counts: { connections: 0 } });
});

test('DaemonWatch tells of a divergence when the daemon does, and of one that was there before', async () => {
  const { daemon, watch } = await open();
  const heard: string[] = [];
  watch.onDivergence(({ code }) => heard.push(code));
  daemon.tell({ divergence: createDivergence({ layer: 'effect', code: 'command_extra', message: 'Cannot continue replay: one command too many' }) });
  await settle();
  expect(heard).toEqual(['command_extra']);
  watch.onDivergence(({ code }) => heard.push(`again ${code}`));
  expect(heard.at(-1)).toBe('again command_extra');
});
