import type { Scenario } from 'playhead/playwright';
import { deskOf } from '../lib/desk.ts';

export default {
  id: 'desktop-hello',

  async drive({ page, expect, model }) {
    const desk = deskOf(page, expect);
    await desk.send('Say hello to the team');
    await desk.says('Hello to the whole');
    model.release('greeting');
    await desk.ready();
  },

  async assert({ page, expect }) {
    await expect(page.getByRole('log')).toContainText('Hello to the whole team!');
  },
} satisfies Scenario;
