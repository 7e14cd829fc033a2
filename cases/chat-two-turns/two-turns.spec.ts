import { defineCase, expect } from 'playhead/playwright';

defineCase(import.meta.url, async ({ page, replay }) => {
  const message = page.getByRole('textbox', { name: 'Message' });
  await message.fill('Name a colour');
  await page.getByRole('button', { name: 'Send' }).click();
  await replay.playTo('turn.terminal');
  await expect(page.getByRole('log')).toContainText('Teal is a good one.');

  await message.fill('Name another one');
  await page.getByRole('button', { name: 'Send' }).click();
  await replay.playTo('turn.terminal');
  await expect(page.getByRole('log')).toContainText('Then take amber.');
  await expect(replay).toReplayCleanly();
});
