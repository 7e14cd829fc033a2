/** The case chat-approve-command, replayed and bare in turns: same product, same page, same clicks, same number of pictures. */

import { expect as bareExpect, type Page } from '@playwright/test';
import { join } from 'node:path';
import { expect, test as replayed } from 'playhead/playwright';
import { startBareProduct, type BareProduct } from '../bare-product.ts';
import { createCannedCodex } from '../canned-codex.ts';
import { repository } from '../scratch.ts';

const caseFolder = join(repository, 'cases/chat-approve-command');
// Without a case the fixtures of Playhead do nothing; only so do both take turns in one worker and one browser.
const bare = replayed.extend<{ product: BareProduct }>({
  product: async ({}, use, testInfo) => {
    const env = createCannedCodex({ folder: testInfo.outputPath(), cassette: join(caseFolder, 'cassettes/main') });
    const product = await startBareProduct({ cwd: testInfo.outputPath('project'), env });
    await use(product);
    await product.stop();
  },
});

for (let round = 0; round < Number(process.env.BENCH_ROUNDS); round++) {
  bare(`floor ${round}`, async ({ product, page }, testInfo) => {
    await page.goto(product.url);
    const takePicture = async (name: string) => testInfo.attach(name, { body: await page.screenshot({ animations: 'disabled', caret: 'hide' }), contentType: 'image/png' });
    await ask(page);
    // Not an assertion: those look again only after 100 ms, and the floor must not wait longer than it has to.
    await page.getByRole('button', { name: 'Approve' }).waitFor();
    await takePicture('asked.png');
    await approve(page);
    await page.locator('[role=status][data-state=ready]').waitFor();
    await takePicture('end.png');
  });

  replayed.describe(() => {
    replayed.use({ replayCase: caseFolder });
    replayed(`ours ${round}`, async ({ page, replay }) => {
      await ask(page);
      await replay.playTo('interaction.pending');
      await approve(page);
      await expect(replay).toReplayCleanly();
    });
  });
}

async function ask(page: Page): Promise<void> {
  await page.getByRole('textbox', { name: 'Message' }).fill('Create the release note');
  await page.getByRole('button', { name: 'Send' }).click();
}

async function approve(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Approve' }).click();
  await bareExpect(page.getByRole('log')).toContainText('The release note is in place.');
  await bareExpect(page.getByRole('log')).toContainText('note written');
  await bareExpect(page.getByRole('button', { name: 'Approve' })).toBeHidden();
}
