import { defineCase, expect } from 'playhead/playwright';

defineCase(import.meta.url, async ({ page, replay }) => {
  await page.getByRole('textbox', { name: 'Message' }).fill('Say hello to the team');
  await page.getByRole('button', { name: 'Send' }).click();

  await expect(page.getByRole('log')).toContainText('Hello to the whole team!');
  await expect(page.getByRole('status')).toHaveText('ready');
  await expect(replay).toReplayCleanly();
});
