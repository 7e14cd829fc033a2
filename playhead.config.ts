import { existsSync } from 'node:fs';
import { defineConfig } from 'playhead';
import { realCodex } from './scripts/real-codex.mjs';

// The pinned real CLI is there only after `scripts/setup.mjs --all`, and only record mode asks for it.
const hasCodex = existsSync(new URL('tools/providers/node_modules/@openai/codex', import.meta.url));

export default defineConfig({
  products: {
    'chat-node': './fixtures/products/chat-node.product.ts',
    'chat-python': './fixtures/products/chat-python.product.ts',
    desktop: './fixtures/products/desktop.product.ts',
  },
  ...(hasCodex ? { providers: { codex: realCodex() } } : {}),
});
