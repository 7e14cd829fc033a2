import type { Scenario } from 'playhead/playwright';
import { deskOf } from '../lib/desk.ts';

export default {
  id: 'desktop-two-turns',

  async drive({ page, expect, model }) {
    const desk = deskOf(page, expect);
    await desk.send('Name a colour');
    await desk.says('Teal');
    await desk.send('Name another one');
    await expect(page.getByRole('list', { name: 'Queue' })).toContainText('Name another one');
    model.release('colour');
    await desk.says('Then take');
    model.release('another');
    await desk.ready();
  },

  async assert({ page, expect }) {
    await expect(page.getByRole('log')).toContainText('Teal is a good one.');
    await expect(page.getByRole('log')).toContainText('Then take amber.');
  },
} satisfies Scenario;
