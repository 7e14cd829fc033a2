/** A cases repository for one run of these checks: copies of committed desktop cases, with damaged desktops and wrapped products beside them. */

import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { sha256 } from '../alarms/tape.mjs';
import { root } from '../faults/place.mjs';

const desktop = path.join(root, 'dist/desktop');

/** Below the repository, so that `playhead` and `@playwright/test` are found from it; gone with this process. */
export function createRepo(name) {
  mkdirSync(path.join(root, '.cache'), { recursive: true });
  const folder = mkdtempSync(path.join(root, `.cache/${name}-`));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 }));
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(130));
  const products = { desktop: path.join(root, 'fixtures/products/desktop.product.ts'), 'chat-node': path.join(root, 'fixtures/products/chat-node.product.ts') };
  const at = (...parts) => path.join(folder, ...parts);
  for (const each of ['products', 'cases']) mkdirSync(at(each));

  return {
    path: folder,
    at,
    caseFolder: (caseName) => at('cases', caseName),
    /** A desktop with texts of its built files exchanged. */
    addDamaged(productName, damages) {
      const copy = at('desktops', productName);
      cpSync(desktop, copy, { recursive: true });
      for (const damage of damages) damageFile(path.join(copy, damage.file), damage);
      return this.addProduct(productName, `createDesktop({ folder: ${JSON.stringify(copy)} })`);
    },
    /** A product of its own; `expression` may use `createDesktop` and what `imports` brings. */
    addProduct(productName, expression, imports = '') {
      products[productName] = at('products', `${productName}.mjs`);
      writeFileSync(products[productName], `import { createDesktop } from 'playhead/desktop';\n${imports}\nexport default ${expression};\n`);
      return productName;
    },
    /** A copy of a committed case; `inspect` replaces its hook, `scenario` and `model` what records it, `edit` changes the copied folder. */
    addCase({ name: caseName, base = 'desktop-hello', from = path.join(root, 'cases', base), product = 'desktop', inspect = null, scenario = null, model = null, isRecorded = true, edit = () => {} }) {
      const to = at('cases', caseName);
      cpSync(from, to, { recursive: true, filter: (source) => path.basename(source) !== 'inspect.ts' && (isRecorded || path.basename(source) !== 'cassettes') });
      const file = path.join(to, 'case.json');
      const described = JSON.parse(readFileSync(file, 'utf8'));
      delete described.$schema;
      described.product = product;
      if (!isRecorded) described.cassettes = [];
      if (inspect) writeFileSync(path.join(to, 'inspect.mjs'), inspect);
      if (scenario) writeFileSync(path.join(to, 'scenario.ts'), scenario);
      if (model) writeFileSync(path.join(to, 'model.json'), JSON.stringify(model));
      edit({ folder: to, described });
      writeFileSync(file, `${JSON.stringify(described, null, 2)}\n`);
    },
    seal({ viewport = null } = {}) {
      const lib = path.join(root, 'cases/lib');
      cpSync(lib, at('cases/lib'), { recursive: true });
      writeFileSync(at('playhead.config.mjs'), `import base from ${JSON.stringify(path.join(root, 'playhead.config.ts'))};\nexport default { ...base, products: ${JSON.stringify(products)} };\n`);
      writeFileSync(at('cases.spec.ts'), `import { defineCases, test } from 'playhead/playwright';\n\ndefineCases('./cases');\n// A failure that nobody declared costs a new worker and a new browser.\nif (process.env.FAULTS_DECLARED) test.fail();\n`);
      writeFileSync(at('playwright.config.mjs'), playwrightConfig({ viewport }));
    },
    /** The case of a row, with the product that it describes. */
    addRow({ name, base = 'desktop-hello', damages = null, imports = '', wrap = null, after = '', expression = null, inspect = null }) {
      const product = damages ? this.addDamaged(name, damages) : wrap ? this.addProduct(name, wrapped(wrap, after), imports) : expression ? this.addProduct(name, expression) : 'desktop';
      this.addCase({ name, base, product, inspect });
    },
    hashOf: (file) => sha256(readFileSync(file)),
  };
}

// What `before` does to the state folder comes before the daemon does; `after` comes when it is ready or has failed.
function wrapped(before, after) {
  return `{ ...createDesktop(), bridge: { replay: async (given) => { const { stateDir } = given; ${before} try { return await createDesktop().bridge.replay(given); } finally { ${after} } } } }`;
}

// A text that is not there exactly once ends the run: a damage must never be silently absent.
function damageFile(file, { find = null, put }) {
  const text = readFileSync(file, 'utf8');
  if (find === null) return writeFileSync(file, put + text);
  const count = text.split(find).length - 1;
  if (count !== 1) throw new Error(`Cannot damage ${path.basename(file)}: ${JSON.stringify(find)} is there ${count} times, once was needed`);
  return writeFileSync(file, text.replace(find, () => put));
}

function playwrightConfig({ viewport }) {
  return `import base from ${JSON.stringify(path.join(root, 'playwright.config.ts'))};
const use = { ...base.use, ...${JSON.stringify(viewport ? { viewport } : {})} };
const { FAULTS_CASES: cases, FAULTS_HTML: html } = process.env;
const grep = cases ? new RegExp('(^| )(' + cases.replaceAll(' ', '|') + ')$') : /./;
export default {
  ...base, grep, use, testDir: import.meta.dirname, testMatch: 'cases.spec.ts', outputDir: (process.env.TMPDIR ?? import.meta.dirname) + '/results',
  reporter: html ? [['line'], ['html', { open: 'never', outputFolder: html }]] : 'line', projects: [{ name: 'run' }],
};
`;
}
