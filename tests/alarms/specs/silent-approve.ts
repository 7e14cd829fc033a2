import { defineCase } from 'playhead/playwright';

// Acts, and asserts nothing at all.
defineCase(import.meta.url, async ({ page }) => {
  await page.getByRole('textbox', { name: 'Message' }).fill('Create the release note');
  await page.getByRole('button', { name: 'Send' }).click();
  await page.getByRole('button', { name: 'Approve' }).click();
});
