import { defineCase, expect } from 'playhead/playwright';

// Acts, and leaves the judgement to the replay; gives up an action after a while, as many configurations do.
defineCase(import.meta.url, async ({ page, replay }) => {
  await page.getByRole('textbox', { name: 'Message' }).fill('Create the release note');
  await page.getByRole('button', { name: 'Send' }).click({ timeout: 2_000 });
  await replay.playTo('interaction.pending');
  await page.getByRole('button', { name: 'Approve' }).click({ timeout: 2_000 });
  await expect(replay).toReplayCleanly();
});
