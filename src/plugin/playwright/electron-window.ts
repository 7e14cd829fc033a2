/** Attaches Playwright to a window that the runner opened on Electron (design ruling 22, desktop-order b11). */

import type { BrowserContext, PlaywrightTestArgs, PlaywrightWorkerArgs } from '@playwright/test';
import type { WindowBoot } from '../../core/agent/wire.ts';
import { Fault } from '../../core/fault.ts';
import { limits } from '../../core/limits.ts';
import type { Clock } from '../../core/ports.ts';
import { endsWithin } from '../../core/within.ts';
import type { WindowSide } from '../../runner/run.ts';

type Playwright = PlaywrightWorkerArgs['playwright'];

export type AttachedWindow = {
  context: BrowserContext;
  page: PlaywrightTestArgs['page'];
  /** Why its process ended, when it has. */
  ended: Promise<string>;
  close: () => Promise<void>;
};

export async function openElectronWindow(options: { playwright: Playwright; window: WindowSide; size: { width: number; height: number } | null; windowMs: number; clock: Clock }): Promise<AttachedWindow> {
  const { playwright, window, windowMs, clock } = options;
  if (!window.open) throw new Fault({ code: 'option_invalid', message: 'Cannot use surface "electron": the product opens no window on it, "chromium" was needed' });
  // A window that loads its page while it is attached to may never be so: it gets its boot, and opens, once we are there.
  let show = (): void => {};
  const boot = new Promise<WindowBoot>((resolve) => (show = () => resolve(window.boot)));
  const started = await window.open({ boot, size: options.size ?? defaultSize }).catch((error: unknown) => {
    window.fail(error);
    throw error;
  });
  try {
    const browser = await playwright.chromium.connectOverCDP(started.endpoint, { timeout: windowMs });
    show();
    const context = browser.contexts()[0] as BrowserContext;
    const page = context.pages()[0] ?? (await context.waitForEvent('page', { timeout: windowMs }));
    return {
      context,
      page,
      ended: started.exited.then(({ why }) => why),
      // The context first: closing the connection alone leaves the trace a stub and the window alive.
      async close() {
        await context.close().catch(() => {});
        await started.stop();
      },
    };
  } catch (error) {
    // A connection that broke says less than the process that broke it.
    const hasEnded = await endsWithin(started.exited, limits.lastWordsMs, clock);
    await started.stop();
    const why = hasEnded ? (await started.exited).why : (error as Error).message.split('\n')[0];
    const fault = new Fault({ code: 'window_not_ready', message: `Cannot attach to the window: ${why}, an open one was needed`, cause: error });
    window.fail(fault);
    throw fault;
  }
}

const defaultSize = { width: 1280, height: 800 };
