import type { Scenario } from 'playhead/playwright';
import { deskOf } from '../lib/desk.ts';

export default {
  id: 'desktop-model-error',

  async drive({ page, expect, model }) {
    const desk = deskOf(page, expect);
    await desk.send('Ask the broken model');
    await model.holding('breaking');
    await expect(page.getByRole('status')).toHaveText('working');
    model.release('breaking');
    await expect(page.getByRole('alert')).toContainText('the lamp oil is used up', { timeout: 30_000 });
    await expect(page.getByRole('status')).toHaveText('failed');
  },

  async assert({ page, expect }) {
    await expect(page.getByRole('log')).toContainText('Ask the broken model');
  },
} satisfies Scenario;
