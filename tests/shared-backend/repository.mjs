/** A cases repository in a temporary folder below `.cache/`, whose backend is started once by Playwright's `webServer`. */

import { cpSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { root } from '../faults/place.mjs';

const cases = ['chat-hello', 'chat-approve-command', 'chat-decline-command', 'chat-two-turns'];

/**
 * `ownFolder`: the backend starts codex in its own folder and names the project in `thread/start` alone.
 * `body`: lines of a spec in place of the cases' own.
 */
export async function inRepository(options, body) {
  mkdirSync(path.join(root, '.cache'), { recursive: true });
  const folder = realpathSync(mkdtempSync(path.join(root, '.cache/shared-')));
  try {
    write(folder, options);
    return await body(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

function write(folder, { ownFolder = false, teardown = null, spec = null, twoCassettes = false, own = false }) {
  cpSync(path.join(root, 'fixtures/products/chat-node'), path.join(folder, 'backend'), { recursive: true });
  if (ownFolder) edit(path.join(folder, 'backend/codex.mjs'), (text) => text.replace('["app-server"], { cwd, stdio', '["app-server"], { stdio'));
  for (const name of cases) {
    cpSync(path.join(root, 'cases', name), path.join(folder, 'cases', name), { recursive: true });
    const file = specOf(path.join(folder, 'cases', name), name);
    // The backend runs already, so the spec opens its own page.
    if (!own) edit(file, (text) => text.replace(/(defineCase\(import\.meta\.url, async \(\{ page, replay \}\) => \{\n)/, "$1  await page.goto('/?cwd=' + encodeURIComponent(replay.cwd));\n"));
    if (spec) writeFileSync(file, spec(name));
  }
  if (twoCassettes) addCassette(path.join(folder, 'cases/chat-hello'));
  writeFileSync(path.join(folder, 'shared.mjs'), "import { defineProduct } from 'playhead';\nexport default defineProduct({ name: 'chat-node' });\n");
  const product = own ? path.join(root, 'fixtures/products/chat-node.product.ts') : './shared.mjs';
  writeFileSync(path.join(folder, 'playhead.config.mjs'), `export default { products: { 'chat-node': ${JSON.stringify(product)} } };\n`);
  writeFileSync(path.join(folder, 'playwright.config.ts'), config({ own, teardown }));
  if (teardown) writeFileSync(path.join(folder, 'teardown.ts'), teardown);
}

const config = ({ own, teardown }) => `import { defineConfig } from '@playwright/test';
import { shimEnv } from 'playhead';
import base from '${root}/playwright.config.ts';

const port = Number(process.env.BACKEND_PORT);
const env = shimEnv();

export default defineConfig({
  ...base,
  ${teardown ? "globalTeardown: './teardown.ts'," : ''}
  testDir: './cases',
  outputDir: './test-results',
  reporter: [['json', { outputFile: process.env.REPORT_FILE }]],
  ${own ? '' : `use: { ...base.use, baseURL: \`http://127.0.0.1:\${port}\` },
  webServer: { command: \`'\${process.execPath}' backend/server.mjs --port \${port}\`, url: \`http://127.0.0.1:\${port}/\`, env, reuseExistingServer: false, gracefulShutdown: { signal: 'SIGTERM', timeout: 5_000 } },`}
});
`;

function specOf(folder, name) {
  return path.join(folder, `${name.replace('chat-', '')}.spec.ts`);
}

function addCassette(folder) {
  cpSync(path.join(folder, 'cassettes/main'), path.join(folder, 'cassettes/again'), { recursive: true });
  edit(path.join(folder, 'case.json'), (text) => {
    const value = JSON.parse(text);
    value.cassettes.push({ ...value.cassettes[0], dir: 'cassettes/again' });
    return JSON.stringify(value);
  });
}

function edit(file, change) {
  const before = readFileSync(file, 'utf8');
  const after = change(before);
  if (after === before) throw new Error(`nothing was changed in ${file}`);
  writeFileSync(file, after);
}
