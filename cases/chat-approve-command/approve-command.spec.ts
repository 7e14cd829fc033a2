import { defineCase, expect } from 'playhead/playwright';

defineCase(import.meta.url, async ({ page, replay }) => {
  await page.getByRole('textbox', { name: 'Message' }).fill('Create the release note');
  await page.getByRole('button', { name: 'Send' }).click();

  await replay.playTo('interaction.pending');
  await page.getByRole('button', { name: 'Approve' }).click();

  await expect(page.getByRole('log')).toContainText('The release note is in place.');
  await expect(page.getByRole('log')).toContainText('note written');
  await expect(page.getByRole('button', { name: 'Approve' })).toBeHidden();
  await expect(replay).toReplayCleanly();
  await expect(replay).toHaveAskedApproval({ method: 'item/commandExecution/requestApproval' });
  await expect(replay).toHaveCalledTool('commandExecution', { status: 'completed', exitCode: 0 });
  await expect(replay).toHaveSent({ id: 0, result: { decision: 'accept' } });
});
