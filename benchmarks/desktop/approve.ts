/** The case desktop-approve-command, replayed and bare in turns: same daemon, same window, same number of pictures. */

import type { Page } from '@playwright/test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test as replayed } from 'playhead/playwright';
import { repository } from '../scratch.ts';
import { electronProgram, startBareDaemon, startBareElectron, type BareDaemon, type BareWindow } from './bare-desktop.ts';
import { createPhases, watchPictures, type Phases } from './phases.ts';

const caseFolder = join(repository, 'cases/desktop-approve-command');
const cassette = join(caseFolder, 'cassettes/main');
const isElectron = process.env.PLAYHEAD_SURFACE === 'electron';
const { checkpoints } = JSON.parse(readFileSync(join(cassette, 'checkpoint-plan.json'), 'utf8')) as { checkpoints: { id: string }[] };

// Fixtures are set up in the order in which they ask for one another: what stands around one of Playhead's measures it.
const ours = replayed.extend<{ phases: Phases }>({
  phases: async ({}, use, testInfo) => {
    const phases = createPhases();
    await use(phases);
    phases.mark('teardown');
    phases.end(testInfo);
  },
  replayCase: async ({ phases }, use) => {
    phases.mark('before');
    await use(caseFolder);
  },
  page: async ({ page, phases }, use) => {
    phases.mark('window');
    watchPictures(page, phases);
    await use(page);
  },
  playheadSession: async ({ playheadSession, phases }, use) => {
    phases.mark('product start');
    await use(playheadSession);
  },
});

// Without a case the fixtures of Playhead do nothing; only so do both take turns in one worker and one browser.
const bare = replayed.extend<{ phases: Phases; daemon: BareDaemon; bareWindow: BareWindow | null }>({
  phases: async ({}, use, testInfo) => {
    const phases = createPhases();
    await use(phases);
    phases.mark('teardown');
    phases.end(testInfo);
  },
  daemon: async ({ phases }, use, testInfo) => {
    phases.mark('before');
    const daemon = await startBareDaemon({ folder: testInfo.outputPath(), cassette });
    phases.mark('product start');
    await use(daemon);
    await daemon.stop();
  },
  bareWindow: async ({ playwright, daemon }, use, testInfo) => {
    const window = isElectron ? await startBareElectron({ playwright, boot: daemon.boot, folder: testInfo.outputPath(), program: electronProgram }) : null;
    await use(window);
    await window?.stop();
  },
  // In this order: the clock runs before a context is made.
  page: async ({ phases, daemon, bareWindow, context }, use) => {
    const page = bareWindow?.page ?? (await context.newPage());
    if (!bareWindow) {
      await page.exposeBinding('desktopBoot', () => daemon.boot);
      await page.goto(daemon.url);
    }
    await untilReady(page);
    phases.mark('window');
    watchPictures(page, phases);
    await use(page);
  },
});

for (let round = 0; round < Number(process.env.BENCH_ROUNDS); round++) {
  bare(`floor ${round}`, async ({ phases, page }, testInfo) => {
    for (const { id } of checkpoints) await testInfo.attach(`${id}.png`, { body: await page.screenshot({ animations: 'disabled', caret: 'hide' }), contentType: 'image/png' });
    phases.mark('play');
  });

  ours(`ours ${round}`, async ({ page: _page, replay, phases }) => {
    await replay.playTo(checkpoints.at(-1)?.id ?? '');
    phases.mark('play');
    await expect(replay).toReplayCleanly();
    phases.mark('finish');
  });
}

// Not an assertion: those look again only after 100 ms, and the floor must not wait longer than it has to.
async function untilReady(page: Page): Promise<void> {
  await page.getByRole('status').filter({ hasText: 'ready' }).waitFor();
}
