import { defineCase, expect } from 'playhead/playwright';

defineCase(import.meta.url, async ({ page, replay }) => {
  await page.getByRole('textbox', { name: 'Message' }).fill('Greet in the evening');
  await page.getByRole('button', { name: 'Send' }).click();

  await replay.playTo('interaction.pending');
  await expect(page.getByText('+good evening')).toBeVisible();
  await page.getByRole('button', { name: 'Approve' }).click();

  await expect(page.getByRole('log')).toContainText('The greeting fits the hour.');
  await expect(replay).toReplayCleanly();
  await expect(replay).toHaveAskedApproval({ method: 'item/fileChange/requestApproval' });
  await expect(replay).toHaveCalledTool('fileChange', { status: 'completed' });
});
