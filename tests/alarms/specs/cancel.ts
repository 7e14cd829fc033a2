import { defineCase, expect } from 'playhead/playwright';

// Goes on from a target that the tape stops at only where it was armed in time.
defineCase(import.meta.url, async ({ page, replay }) => {
  await page.getByRole('textbox', { name: 'Message' }).fill('Tell a long story');
  await page.getByRole('button', { name: 'Send' }).click();
  await replay.playTo('turn.working');
  replay.resume();
  await expect(page.getByRole('log')).toContainText('Once upon a time there was a lighthouse');
  await page.getByRole('button', { name: 'Stop' }).click();
  await expect(page.getByRole('log')).toContainText('[interrupted]');
  await expect(replay).toReplayCleanly();
});
