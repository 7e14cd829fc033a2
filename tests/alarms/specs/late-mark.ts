import { defineCase, expect } from 'playhead/playwright';

// Stays on the page, after a clean verdict, until the product has sent what it sends late.
defineCase(import.meta.url, async ({ page, replay }) => {
  await page.getByRole('textbox', { name: 'Message' }).fill('Create the release note');
  await page.getByRole('button', { name: 'Send' }).click();
  await page.getByRole('button', { name: 'Approve' }).click();
  await expect(replay).toReplayCleanly();
  await page.getByText('One more thing').waitFor();
});
