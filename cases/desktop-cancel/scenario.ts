import type { Scenario } from 'playhead/playwright';
import { deskOf } from '../lib/desk.ts';

export default {
  id: 'desktop-cancel',

  async drive({ page, expect }) {
    const desk = deskOf(page, expect);
    await desk.send('Tell a long story');
    await desk.says('there was a lighthouse');
    await desk.stop();
    await desk.ready();
  },

  async assert({ page, expect }) {
    await expect(page.getByRole('log')).not.toContainText('its light reached far');
  },
} satisfies Scenario;
