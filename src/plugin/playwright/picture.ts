/** Pictures of checkpoints: taken when the page has come to rest (stand-in b10, design ruling 23). */

import type { Page, Request } from '@playwright/test';
import { limits } from '../../core/limits.ts';
import { endsWithin } from '../../core/within.ts';
import { nodeClock } from '../../runner/clock.ts';

export type Picture = { body: Buffer; isQuiet: boolean };

/** Watches a page so that a picture can wait for fetches under way; event streams never end and do not count, nor do commands, which may be held at a checkpoint. */
export function watchPage(page: Page): { take: () => Promise<Picture> } {
  const pending = new Set<Request>();
  const isCounted = (request: Request) => ['fetch', 'xhr'].includes(request.resourceType()) && !(request.headers().accept ?? '').includes('text/event-stream') && !('x-playhead-command' in request.headers());
  page.on('request', (request) => isCounted(request) && pending.add(request));
  const done = (request: Request) => pending.delete(request);
  page.on('requestfinished', done).on('requestfailed', done);
  return {
    async take() {
      const endMs = performance.now() + limits.pictureQuietMs;
      let isQuiet = false;
      while (!isQuiet && performance.now() < endMs) {
        const leftMs = Math.max(1, endMs - performance.now());
        const frames = page.evaluate(twoQuietFrames, leftMs);
        // A page that is busy answers nothing, and its picture is tried all the same.
        if (!(await endsWithin(frames, leftMs + limits.lastWordsMs, nodeClock))) break;
        isQuiet = (await frames) && pending.size === 0;
      }
      return { body: await page.screenshot({ animations: 'disabled', caret: 'hide', timeout: limits.pictureMs }), isQuiet };
    },
  };
}

// Runs in the page.
function twoQuietFrames(limitMs: number): Promise<boolean> {
  return document.fonts.ready.then(
    () =>
      new Promise((resolve) => {
        let frames = 0;
        const endMs = performance.now() + limitMs;
        const observer = new MutationObserver(() => (frames = 0));
        observer.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
        const tick = () => {
          frames++;
          if (frames <= 2 && performance.now() < endMs) return void requestAnimationFrame(tick);
          observer.disconnect();
          resolve(frames > 2);
        };
        requestAnimationFrame(tick);
      }),
  );
}
