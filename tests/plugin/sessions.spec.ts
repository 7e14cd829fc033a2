import { expect, test } from 'playhead/playwright';
import { caseFolder, send } from './lib.ts';

test.use({ replayCase: caseFolder('chat-two-sessions') });

test('the second launch may speak first', async ({ page, context, replay }) => {
  const other = await context.newPage();
  await other.goto(page.url().split('#')[0] ?? '');
  await expect(page.getByRole('status')).toHaveText('ready');
  await expect(other.getByRole('status')).toHaveText('ready');
  await send(other, 'Count the pears');
  await other.getByRole('button', { name: 'Decline' }).click();
  await expect(other.getByRole('log')).toContainText('The pears stay uncounted.');
  await send(page, 'Count the apples');
  await page.getByRole('button', { name: 'Approve' }).click();
  await expect(page.getByRole('log')).toContainText('The apples are counted.');
  await expect(replay).toReplayCleanly();
  await other.close();
});

test('the first launch may send what the second one sent', async ({ page, context, replay }) => {
  await expect(page.getByRole('status')).toHaveText('ready');
  const other = await context.newPage();
  await other.goto(page.url().split('#')[0] ?? '');
  await expect(other.getByRole('status')).toHaveText('ready');
  await send(page, 'Count the pears');
  await page.getByRole('button', { name: 'Decline' }).click();
  await send(other, 'Count the apples');
  await other.getByRole('button', { name: 'Approve' }).click();
  await expect(page.getByRole('log')).toContainText('The pears stay uncounted.');
  await expect(other.getByRole('log')).toContainText('The apples are counted.');
  await expect(replay).toReplayCleanly();
  await other.close();
});

test('one session of two is missing at the end', async ({ page, replay }) => {
  test.fail(true, 'the second connection was never selected');
  await send(page, 'Count the apples');
  await page.getByRole('button', { name: 'Approve' }).click();
  await expect(page.getByRole('log')).toContainText('The apples are counted.');
  const verdict = await replay.finish();
  expect.soft(verdict.divergence).toMatchObject({ layer: 'transport', code: 'connection_not_selected', lane: 'connection-2' });
});
