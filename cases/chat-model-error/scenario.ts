import type { Scenario } from 'playhead/playwright';

export default {
  id: 'model-error',

  async drive({ page, playTo }) {
    await page.getByRole('textbox', { name: 'Message' }).fill('Ask the broken model');
    await page.getByRole('button', { name: 'Send' }).click();
    await playTo('turn.terminal');
  },

  async assert({ page, expect }) {
    await expect(page.getByRole('log')).toContainText('the lamp oil is used up');
    await expect(page.getByRole('log')).toContainText('[failed]');
    await expect(page.getByRole('status')).toHaveText('ready');
  },
} satisfies Scenario;
