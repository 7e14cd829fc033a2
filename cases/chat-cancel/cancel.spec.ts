import { defineCase, expect } from 'playhead/playwright';

defineCase(import.meta.url, async ({ page, replay }) => {
  await page.getByRole('textbox', { name: 'Message' }).fill('Tell a long story');
  await page.getByRole('button', { name: 'Send' }).click();

  await replay.playTo('turn.working');
  await expect(page.getByRole('log')).toContainText('Once upon a time there was a lighthouse');
  await page.getByRole('button', { name: 'Stop' }).click();

  await replay.playTo('turn.canceled');
  await expect(page.getByRole('log')).toContainText('[interrupted]');
  await expect(page.getByRole('log')).not.toContainText('and its light reached');
  await expect(replay).toReplayCleanly();
});
