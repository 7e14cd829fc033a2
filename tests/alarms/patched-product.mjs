// The chat of fixtures/products, started with texts of its source exchanged and with another environment.
import { defineProduct } from 'playhead';

const server = new URL('../../fixtures/products/chat-node/server.mjs', import.meta.url).pathname;
const loader = new URL('load-patch.mjs', import.meta.url).pathname;

export function definePatched({ patchFile, env: added }) {
  return defineProduct({
    name: 'chat-node',
    async start({ cwd, env, run }) {
      const { url } = await run([process.execPath, '--import', loader, server], { env: { ...env, ...added, ALARM_PATCH: patchFile } });
      return { url: `${url}?cwd=${encodeURIComponent(cwd)}` };
    },
  });
}
