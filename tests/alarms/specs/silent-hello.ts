import { defineCase } from 'playhead/playwright';

// Acts, and asserts nothing at all.
defineCase(import.meta.url, async ({ page }) => {
  await page.getByRole('textbox', { name: 'Message' }).fill('Say hello to the team');
  await page.getByRole('button', { name: 'Send' }).click();
});
