import type { Inspect } from 'playhead/playwright';

/** Opens the card of a finished command, so that the picture shows its output. */
const inspect: Inspect = async ({ page, checkpoint }) => {
  if (checkpoint.kind !== 'tool.completed') return;
  await page.getByRole('article').getByRole('button', { name: 'Details', expanded: false }).first().click();
};

export default inspect;
