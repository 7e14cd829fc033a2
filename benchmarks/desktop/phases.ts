/** Times between marks of one test, left as annotations for whoever reads the report. */

import type { Page, TestInfo } from '@playwright/test';

export type Phases = { mark: (name: string) => void; during: (name: string, ms: number) => void; end: (testInfo: TestInfo) => void };

export function createPhases(): Phases {
  const times = new Map<string, number>();
  let lastMs = performance.now();
  const during = (name: string, ms: number) => void times.set(name, (times.get(name) ?? 0) + ms);
  return {
    // What was counted under a name of its own meanwhile is not counted twice.
    mark(name) {
      const nowMs = performance.now();
      during(name, nowMs - lastMs);
      lastMs = nowMs;
    },
    during(name, ms) {
      during(name, ms);
      lastMs += ms;
    },
    end: (testInfo) => times.forEach((ms, name) => testInfo.annotations.push({ type: `phase ${name}`, description: String(ms) })),
  };
}

/** Counts what pictures take: the wait for a quiet page, and the screenshot. */
export function watchPictures(page: Page, phases: Phases): void {
  const { evaluate, screenshot } = { evaluate: page.evaluate.bind(page) as (...args: unknown[]) => Promise<unknown>, screenshot: page.screenshot.bind(page) };
  const timed = async <Result>(call: () => Promise<Result>) => {
    const startMs = performance.now();
    const result = await call();
    phases.during('pictures', performance.now() - startMs);
    return result;
  };
  Object.assign(page, {
    evaluate: (body: unknown, ...args: unknown[]) => (typeof body === 'function' && body.name === 'twoQuietFrames' ? timed(() => evaluate(body, ...args)) : evaluate(body, ...args)),
    screenshot: (options: object) => timed(() => screenshot(options)),
  });
}
