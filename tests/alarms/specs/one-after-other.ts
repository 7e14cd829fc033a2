import { defineCase, expect } from 'playhead/playwright';

// The second page is asked when the first one has nothing left to wait for: only the second can notice what goes wrong.
defineCase(import.meta.url, async ({ page, context, replay }) => {
  const other = await context.newPage();
  await page.getByRole('textbox', { name: 'Message' }).fill('Count the apples');
  await page.getByRole('button', { name: 'Send' }).click();
  await page.getByRole('button', { name: 'Approve' }).waitFor();
  await other.goto(page.url().split('#')[0] ?? '');
  await other.getByRole('textbox', { name: 'Message' }).fill('Count the pears');
  await other.getByRole('button', { name: 'Send' }).click();
  await other.getByRole('button', { name: 'Decline' }).waitFor();
  await page.getByRole('button', { name: 'Approve' }).click();
  await other.getByRole('button', { name: 'Decline' }).click();
  await expect(replay).toReplayCleanly();
});
