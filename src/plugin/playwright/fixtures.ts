/** The fixtures: a run per test, its page, and the verdict settled at teardown (interface.md, Playwright). */

import { test as base } from '@playwright/test';
import { basename } from 'node:path';
import { Fault } from '../../core/fault.ts';
import { limits } from '../../core/limits.ts';
import { armable } from '../../runner/armable.ts';
import { openRecording, openReplay, type OpenedRun } from '../../runner/main.ts';
import { readOverrides } from '../../runner/options.ts';
import { stopDisplay } from '../../runner/window/display.ts';
import { createWorkroom, type Workroom } from '../../runner/workroom.ts';
import { nodeClock } from '../../runner/clock.ts';
import type { Replay, ReplayFixtures, ReplayOptions, ReplayWorkerOptions } from './options.ts';
import { openElectronWindow, type AttachedWindow } from './electron-window.ts';
import { Session } from './session.ts';

type WorkerFixtures = ReplayWorkerOptions & { playheadWorkroom: Workroom };
type TestFixtures = ReplayOptions & ReplayFixtures & { playheadLimit: void; playheadWindow: AttachedWindow | null };

export const test = base.extend<TestFixtures, WorkerFixtures>({
  replayCase: [undefined, { option: true }],
  replayTiming: ['instant', { option: true }],
  replayScreenshots: [undefined, { option: true }],
  replayStart: ['free', { option: true }],
  replayProduct: [undefined, { option: true, scope: 'worker' }],
  replaySurface: ['auto', { option: true, scope: 'worker' }],
  replayMode: ['replay', { option: true, scope: 'worker' }],

  playheadWorkroom: [
    async ({}, use) => {
      const workroom = createWorkroom();
      await use(workroom);
      await stopDisplay(workroom);
      workroom.remove();
    },
    { scope: 'worker', box: true },
  ],

  playheadSession: [
    async ({ playheadWorkroom, replayCase, replayTiming, replayScreenshots, replayStart, replayProduct, replaySurface, replayMode, browserName }, use, testInfo) => {
      if (replayCase === undefined) return use(undefined as unknown as Session);
      const overrides = readOverrides(process.env);
      const [caseFolder = '', cassetteName = null] = splitCase(replayCase);
      const options = {
        caseFolder,
        cassetteName,
        productName: replayProduct ?? null,
        surface: overrides.surface ?? replaySurface,
        timing: overrides.timing ?? replayTiming,
        browser: browserName,
        workroom: playheadWorkroom,
        overrides,
        startParked: replayStart === 'parked',
        isUnlimited: testInfo.timeout === 0 || Boolean(process.env.PWDEBUG),
      };
      const isRecording = (overrides.mode ?? replayMode) === 'record';
      const opened: OpenedRun = isRecording ? await openForRecording(options) : await openReplay(options);
      const caseScreenshots = opened.facts.case?.screenshots ?? null;
      const isAttached = opened.state === 'open' && opened.run.window?.open !== undefined;
      const session = new Session(opened, testInfo, { screenshots: replayScreenshots ?? caseScreenshots ?? 'checkpoints', caseName: basename(caseFolder), windowMs: overrides.windowMs, stallMs: overrides.stallMs, isAttached });
      // Refused before anything started: the body must not run against nothing.
      if (session.refusal) {
        await session.end();
        return;
      }
      try {
        await use(session);
      } finally {
        await session.end();
      }
    },
    { auto: true, box: true, title: 'replay', timeout: limits.productStartMs + limits.replaySlackMs },
  ],

  // A fixture with a limit of its own sets that one: this has none, and so sets the test's.
  playheadLimit: [
    async ({ playheadSession }, use) => {
      playheadSession?.raiseLimit();
      await use();
    },
    { auto: true, box: true },
  ],

  // A window of Electron has one context, which cannot be made anew: each test has a process of its own.
  playheadWindow: [
    async ({ playwright, playheadSession, viewport }, use) => {
      const window = playheadSession?.run?.window;
      const { windowMs } = readOverrides(process.env);
      const attached = window?.open ? await openElectronWindow({ playwright, window, size: viewport, windowMs, clock: nodeClock }) : null;
      await use(attached);
      await attached?.close();
    },
    // A display, a process, a connection and a page, each with the limit of its own.
    { box: true, timeout: 4 * limits.windowMs + limits.stopMs },
  ],

  context: async ({ context, playheadWindow }, use) => {
    await use(playheadWindow?.context ?? context);
  },

  page: async ({ context, playheadSession, playheadWindow }, use) => {
    const page = playheadWindow?.page ?? (await context.newPage());
    if (!playheadSession) return use(page);
    await playheadSession.adoptPage(page, playheadWindow?.ended ?? null);
    await use(page);
    await playheadSession.settle();
  },

  replay: async ({ playheadSession }, use) => {
    await use(createReplay(playheadSession));
  },

  shim: async ({ playheadSession }, use) => {
    const run = playheadSession?.run;
    if (!run) throw noCase();
    await use({ env: run.env, path: (provider) => run.programFor(provider) });
  },
});

function createReplay(session: Session | undefined): Replay {
  const run = session?.run;
  if (!session || !run) throw noCase();
  const replay: Replay = {
    case: session.caseName,
    cassette: session.cassetteName,
    get page() {
      return session.page;
    },
    cwd: run.cwd,
    checkpoints: run.checkpoints,
    playTo: (target) => armable((isArmed) => base.step(`play to ${typeof target === 'string' ? target : JSON.stringify(target)}`, () => run.playTo(target, isArmed), { box: true })),
    nextCheckpoint: () => armable((isArmed) => base.step('play to the next checkpoint', () => run.nextCheckpoint(isArmed), { box: true })),
    pause: () => run.pause(),
    resume: () => run.resume(),
    setSpeed: (speed) => run.setSpeed(speed),
    sent: () => run.sent(),
    toolCalls: () => run.toolCalls(),
    async captureState() {
      if (run.captureState) return run.captureState();
      throw new Fault({ code: 'usage', message: 'Cannot capture state: the product has no captureState, one in defineProduct was needed' });
    },
    finish: () => session.finish(),
    abandon: (reason) => session.abandon(reason),
  };
  return Object.assign(replay, { [sessionKey]: session });
}

/** How matchers find the session behind a `replay`. */
export const sessionKey = Symbol.for('playhead.session');

async function openForRecording(options: Parameters<typeof openReplay>[0]): Promise<OpenedRun> {
  const { run, facts } = await openRecording({ ...options, outFolder: process.env.PLAYHEAD_RECORD_OUT ?? null });
  return { state: 'open', run, facts, durationMs: 0 };
}

/** `<folder>#<cassette>` */
export function splitCase(replayCase: string): [string, string | null] {
  const at = replayCase.lastIndexOf('#');
  return at < 0 ? [replayCase, null] : [replayCase.slice(0, at), replayCase.slice(at + 1)];
}

function noCase(): Fault {
  return new Fault({ code: 'usage', message: 'Cannot replay: the test has no case, defineCase(import.meta.url) or test.use({ replayCase }) was needed' });
}
