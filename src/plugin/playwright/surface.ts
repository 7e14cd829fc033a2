/** The bridge of a window through Playwright: on Chromium its own page, on Electron one it attached to (design rulings 22, 23). */

import type { Page } from '@playwright/test';
import type { ShownEntity } from '../../core/control/daemon.ts';
import type { BridgeSnapshot, DispatchReply, SealReply, SurfaceDriver, VerifyReply } from '../../core/control/surface.ts';
import { Fault } from '../../core/fault.ts';
import { limits } from '../../core/limits.ts';
import { within } from '../../core/within.ts';
import { nodeClock } from '../../runner/clock.ts';

type Bridge = { [method: string]: (...args: unknown[]) => unknown };
type Hidden = { entity: ShownEntity; shown: string | null } | null;

/** `ended` is why the window's process ended, where it has one of its own. */
export function createSurface(page: Page, { readyMs, ended = null }: { readyMs: number; ended?: Promise<string> | null }): SurfaceDriver {
  const lostListeners: ((why: string) => void)[] = [];
  let lost: string | null = null;
  const lose = (why: string) => {
    if (lost !== null) return;
    lost = why;
    for (const listener of lostListeners) listener(why);
  };
  // How its process ended says more than a page that went, and is known a moment later.
  const leave = async (seen: string) => lose((ended && (await within(ended, limits.lastWordsMs, nodeClock))) ?? seen);
  page.on('crash', () => void leave('the window crashed'));
  page.on('close', () => void leave('the window was closed'));

  const call = async <Reply>(method: string, ...args: unknown[]): Promise<Reply> => {
    try {
      return (await page.evaluate(callBridge, { method, args })) as Reply;
    } catch (error) {
      const why = firstLine(error).replace(/^page\.evaluate: (Error: )?/, '');
      if (!page.isClosed() && lost === null && why.startsWith('Cannot ')) throw new Fault({ code: 'window_refused', message: why, cause: error });
      throw new Fault({ code: 'window_lost', message: `Cannot ask the window to ${method}: ${lost ?? why}, an answer was needed`, cause: error });
    }
  };
  return {
    ready: () => waitForBridge(page, readyMs),
    dispatch: (sequence) => call<DispatchReply>('dispatch', sequence),
    verify: (sequence) => call<VerifyReply>('verify', sequence),
    snapshot: () => call<BridgeSnapshot>('snapshot'),
    seal: () => call<SealReply>('seal'),
    findHidden: (entities) => call<Hidden>('findHidden', entities),
    onLost: (listener) => void (lost === null ? lostListeners.push(listener) : listener(lost)),
  };
}

// The bridge appears when the app has asked its daemon who it is; what it says then is that all is there.
async function waitForBridge(page: Page, readyMs: number): Promise<void> {
  const limit = AbortSignal.timeout(readyMs);
  const late = new Promise<never>((_, reject) => limit.addEventListener('abort', () => reject(new Error(lateText))));
  late.catch(() => {});
  try {
    // Note: a predicate that gives a promise ends this wait at once, whatever the promise comes to.
    await Promise.race([page.waitForFunction(() => '__playhead' in globalThis, undefined, { timeout: 0, polling: 'raf' }), late]);
    await Promise.race([page.evaluate(callBridge, { method: 'ready', args: [] }), late]);
  } catch (error) {
    const why = firstLine(error);
    throw new Fault({ code: 'window_not_ready', message: `Cannot use the window: ${why === lateText ? `its bridge did not become ready within ${readyMs} ms` : why}, a ready one was needed`, facts: { shown: await textOf(page), why }, cause: error });
  }
}

const lateText = 'it was not ready in time';

// A page that is busy answers nothing.
async function textOf(page: Page): Promise<string> {
  const text = page.evaluate(() => document.body?.innerText.slice(0, 200) ?? '').catch(() => '');
  return Promise.race([text, new Promise<string>((resolve) => AbortSignal.timeout(busyMs).addEventListener('abort', () => resolve('')))]);
}

const busyMs = 500;

// Runs in the page.
function callBridge({ method, args }: { method: string; args: unknown[] }): unknown {
  const bridge = (globalThis as unknown as { __playhead?: Bridge }).__playhead;
  const call = bridge?.[method];
  if (!call) throw new Error(`the window has no bridge with "${method}"`);
  return call(...args);
}

function firstLine(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split('\n')[0] ?? '';
}
