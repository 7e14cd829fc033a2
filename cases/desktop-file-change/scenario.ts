import type { Scenario } from 'playhead/playwright';
import { deskOf } from '../lib/desk.ts';

export default {
  id: 'desktop-file-change',

  async drive({ page, expect, model }) {
    const desk = deskOf(page, expect);
    await desk.send('Greet in the evening');
    const approval = page.getByRole('group', { name: 'Approval needed' });
    await expect(approval).toContainText('good evening', { timeout: 30_000 });
    await desk.approve();
    await model.holding('patched');
    await expect(page.getByRole('status')).toHaveText('working');
    model.release('patched');
    await desk.ready();
  },

  async assert({ page, expect }) {
    await expect(page.getByRole('log')).toContainText('The greeting fits the hour.');
  },
} satisfies Scenario;
