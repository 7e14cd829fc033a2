// The package as a stranger gets it: packed, installed into an empty project, one spec against a product copied out.
import assert from 'node:assert/strict';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createChecks } from './lib/checks.mjs';
import { root, run } from './lib/run.mjs';

const spec = `import { defineCase, expect } from 'playhead/playwright';

defineCase(import.meta.url, async ({ page, replay }) => {
  await page.getByRole('textbox', { name: 'Message' }).fill('Say hello to the team');
  await page.getByRole('button', { name: 'Send' }).click();
  await expect(page.getByRole('log')).toContainText('Hello to the whole team!');
  await expect(replay).toReplayCleanly();
});
`;
const product = `import { defineProduct } from 'playhead';
export default defineProduct({
  name: 'chat',
  async start({ cwd, env, run }) {
    const { url } = await run(['python3', '-B', import.meta.dirname + '/chat-python/server.py'], { env });
    return { url: url + '?cwd=' + encodeURIComponent(cwd) };
  },
});
`;
const config = `import { defineConfig } from '@playwright/test';
import base from '${root}/playwright.config.ts';
export default defineConfig({ ...base, testDir: './cases', outputDir: './test-results' });
`;
const { check, end } = createChecks('pack');
const project = mkdtempSync(join(tmpdir(), 'playhead-test-pack-'));
const npm = ['npm', '--no-audit', '--no-fund', '--loglevel=error'];

try {
  await check('the package is well formed', async () => {
    const result = await run(['node', join(root, 'node_modules/publint/src/cli.js'), root, '--strict']);
    assert.equal(result.code, 0, result.stdout + result.stderr);
  });

  await check('npm pack holds the built package and no sources', async () => {
    const result = await run([...npm, 'pack', '--ignore-scripts', '--json', '--pack-destination', project]);
    assert.equal(result.code, 0, result.stderr);
    const listed = JSON.parse(result.stdout);
    const [packed] = Array.isArray(listed) ? listed : Object.values(listed);
    const paths = packed.files.map(({ path }) => path);
    assert.ok(paths.includes('dist/playwright.js') && paths.includes('dist/stand-in-replay.cjs') && paths.includes('dist/model.js'));
    assert.deepEqual(paths.filter((path) => /^(src|cases|tests|fixtures|tools)\//.test(path)), []);
  });

  await check('it installs with at most 40 packages and 10 MB', async () => {
    writeFileSync(join(project, 'package.json'), '{ "name": "stranger", "private": true, "type": "module" }\n');
    const tarball = readdirSync(project).find((name) => name.endsWith('.tgz'));
    const result = await run([...npm, 'install', '--prefer-offline', `./${tarball}`], { cwd: project });
    assert.equal(result.code, 0, result.stderr);
    const lock = JSON.parse(readFileSync(join(project, 'node_modules/.package-lock.json'), 'utf8'));
    const count = Object.keys(lock.packages).length;
    const bytes = sizeOf(join(project, 'node_modules'));
    console.log(`    ${count} packages, ${(bytes / 1e6).toFixed(2)} MB`);
    assert.ok(count <= 40, `${count} packages`);
    assert.ok(bytes <= 10e6, `${bytes} bytes`);
  });

  await check('importing playhead loads neither Playwright nor Vitest', async () => {
    const script = "await import('playhead'); process.stdout.write('fine')";
    const result = await run(['node', '--input-type=module', '-e', script], { cwd: project });
    assert.equal(result.stdout, 'fine', result.stderr);
  });

  await check('a ten-line spec against chat-python goes green', async () => {
    // Playwright is the stranger's own; linked here, so that the test asks no registry for a browser driver.
    mkdirSync(join(project, 'node_modules/@playwright'), { recursive: true });
    for (const name of ['@playwright/test', 'playwright', 'playwright-core']) symlinkSync(join(root, 'node_modules', name), join(project, 'node_modules', name));
    cpSync(join(root, 'fixtures/products/chat-python'), join(project, 'chat-python'), { recursive: true });
    cpSync(join(root, 'cases/chat-hello/cassettes'), join(project, 'cases/hello/cassettes'), { recursive: true });
    const { cassettes } = JSON.parse(readFileSync(join(root, 'cases/chat-hello/case.json'), 'utf8'));
    writeFileSync(join(project, 'cases/hello/case.json'), JSON.stringify({ schemaVersion: 1, title: 'Hello', product: 'chat', drive: 'spec', cassettes }));
    writeFileSync(join(project, 'cases/hello/hello.spec.ts'), spec);
    writeFileSync(join(project, 'playhead.config.ts'), "import { defineConfig } from 'playhead';\nexport default defineConfig({ products: { chat: './chat.product.ts' } });\n");
    writeFileSync(join(project, 'chat.product.ts'), product);
    writeFileSync(join(project, 'playwright.config.ts'), config);
    const result = await run(['node', 'node_modules/@playwright/test/cli.js', 'test', '--reporter=line'], { cwd: project });
    assert.equal(result.code, 0, result.stdout + result.stderr);
    assert.match(result.stdout, /1 passed/);
  });

  await check('the command works from the installed package', async () => {
    const bin = join(project, 'node_modules/.bin/playhead');
    const validated = await run([bin, 'validate', 'cases/hello', '--json'], { cwd: project });
    assert.equal(validated.code, 0, validated.stderr);
    assert.equal(JSON.parse(validated.stdout).valid, true);
    const replayed = await run([bin, 'replay', 'cases/hello', '--json'], { cwd: project });
    assert.equal(replayed.code, 0, replayed.stderr);
    assert.equal(JSON.parse(replayed.stdout).result, 'passed');
  });
} finally {
  rmSync(project, { recursive: true, force: true });
}
end();

function sizeOf(folder) {
  return readdirSync(folder, { recursive: true }).reduce((sum, name) => {
    const stat = statSync(join(folder, String(name)));
    return sum + (stat.isFile() ? stat.size : 0);
  }, 0);
}
