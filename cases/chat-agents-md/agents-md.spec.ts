import { defineCase, expect } from 'playhead/playwright';

defineCase(import.meta.url, async ({ page, replay }) => {
  await page.getByRole('textbox', { name: 'Message' }).fill('What are the house rules?');
  await page.getByRole('button', { name: 'Send' }).click();

  await expect(page.getByRole('log')).toContainText('Shoes off, lights out at ten.');
  await expect(replay).toReplayCleanly();
});
