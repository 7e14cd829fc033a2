import { expect, test } from 'vitest';
import type { WindowBoot } from '../../core/agent/wire.ts';
import type { WindowSide } from '../../runner/run.ts';
import { nodeClock } from '../../runner/clock.ts';
import { openElectronWindow } from './electron-window.ts';

type Given = Parameters<typeof openElectronWindow>[0];
const boot: WindowBoot = { baseUrl: 'http://127.0.0.1:4000', token: 'of-the-window' };

/** A program that shows its page as soon as it has a boot, as ours does. */
function createDesk({ hasPage = false, connect = async () => {} }: { hasPage?: boolean; connect?: () => Promise<void> } = {}) {
  const told: string[] = [];
  const pages = hasPage ? ['an early page'] : [];
  const waiting: ((page: string) => void)[] = [];
  const context = { pages: () => pages, waitForEvent: () => new Promise<string>((resolve) => waiting.push(resolve)), close: async () => void told.push('context closed') };
  const open: NonNullable<WindowSide['open']> = async ({ boot: given }) => {
    told.push('started');
    void given.then(({ token }) => {
      told.push(`shown to ${token}`);
      for (const arrive of waiting) arrive('the page');
    });
    return { endpoint: 'ws://127.0.0.1:5000/1', pid: 1, exited: new Promise(() => {}), stop: async () => void told.push('stopped') };
  };
  const connectOverCDP = async () => {
    await connect();
    told.push('attached');
    return { contexts: () => [context] };
  };
  const window = { boot, open, fail: (error: unknown) => void told.push(`failed: ${(error as Error).message}`), attach: async () => {} } as unknown as WindowSide;
  return { told, options: { playwright: { chromium: { connectOverCDP } } as unknown as Given['playwright'], window, size: null, windowMs: 1_000, clock: nodeClock } };
}

test('a window opens its page once it is attached to, and never meanwhile', async () => {
  const { told, options } = createDesk();
  const { page } = await openElectronWindow(options);
  expect(page).toBe('the page');
  expect(told).toEqual(['started', 'attached', 'shown to of-the-window']);
});

test('a program that opens a window without a boot has its page', async () => {
  const { options } = createDesk({ hasPage: true });
  expect((await openElectronWindow(options)).page).toBe('an early page');
});

test('a program that cannot be attached to gets no boot, is stopped, and fails the run', async () => {
  const { told, options } = createDesk({ connect: () => Promise.reject(new Error('Timeout 1000ms exceeded.\nCall log')) });
  const message = 'Cannot attach to the window: Timeout 1000ms exceeded., an open one was needed';
  await expect(openElectronWindow(options)).rejects.toMatchObject({ code: 'window_not_ready', message });
  expect(told).toEqual(['started', 'stopped', `failed: ${message}`]);
});

test('close() closes the context before the process', async () => {
  const { told, options } = createDesk();
  await (await openElectronWindow(options)).close();
  expect(told.slice(-2)).toEqual(['context closed', 'stopped']);
});
