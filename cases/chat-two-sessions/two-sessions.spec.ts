import { defineCase, expect } from 'playhead/playwright';

defineCase(import.meta.url, async ({ page, context, replay }) => {
  const other = await context.newPage();
  await other.goto(page.url().split('#')[0] ?? '');
  const ask = async (on: typeof page, text: string) => {
    await on.getByRole('textbox', { name: 'Message' }).fill(text);
    await on.getByRole('button', { name: 'Send' }).click();
    await on.getByRole('button', { name: 'Approve' }).waitFor();
  };
  await Promise.all([ask(page, 'Count the apples'), ask(other, 'Count the pears')]);

  await page.getByRole('button', { name: 'Approve' }).click();
  await other.getByRole('button', { name: 'Decline' }).click();

  await expect(page.getByRole('log')).toContainText('The apples are counted.');
  await expect(other.getByRole('log')).toContainText('The pears stay uncounted.');
  await expect(replay).toReplayCleanly();
  await other.close();
});
