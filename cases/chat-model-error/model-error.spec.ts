import { defineCase, expect } from 'playhead/playwright';

defineCase(import.meta.url, async ({ page, replay }) => {
  await page.getByRole('textbox', { name: 'Message' }).fill('Ask the broken model');
  await page.getByRole('button', { name: 'Send' }).click();

  await expect(page.getByRole('log')).toContainText('the lamp oil is used up');
  await expect(page.getByRole('log')).toContainText('[failed]');
  await expect(page.getByRole('status')).toHaveText('ready');
  await expect(replay).toReplayCleanly();
});
