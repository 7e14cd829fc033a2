import { defineCase, expect } from 'playhead/playwright';

// The real program answers, so the page is ready; the tape was never asked.
defineCase(import.meta.url, async ({ page, replay }) => {
  await expect(page.getByRole('status')).toHaveText('ready');
  await expect(replay).toReplayCleanly();
});
