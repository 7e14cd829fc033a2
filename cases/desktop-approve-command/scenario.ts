import type { Scenario } from 'playhead/playwright';
import { deskOf } from '../lib/desk.ts';

export default {
  id: 'desktop-approve-command',

  async drive({ page, expect, model }) {
    const desk = deskOf(page, expect);
    await desk.send('Create the release note');
    await expect(page.getByRole('group', { name: 'Approval needed' })).toBeVisible({ timeout: 30_000 });
    await desk.approve();
    await model.holding('written');
    await expect(page.getByRole('status')).toHaveText('working');
    model.release('written');
    await desk.ready();
  },

  async assert({ page, expect }) {
    await expect(page.getByRole('log')).toContainText('The release note is in place.');
  },
} satisfies Scenario;
