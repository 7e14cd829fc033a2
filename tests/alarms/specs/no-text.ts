import { defineCase, expect } from 'playhead/playwright';

// Asserts the protocol, and no text of the agent.
defineCase(import.meta.url, async ({ page, replay }) => {
  await page.getByRole('textbox', { name: 'Message' }).fill('Create the release note');
  await page.getByRole('button', { name: 'Send' }).click();
  await replay.playTo('interaction.pending');
  await page.getByRole('button', { name: 'Approve' }).click();
  await expect(replay).toReplayCleanly();
});
