import type { Scenario } from 'playhead/playwright';
import { deskOf } from '../lib/desk.ts';

export default {
  id: 'desktop-decline-command',

  async drive({ page, expect, model }) {
    const desk = deskOf(page, expect);
    await desk.send('Remove the old logs');
    await expect(page.getByRole('group', { name: 'Approval needed' })).toBeVisible({ timeout: 30_000 });
    await desk.decline();
    await model.holding('declined');
    await expect(page.getByRole('status')).toHaveText('working');
    model.release('declined');
    await desk.ready();
  },

  async assert({ page, expect }) {
    await expect(page.getByRole('log')).toContainText('The logs stay where they are.');
  },
} satisfies Scenario;
