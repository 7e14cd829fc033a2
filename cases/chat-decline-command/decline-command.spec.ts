import { defineCase, expect } from 'playhead/playwright';

defineCase(import.meta.url, async ({ page, replay }) => {
  await page.getByRole('textbox', { name: 'Message' }).fill('Remove the old logs');
  await page.getByRole('button', { name: 'Send' }).click();

  await replay.playTo('interaction.pending');
  await page.getByRole('button', { name: 'Decline' }).click();

  await expect(page.getByRole('log')).toContainText('The logs stay where they are.');
  await expect(page.getByRole('log')).toContainText('declined');
  await expect(replay).toReplayCleanly();
  await expect(replay).toHaveCalledTool('commandExecution', { status: 'declined' });
});
