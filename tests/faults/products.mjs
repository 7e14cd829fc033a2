/** Products that do not come up, come up without an address, or go away while a scenario drives them. */

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { expectDivergence, expectFault, expectPassed } from './expect.mjs';
import { inPlace, root } from './place.mjs';

const steps = ['hello', 'turn=hello', 'close'];

export function checkProducts(check) {
  const rows = [
    { name: 'a product that dies before it is ready', behaviour: 'die', code: 'product_not_started', message: /its process ended with code 4, / },
    { name: 'a product that gives no address', behaviour: 'mute', code: 'product_start_timeout', message: /it gave no address within 1500 ms/, env: { PLAYHEAD_START_MS: '1500' } },
    { name: 'a product whose program is missing', program: '/nowhere/backend', code: 'product_not_started', message: /ENOENT/ },
    { name: 'a product that throws', start: 'throw new Error("no licence")', code: 'product_not_started', message: /no licence/ },
  ];
  for (const { name, code, message, env, ...product } of rows)
    check(name, () => inPlace(async (place) => {
      await createCase(place, product);
      const result = await replay(place, env);
      expectFault(result, { code, exitCode: 3, message, next: /by hand/ });
      assert.equal(result.document.result, 'faulted');
    }));

  check('a product that a scenario drives replays clean without a window', () => inPlace(async (place) => {
    await createCase(place, {});
    expectPassed(await replay(place));
  }));

  check('a product that dies in mid-test leaves its next message missing', () => inPlace(async (place) => {
    await createCase(place, { drive: ['hello', 'exit=3'] });
    const result = await replay(place);
    expectDivergence(result, { layer: 'protocol', code: 'outbound_missing', message: /awaits "turn\/start"/ });
  }));

  check('a product that never starts the provider was not intercepted', () => inPlace(async (place) => {
    await createCase(place, { drive: ['say=hello'] });
    expectFault(await replay(place), { code: 'provider_not_intercepted', exitCode: 3, next: /shim\.path/ });
  }));

  check('a product that starts the provider by its absolute path was not intercepted', () => inPlace(async (place) => {
    await createCase(place, { drive: [`open=${place.at('bin/codex')}`, 'hello', 'turn=hello', 'close'] });
    expectFault(await replay(place), { code: 'provider_not_intercepted', exitCode: 3 });
  }));

  check('a product whose socket is removed is lost', () => inPlace(async (place) => {
    await createCase(place, { drive: ['unlink', 'open', 'closed'] });
    expectDivergence(await replay(place), { layer: 'transport', code: 'shim_lost' });
  }));

  check('a scenario that hangs is ended, and what did not come is missing', () => inPlace(async (place) => {
    await createCase(place, { drive: ['open', 'wait=nothing'], timeoutMs: 6_000 });
    expectDivergence(await replay(place), { layer: 'protocol', code: 'outbound_missing', message: /awaits "initialize"/ });
  }));

  check('a product that ignores SIGTERM is killed', () => inPlace(async (place) => {
    await createCase(place, { drive: ['ignore=SIGTERM', ...steps] });
    expectPassed(await replay(place));
  }));

  check('an unknown product, a broken configuration and no configuration each have their code', () => inPlace(async (place) => {
    await createCase(place, {});
    const config = place.at('work/playhead.config.mjs');
    for (const [text, code] of [['export default { products: {} }', 'product_unknown'], ['export default 1', 'config_invalid'], ['export default {', 'config_invalid'], ['export default { products: { steps: "./nowhere.mjs" } }', 'config_invalid']]) {
      writeFileSync(config, text);
      expectFault(await replay(place), { code, exitCode: 2, next: /doctor/ });
    }
  }));
}

/** A cases repository with one case of two turns' worth of nothing but `steps`. */
async function createCase(place, { behaviour = 'serve', program = process.execPath, start = null, drive = steps, timeoutMs }) {
  const folder = place.at('work/cases/one');
  mkdirSync(`${folder}/cassettes`, { recursive: true });
  await place.record('work/cases/one/cassettes/main', steps);
  const manifestSha256 = createHash('sha256').update(readFileSync(`${folder}/cassettes/main/provider/manifest.json`)).digest('hex');
  writeFileSync(`${folder}/case.json`, JSON.stringify({ schemaVersion: 1, title: 'One', product: 'steps', drive: 'scenario', scenario: 'scenario.mjs', ...(timeoutMs ? { timeoutMs } : {}), cassettes: [{ dir: 'cassettes/main', manifestSha256 }] }));
  writeFileSync(`${folder}/scenario.mjs`, `export default { id: 'one', drive: async ({ url }) => { await fetch(url, { method: 'POST', body: ${JSON.stringify(JSON.stringify(drive))} }).catch(() => {}); } };\n`);
  writeFileSync(place.at('work/playhead.config.mjs'), `export default { products: { steps: './product.mjs' } };\n`);
  const command = JSON.stringify([program, `${root}/tests/faults/server.mjs`, behaviour]);
  writeFileSync(place.at('work/product.mjs'), `export default { name: 'steps', windows: {}, start: ({ cwd, env, run }) => { ${start ?? `return run([...${command}, cwd], { env });`} } };\n`);
}

async function replay(place, env = {}) {
  const result = await place.playhead(['replay', 'cases/one', '--surface', 'none', '--json'], { env });
  const document = JSON.parse(result.stdout);
  return { ...result, document, verdict: document.verdicts?.[0] ?? null };
}
