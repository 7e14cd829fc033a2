/** Says hello through the product's HTTP interface; the floor runs the same lines. */

import { greet } from '../greet.ts';

export default {
  id: 'chat-hello-headless',
  async drive({ url, cwd }: { url: string; cwd: string }): Promise<void> {
    await greet({ url, cwd });
  },
};
